# ranks.bash: a lesson about several GPUs in a job of several tasks: after the grade, its ranks run as
# processes. Sourced by grade-in-job.
# shellcheck shell=bash

# Is this a job of several tasks, and a lesson whose ranks can be its processes?
has_ranks() {
  local gpus
  in_job && ((${SLURM_NTASKS:-1} > 1)) || return 1
  gpus=$(lesson_facts gpus "$LESSON" 2>/dev/null) && [[ $gpus =~ ^[0-9]+$ ]] && ((gpus > 1))
}

# run_ranks RESULTS: a process of the lesson's program for each task of the job, on all its nodes. Returns 0
# if all ranks are right, 1 if not, 3 if they could not run.
run_ranks() {
  local status=0 program=$1/$LESSON-$BACKEND
  [[ -x $program ]] || { echo "No ranks: there is no program of $LESSON for $BACKEND." && return 3; }
  printf '\nA process for each rank (srun): tasks %s, nodes %s\n' "$SLURM_NTASKS" "${SLURM_NNODES:-1}"
  rm -f -- "$1/id"
  # shellcheck disable=SC2016 # on each node
  WB_ID_FILE=$1/id srun sh -c '
    if [ ! -x "$0" ]; then
      echo "$(uname -n) does not see $0: the workbook must be on a file system that all nodes share." >&2
      exit 3
    fi
    exec "$0" --as-rank' "$program" &
  GRADE_PID=$!
  wait "$GRADE_PID" || status=$?
  GRADE_PID=''
  rm -f -- "$program" "$1/id"
  case $status in
    0) echo "All ranks are right." ;;
    3) return 3 ;;
    *) echo "The ranks are not right: see their lines." && return 1 ;;
  esac
}
