# class-slurm.bash: grading in a Slurm job array. Sourced by grader/class.
#
# The jobs of the array (jobs/class.sh) take their parts from a list in OUTPUT/.slurm and leave verdicts in
# OUTPUT/grades, as local workers do. This side submits, waits, and submits the rest once more when a node
# failed. A run that was killed finds its array by OUTPUT/.slurm/job and waits for it.
# shellcheck shell=bash disable=SC2153  # NAME, the learner's file, is set by options.bash

readonly MAX_JOBS=200 # in one array: clusters limit how many a user may have in the queue
JOB=''                # the array; when it is on another cluster (-M), SLURM_CLUSTERS names that

grade_by_slurm() {
  local command
  for command in sbatch squeue scontrol; do
    command -v "$command" >/dev/null ||
      stop 3 "--slurm: there is no $command here. Run this on the cluster's login node, or without --slurm."
  done
  mkdir -p "$OUTPUT/.slurm"
  : >"$OUTPUT/.slurm/since" # on the same disk, and so by the same clock, as the verdicts
  start_progress
  if [[ -s $OUTPUT/.slurm/job ]]; then
    set_job "$(<"$OUTPUT/.slurm/job")"
    note "looking for job $JOB of the previous run"
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

# Sets TODO to those that still have no verdict.
remaining() {
  local key left=()
  find_tried
  for key in "${TODO[@]}"; do
    [[ -n ${TRIED[$key]:-} ]] || left+=("$key")
  done
  TODO=("${left[@]}")
}

# Sets TRIED[key] for those of TODO that are finished: they have a verdict, or a reason of this run why they
# have none.
find_tried() {
  local key
  declare -gA TRIED=()
  while read -r key; do TRIED[$key]=yes; done < <(kept "${TODO[@]}")
  for key in "${TODO[@]}"; do
    [[ ! $OUTPUT/grades/$key/how.json -nt $OUTPUT/.slurm/since ]] || TRIED[$key]=yes
  done
}

# Submits TODO, with as many submissions for each job as the limit of the array requires.
submit_array() {
  local n=${#TODO[@]} jobs per script=$WORK/jobs/class.sh options=() words text
  local throttle=${OPTION[throttle]:+%${OPTION[throttle]}}
  jobs=$((n < MAX_JOBS ? n : MAX_JOBS))
  per=$(((n + jobs - 1) / jobs))
  jobs=$(((n + per - 1) / per))
  [[ -f $script ]] || script=$ROOT/jobs/class.sh
  LIST_FILE=$OUTPUT/.slurm/list.$(date +%s%N)
  printf '%s\n' "${TODO[@]}" | awk -v per="$per" '{ print int((NR - 1) / per) + 1, $1 }' >"$LIST_FILE"
  # The time limit of the profile is for one grading.
  ((per == 1)) || options+=("--time=$((10 + 2 * per))")
  if [[ $BACKEND == cpu || $PLAIN_C == true ]]; then
    read -ra words < <(sed -n 's/^# without a GPU: //p' "$script") || words=(--gres=none)
    options+=("${words[@]}")
  elif [[ $(lesson_facts gpus "$LESSON" || true) == 2 ]]; then
    # A part of a class is graded on one node, so a second node would have nothing to do.
    read -ra words < <(sed -n '/ -N 2 /d; s/^# with two GPUs: //p' "$script") || words=()
    options+=("${words[@]}")
  fi
  { cd "$WORK" && mkdir -p jobs/logs; } || stop 3 "cannot write into $WORK/jobs."
  if ! text=$(sbatch --parsable --job-name="class-$LESSON" --array="1-$jobs$throttle" \
    --requeue --output=jobs/logs/class-%A_%a.log "${options[@]}" \
    "$script" "$ROOT" "$OUTPUT" "$LIST_FILE" 2>&1); then
    stop 3 "Slurm did not accept the jobs:" "$text" \
      "Nothing is lost; the same command continues. \`make cluster\` sets what jobs ask for (jobs/README.md)."
  fi
  set_job "$(tail -n 1 <<<"$text")"
  tail -n 1 <<<"$text" >"$OUTPUT/.slurm/job"
  text=
  ((per == 1)) || text=", $per submissions each"
  note "job $JOB: $jobs in an array$text; logs in ${WORK#"$PWD/"}/jobs/logs/class-${JOB}_*.log"
}

# set_job NUMBER[;CLUSTER]: in the form of sbatch --parsable. squeue, scontrol and scancel use SLURM_CLUSTERS.
set_job() {
  JOB=${1%%;*}
  [[ $1 != *';'* ]] || export SLURM_CLUSTERS=${1#*;}
}

# True while a job of the array waits or runs. When Slurm does not answer, it is asked again for ten minutes.
still_queued() {
  local text
  for _ in {1..60}; do
    if text=$(squeue --noheader --jobs="$JOB" --format=%t 2>&1); then
      [[ -n $text ]]
      return
    fi
    [[ $text != *[Ii]nvalid\ job\ id* ]] || return 1
    sleep "${CLASS_ASK_S:-10}"
  done
  stop 3 "Slurm does not answer: $text" "Its jobs may continue; the same command looks for them."
}

# Waits until the array has ended, and prints each verdict.
await_array() {
  local key queued=yes
  while [[ $queued == yes ]]; do
    still_queued || queued=no
    print_ended
    show_bar "${#TODO[@]}"
    [[ $queued == no ]] || sleep "${CLASS_POLL_S:-5}" 8>&- # sleep must not hold the lock
  done
}

# Prints those of TODO that are finished, and removes them from it.
print_ended() {
  local key left=()
  find_tried
  for key in "${TODO[@]}"; do
    if [[ -n ${TRIED[$key]:-} ]]; then ended_one "$key"; else left+=("$key"); fi
  done
  TODO=("${left[@]}")
}

# Handles those without a verdict after the array has ended: submits them once more when the node failed, or
# when the job ended before it reached them; otherwise how.json gets the reason.
again_after_failures() {
  local key state again=()
  for key in "${TODO[@]}"; do
    state=$(state_of "$key")
    if [[ $state != CANCELLED ]] &&
      [[ ! -e $OUTPUT/grades/$key/.tries || ${state:-NODE_FAIL} =~ ^(NODE_FAIL|BOOT_FAIL|PREEMPTED)$ ]]; then
      again+=("$key")
    else
      give_up "$key" "its job ended: $state; $(log_of "$key")"
    fi
  done
  ((${#again[@]})) || return 0
  note "${#again[@]} have no verdict, since a node failed or a job ended too soon: submitting them once more."
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

# Prints Slurm's state of the job that had KEY.
state_of() {
  scontrol --oneliner show job "${JOB}_$(part_of "$1")" 2>/dev/null |
    sed -n 's/.* JobState=\([A-Z_]*\).*/\1/p' | head -n 1 || true
}

give_up() {
  local home=$OUTPUT/grades/$1 tries=1
  mkdir -p "$home"
  rm -f "$home/grade.json"
  [[ ! -s $home/.tries ]] || read -r tries <"$home/.tries"
  not_graded "$1" '' "$tries" '' "$2" >"$home/how.json"
  rm -f "$home/.tries"
  ended_one "$1"
}

cancel_jobs() {
  [[ -z $JOB ]] || ! scancel "$JOB" 2>/dev/null || rm -f "$OUTPUT/.slurm/job"
}
