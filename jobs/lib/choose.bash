# choose.bash: what a job grades, and on which backend. Sourced by grade-in-job.
# shellcheck shell=bash

# ---- What is graded: sets LESSON, SUBMISSION and WHY ----

# newest PATTERN LATEST: prints the newest snapshot of this lesson (a pattern) that is not later than that
# second. Slurm's clock shows whole seconds, the snapshots' names milliseconds. A snapshot of the same second
# counts as earlier, since `make lesson05 && sbatch jobs/run.sh` often takes less than a second.
newest() {
  local dir stamp found='' same=0
  # shellcheck disable=SC2231 # $1 is a pattern
  for dir in "$WORK"/build/snapshots/*-$1; do
    stamp=${dir##*/}
    stamp=${stamp%%.*}
    [[ -d $dir && $stamp =~ ^[0-9]{8}T[0-9]{6}$ && ! $stamp > $2 ]] || continue
    [[ $stamp == "$2" ]] && same=$((same + 1))
    found=$dir
  done
  printf '%s\n' "$found"
  ((same < 2)) || echo "note: $same snapshots were made in the second in which the job was submitted;" \
    "the last was taken. Name a lesson to be sure." >&2
}

# Sets LIMIT (UTC, as in snapshots' names), LIMIT_TEXT (which moment that is) and LIMIT_WHY: later snapshots
# are not taken.
find_limit() {
  local submitted
  submitted=$(field SubmitTime)
  LIMIT=$(date -u +%Y%m%dT%H%M%S) LIMIT_TEXT='now' LIMIT_WHY='the newest there is'
  if ! in_job || [[ $(field BatchFlag) == 0 ]]; then
    return # an interactive job begins before the snapshots that it grades
  elif [[ $submitted =~ ^[0-9]+$ ]]; then
    LIMIT=$(date -u -d "@$submitted" +%Y%m%dT%H%M%S)
    LIMIT_TEXT="the job's submission, $(date -d "@$submitted" '+%F %T %Z')"
    LIMIT_WHY="the newest not later than $LIMIT_TEXT"
  else
    [[ ! ${SLURM_JOB_START_TIME:-} =~ ^[0-9]+$ ]] ||
      LIMIT=$(date -u -d "@$SLURM_JOB_START_TIME" +%Y%m%dT%H%M%S)
    LIMIT_TEXT="the job's start"
    submitted=$(record_error)
    LIMIT_WHY="the newest at $LIMIT_TEXT, as the time of submission is unknown (${submitted:-no SubmitTime})"
  fi
}

no_snapshot() { # the lesson, or a pattern for any
  local later text=("there is no snapshot of $1 in $WORK/build/snapshots.")
  [[ $1 != 'lesson[0-9][0-9]' ]] || text=("there is no snapshot in $WORK/build/snapshots.")
  later=$(newest "$1" 99991231T235959)
  [[ -z $later ]] || text=("every snapshot is later than $LIMIT_TEXT; the newest is ${later##*/}."
    "Do the clocks of the login node and of Slurm differ? Then name the snapshot:"
    "sbatch jobs/run.sh build/snapshots/${later##*/}")
  die 2 "${text[@]}" \
    "\`make lesson05 && sbatch jobs/run.sh\` builds your file, leaves a snapshot, and submits." \
    "Lessons: $(lessons | paste -sd' ')"
}

# The snapshot that this job takes, for when Slurm starts it again: a requeued job has a new SubmitTime. Sets
# MEMORY.
find_memory() {
  MEMORY=$WORK/build/jobs/${SLURM_CLUSTER_NAME:-}.${SLURM_JOB_ID:-}/snapshot${LESSON:+-$LESSON}
}

choose() { # [LESSON|SNAPSHOT]
  LESSON=''
  find_limit
  if [[ ${1-} =~ ^lesson[^/]*$ ]]; then
    LESSON=$1
    is_lesson "$LESSON" || die 2 "there is no $LESSON. Lessons: $(lessons | paste -sd' ')"
  fi
  find_memory
  if [[ -n $LESSON && -n $SOLUTION ]]; then
    SUBMISSION=$ROOT/solutions/$LESSON WHY='--solution: the reference solution'
  elif [[ -n ${1-} && -z $LESSON ]]; then
    SUBMISSION=$1 WHY='named on the command line'
  elif [[ ${SLURM_RESTART_COUNT:-0} -gt 0 && -s $MEMORY && -d $(<"$MEMORY") ]]; then
    SUBMISSION=$(<"$MEMORY") WHY="the same as before the job was requeued"
  elif [[ -n $LESSON ]]; then
    SUBMISSION=$(newest "$LESSON" "$LIMIT") WHY="$LIMIT_WHY"
    [[ -n $SUBMISSION ]] ||
      SUBMISSION=$WORK/lessons/$LESSON WHY='no snapshot of this lesson: your file as it is now'
    [[ -d $SUBMISSION ]] || no_snapshot "$LESSON"
  else
    SUBMISSION=$(newest 'lesson[0-9][0-9]' "$LIMIT") WHY=$LIMIT_WHY
    [[ -n $SUBMISSION ]] || no_snapshot 'lesson[0-9][0-9]'
  fi
  if [[ -z $LESSON ]]; then
    LESSON=${SUBMISSION##*-}
    is_lesson "$LESSON" ||
      die 2 "$SUBMISSION does not end in -lessonNN, as snapshots do, so its lesson is unknown." \
        "Give a lesson (sbatch jobs/run.sh lesson05) or a folder in $WORK/build/snapshots."
  fi
  in_job || return 0
  { mkdir -p "${MEMORY%/*}" && printf '%s\n' "$SUBMISSION" >"$MEMORY"; } ||
    die 3 "$(uname -n) can't write into $WORK/build."
}

# ---- The backend: sets BACKEND and BACKEND_WHY ----

choose_backend() {
  local wish=${BACKEND:-auto}
  [[ $wish =~ ^(auto|cpu|cuda)$ ]] || die 2 "BACKEND=$wish: it can be cpu, cuda or auto."
  if [[ $(lesson_file "$LESSON" || true) == *.c ]]; then
    BACKEND=auto BACKEND_WHY="$LESSON is plain C and runs on the CPU"
    [[ -z $GRANTED ]] ||
      BACKEND_WHY+="; it does not use the GPU of this job, so next time: sbatch $(without_gpu) jobs/run.sh"
  elif [[ $wish == cpu ]]; then
    BACKEND=cpu BACKEND_WHY='BACKEND=cpu is set: correctness only, no speed'
  elif [[ $wish == cuda ]]; then
    BACKEND=cuda BACKEND_WHY='BACKEND=cuda is set'
  elif [[ -n $GRANTED ]]; then
    BACKEND=cuda BACKEND_WHY='Slurm granted a GPU, so speed is measured on it'
    [[ -n ${SLURMD_NODENAME:-} ]] || die 3 "job $SLURM_JOB_ID has a GPU, but this shell is not on its node." \
      "Go there first: srun --pty bash; or run it there: srun bash jobs/run.sh $LESSON"
  elif in_job; then
    BACKEND=cpu BACKEND_WHY='the job did not ask for a GPU: correctness only, no speed'
  else
    BACKEND=auto BACKEND_WHY='uses a GPU if there is one'
  fi
}

show_choice() {
  say grading "$SUBMISSION"
  say '' "($WHY)"
}

show_backend() { say backend "$BACKEND ($BACKEND_WHY)"; }
