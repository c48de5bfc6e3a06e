#!/bin/bash
# Grades one share of a class in a Slurm job array. `grader/class SUBMISSIONS --lesson lesson05 --slurm` submits it.
#
# >>> cluster: generic
# without a GPU: --gres=none
#SBATCH --job-name=loops-to-warps
#SBATCH -N 1 -n 1
#SBATCH --gres=gpu:1
#SBATCH --time=00:10:00
#SBATCH --output=jobs/logs/%x-%j.log
# <<< cluster
#
# The lines between the markers are written by `make cluster NAME=...`, as those of jobs/run.sh.
# What it grades goes to OUTPUT/grades; this log says on which node and GPU. A job that Slurm starts again, since its node
# failed, goes on with what has no verdict yet.
set -euo pipefail

usage() {
  cat <<'TXT'
Usage: sbatch --array=1-N jobs/class.sh CHECKOUT OUTPUT LIST

  CHECKOUT  the workbook
  OUTPUT    the folder of a class run
  LIST      lines "PART KEY": this job grades the keys of the part that has the number of its place in the array

grader/class --slurm calls it so. Exit status: 0 each of them has a verdict or a reason why not; 2 usage; 3 could not grade.
TXT
}

# What a busy or throttled GPU made slow is no verdict: it is graded again, now by this job, once; then by the next run.
drop_slow() { # output, list
  local key slow why='' home
  while read -r key; do
    home=$1/grades/$key
    read -r slow _ < <(unpassed "$home/grade.json")
    [[ $slow != 0 && $home/how.json -nt $RESULTS/began ]] || continue
    why="inconclusive: $DISTURBED"
    printf '%s: %s\n' "$key" "$why"
    rm -f "$home/grade.json"
    sed -i -E 's/"state":"[a-z_]*"/"state":"not_run"/; s/\}$/,"failed":"'"$why"'"}/' "$home/how.json"
  done < <(awk -v part="$SLURM_ARRAY_TASK_ID" '$1 == part { print $2 }' "$2")
  [[ -z $why ]] || requeue_once "The next run of grader/class grades it again."
}

grade_share() { # checkout, output, list
  local status=0 builds
  builds=$WORK/build/nodes/$(machine_key)
  RESULTS=$WORK/build/jobs/$SLURM_CLUSTER_NAME.$SLURM_JOB_ID
  mkdir -p "$builds" "$RESULTS" || { echo "$(uname -n) can't write into $WORK/build" && exit 3; }
  : >"$RESULTS/began"
  watch_device "$RESULTS"
  bats_on_path
  trap : TERM # the grader gets it too, and ends what it runs
  env -u BACKEND WORK="$builds" GRANTED="$GRANTED" "$1/grader/class" --part "$2" "$3" "$SLURM_ARRAY_TASK_ID" || status=$?
  if measures_here; then
    end_watch "$RESULTS"
    [[ -z $DISTURBED ]] || drop_slow "$2" "$3"
  fi
  return "$status"
}

main() {
  if (($# != 3)) || [[ -z ${SLURM_ARRAY_TASK_ID:-} ]]; then
    usage >&2
    exit 2
  fi
  [[ -x $1/grader/class ]] || { echo "$(uname -n) can't see $1: it must lie on a file system that the nodes share." && exit 3; }
  # What a job must know of its node is in jobs/run.sh: the GPU that it got, the modules, a folder for this kind of machine.
  # shellcheck source=jobs/run.sh
  source "$1/jobs/run.sh"
  # shellcheck source=jobs/device.bash
  source "$1/jobs/device.bash"
  WORK=${WORK:-${SLURM_SUBMIT_DIR:-$1}}
  echo "job $SLURM_ARRAY_JOB_ID, part $SLURM_ARRAY_TASK_ID on $(uname -n), $(date '+%F %T %Z')"
  if ((${SLURM_RESTART_COUNT:-0} > 1)); then
    echo "started a third time (a node failed, or the GPU was not its own): given up"
    exit 3
  fi
  read_record
  find_grant
  show_gpu
  load_modules
  BACKEND=${GRANTED:+cuda} ALONE=yes
  grade_share "$@"
}

main "$@"
