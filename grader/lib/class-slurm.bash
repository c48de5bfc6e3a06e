# class-slurm.bash: grading in a Slurm job array. Sourced by grader/class.
#
# The array's jobs (jobs/class.sh) take their shares from a list in OUTPUT/.slurm and leave verdicts in OUTPUT/grades as local
# workers do; this side submits, looks on, and submits once more what a failing node left undone. A run that was killed
# finds its array by OUTPUT/.slurm/job and waits for it.
# shellcheck shell=bash disable=SC2034,SC2153  # variables go from file to file

readonly MAX_JOBS=200 # in one array: clusters limit how many a user may have in the queue
JOB=''                # the array that is waited for; on another cluster, where -M led, SLURM_CLUSTERS names that

grade_by_slurm() {
  local command missing
  for command in sbatch squeue scontrol; do
    command -v "$command" >/dev/null || stop 3 "--slurm: there is no $command here. Call it on the cluster's login node, or leave --slurm away."
  done
  mkdir -p "$OUTPUT/.slurm"
  : >"$OUTPUT/.slurm/since" # on the disk whose clock the verdicts have, too
  start_progress
  if [[ -s $OUTPUT/.slurm/job ]]; then
    set_job "$(<"$OUTPUT/.slurm/job")"
    note "looking for job $JOB of the run before"
    await_array
  fi
  remaining
  if ((${#TODO[@]})); then
    submit_array
    await_array
    again_after_failures
  fi
  clear_progress_line
  rm -f "$OUTPUT/.slurm/job"
  JOB=''
}

# Sets TODO to what has still no verdict.
remaining() {
  local key left=()
  for key in "${TODO[@]}"; do
    tried "$key" || left+=("$key")
  done
  TODO=("${left[@]}")
}

# True when KEY has an end: a verdict, or in this run the reason why there is none.
tried() { is_done "$1" || [[ $OUTPUT/grades/$1/how.json -nt $OUTPUT/.slurm/since ]]; }

# Submits TODO, so many a job that the array stays within its limit.
submit_array() {
  local n=${#TODO[@]} jobs per script=$WORK/jobs/class.sh options=() words text
  jobs=$((n < MAX_JOBS ? n : MAX_JOBS))
  per=$(((n + jobs - 1) / jobs))
  jobs=$(((n + per - 1) / per))
  [[ -f $script ]] || script=$ROOT/jobs/class.sh
  LIST_FILE=$OUTPUT/.slurm/list.$(date +%s%N)
  printf '%s\n' "${TODO[@]}" | awk -v per="$per" '{ print int((NR - 1) / per) + 1, $1 }' >"$LIST_FILE"
  # The profile's time limit is meant for one grading.
  ((per == 1)) || options+=("--time=$((10 + 2 * per))")
  if [[ $BACKEND == cpu || $PLAIN_C == true ]]; then
    read -ra words < <(sed -n 's/^# without a GPU: //p' "$script") || words=(--gres=none)
    options+=("${words[@]}")
  fi
  { cd "$WORK" && mkdir -p jobs/logs; } || stop 3 "cannot write into $WORK/jobs."
  if ! text=$(sbatch --parsable --job-name="class-$LESSON" --array="1-$jobs${THROTTLE:+%$THROTTLE}" --requeue \
    --output=jobs/logs/class-%A_%a.log "${options[@]}" "$script" "$ROOT" "$OUTPUT" "$LIST_FILE" 2>&1); then
    stop 3 "Slurm did not take the jobs:" "$text" \
      "Nothing is lost; the same command goes on. \`make cluster\` sets what jobs ask for (jobs/README.md)."
  fi
  set_job "$(tail -n 1 <<<"$text")"
  tail -n 1 <<<"$text" >"$OUTPUT/.slurm/job"
  note "job $JOB: $jobs in an array$( ((per == 1)) || printf ', %d submissions each' "$per"); logs in ${WORK#"$PWD/"}/jobs/logs/class-${JOB}_*.log"
}

# set_job NUMBER[;CLUSTER]: as sbatch tells it. squeue, scontrol and scancel go by SLURM_CLUSTERS.
set_job() {
  JOB=${1%%;*}
  [[ $1 != *';'* ]] || export SLURM_CLUSTERS=${1#*;}
}

# True while a job of the array waits or runs. A Slurm that doesn't answer for a while is asked again, for ten minutes.
still_queued() {
  local text turn
  for turn in {1..60}; do
    if text=$(squeue --noheader --jobs="$JOB" --format=%t 2>&1); then
      [[ -n $text ]]
      return
    fi
    [[ $text != *[Ii]nvalid\ job\ id* ]] || return 1
    sleep "${CLASS_ASK_S:-10}"
  done
  stop 3 "Slurm does not answer: $text" "Its jobs may go on; the same command looks for them."
}

# Waits until the array has ended, and says what has a verdict meanwhile.
await_array() {
  local key queued=yes
  while [[ $queued == yes ]]; do
    still_queued || queued=no
    remaining_and_told
    show_bar "${#TODO[@]}"
    [[ $queued == no ]] || sleep "${CLASS_POLL_S:-5}" 8>&- # the lock is not its own
  done
}

remaining_and_told() {
  local key left=()
  for key in "${TODO[@]}"; do
    if tried "$key"; then ended_one "$key"; else left+=("$key"); fi
  done
  TODO=("${left[@]}")
}

# What has no verdict although the array has ended: submitted once more where the node failed, or where the job ended before
# it came to them; else how.json gets the reason.
again_after_failures() {
  local key state again=()
  for key in "${TODO[@]}"; do
    state=$(state_of "$key")
    if [[ ! -e $OUTPUT/grades/$key/.tries || ${state:-NODE_FAIL} =~ ^(NODE_FAIL|BOOT_FAIL|PREEMPTED)$ ]] && [[ $state != CANCELLED ]]; then
      again+=("$key")
    else
      give_up "$key" "its job ended: $state; $(log_of "$key")"
    fi
  done
  ((${#again[@]})) || return 0
  note "${#again[@]} have no verdict, since a node failed or a job ended too soon: submitted once more."
  TODO=("${again[@]}")
  submit_array
  await_array
  for key in "${TODO[@]}"; do
    state=$(state_of "$key")
    give_up "$key" "its job ended twice: ${state:-Slurm does not know how}; $(log_of "$key")"
  done
}

part_of() { awk -v key="$1" '$2 == key { print $1 }' "$LIST_FILE"; }
log_of() { printf 'jobs/logs/class-%s_%s.log' "$JOB" "$(part_of "$1")"; }

# The state of the job that had KEY, as Slurm remembers it.
state_of() {
  scontrol --oneliner show job "${JOB}_$(part_of "$1")" 2>/dev/null | sed -n 's/.* JobState=\([A-Z_]*\).*/\1/p' | head -n 1 || true
}

give_up() {
  mkdir -p "$OUTPUT/grades/$1"
  rm -f "$OUTPUT/grades/$1/grade.json"
  how_it_ended "$1" not_run '' "$(cat "$OUTPUT/grades/$1/.tries" 2>/dev/null || echo 1)" '' "could not be graded: $2" \
    >"$OUTPUT/grades/$1/how.json"
  rm -f "$OUTPUT/grades/$1/.tries"
  ended_one "$1"
}

cancel_jobs() {
  [[ -z $JOB ]] || ! scancel "$JOB" 2>/dev/null || rm -f "$OUTPUT/.slurm/job"
}
