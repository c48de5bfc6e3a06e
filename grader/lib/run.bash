# run.bash: probes the GPU, runs the programs, and gathers what their reports say. Sourced by grader/check.
# shellcheck shell=bash

# No lesson takes this long; the programs themselves end a call that does not return (WB_TIME_LIMIT).
PROGRAM_LIMIT_S=${GRADER_TIME_LIMIT:-900}
read -ra EMULATOR <<<"${GRADER_EMULATOR:-}" # the words before a program of another processor: qemu-aarch64
STOP_MESSAGE= # why the sandbox ended a program
readonly TURNS='ONMLKJIHGFEDCBA@?>=<;:9876543210' # of tasks, for --turns; no lesson has as many

# Removes cuda from the list if --probe reports that no GPU can be used, and keeps the reason.
drop_unusable_gpu() {
  [[ -n ${BUILT[cuda]:-} ]] || return 0
  local answer=$TMP/run-probe.json reason message
  guard_run cuda probe 60
  start "$TMP/probe.log" "${GUARD[@]}" "$TMP/out/$LESSON-cuda" --probe --output "$BOX/run-probe.json"
  if await "looking for a GPU"; then
    rm -f "$BOX/run-probe.json" # no report of a task
    return 0
  fi
  take_report probe
  reason=$(jq -r '.reason // "other"' "$answer" 2>/dev/null) || reason=other
  message=$(jq -r '.message // empty' "$answer" 2>/dev/null) || message=
  [[ -n $message ]] ||
    message="the GPU did not answer (status $LAST_STATUS): $(head -c 300 "$TMP/probe.log" | tr '\n' ' ')"
  if [[ $BACKEND == cuda ]]; then
    explain_gpu "$reason" "$message"
  fi
  unset 'BUILT[cuda]'
  MISSING[cuda]="${reason:-other} $message"
  local kind kept=()
  for kind in "${KINDS[@]}"; do
    [[ $kind == cuda ]] || kept+=("$kind")
  done
  KINDS=("${kept[@]}")
}

explain_gpu() {
  local way_out
  case $1 in
    no_gpu) way_out="Use a machine with a GPU (\`sbatch jobs/run.sh\`), or omit --backend cuda." ;;
    no_driver) way_out="Have NVIDIA's driver installed on this machine, or omit --backend cuda." ;;
    driver_too_old) way_out="Load an older CUDA toolkit for this driver, or have the driver updated." ;;
    busy) way_out="Another program is using it: try again later, or request another GPU." ;;
    exclusive) way_out="Another process uses it in exclusive mode: end that, or request another GPU." ;;
    no_memory) way_out="Its memory is full: \`nvidia-smi\` shows which programs use it." ;;
    *) way_out="\`nvidia-smi\` may show more." ;;
  esac
  refuse "--backend cuda: $2" "$way_out"
}

# run_program KIND OUTPUT OPTION...: starts a program; its report is run-OUTPUT.json. COMMON_SEED: of its
# inputs.
run_program() {
  local kind=$1 output=$2
  shift 2
  [[ -z $TASK ]] || set -- "$@" --task "$TASK"
  # Only the user's seed is on the command line, where the learner's code could read it.
  [[ -z $SEED ]] || set -- "$@" --seed "$SEED"
  local layout=()
  [[ $kind != tsan ]] || fixed_layout
  guard_run "$kind" "$output" "$PROGRAM_LIMIT_S"
  if [[ -n ${COMMON_SEED:-} ]]; then
    printf '%s\n' "${COMMON_SEED# }" >"$BOX/seed-$output"
    set -- "$@" --seed-file "$BOX/seed-$output"
  fi
  start "$TMP/program-$output.log" "${GUARD[@]}" "${layout[@]}" "${EMULATOR[@]}" \
    "$TMP/out/$LESSON-$kind" --output "$BOX/run-$output.json" "$@"
}

# gcc's thread sanitizer stops at once on kernels that place memory very randomly (vm.mmap_rnd_bits=32). Sets
# layout to the command that turns this off for one program, if that is allowed.
fixed_layout() {
  if setarch "$(uname -m)" -R true 2>/dev/null; then
    layout=(setarch "$(uname -m)" -R)
  fi
}

# Runs cpu and cuda one after the other, since they are timed, and the sanitizers' builds at the same time.
# Status 1 and STOP_MESSAGE if the sandbox had to end one.
run_programs() {
  local kind late=() i
  count_parts
  for kind in "${KINDS[@]}"; do
    if [[ $kind == asan || $kind == tsan ]]; then
      late+=("$kind")
      continue
    fi
    if [[ $kind == cpu ]] && ((PARTS > 1)); then
      run_in_parts || return 1
    else
      run_program "$kind" "$kind"
      [[ $kind != cpu ]] || start_counting
      await "running $LESSON ($kind)" || true
      check_report "$kind" "${STATUSES[0]}" || return 1
    fi
  done
  for kind in "${late[@]}"; do
    run_program "$kind" "$kind" --no-timing
  done
  ((${#late[@]})) || return 0
  await "running $LESSON (${late[*]})" || true
  local statuses=("${STATUSES[@]}")
  for i in "${!late[@]}"; do
    check_report "${late[i]}" "${statuses[i]}" || return 1
  done
}

# count_parts: sets PARTS, how many programs of the CPU backend, which take turns at the tasks, run at the
# same time, and WORKERS, the threads of each that run blocks. Nothing is timed there.
count_parts() {
  PARTS=1
  [[ $PLAIN_C == false && -z $TASK ]] || return 0
  PARTS=$AT_ONCE
  WORKERS=${CUCC_WORKERS:-$(($(nproc 2>/dev/null || echo 1) / PARTS))}
}

# run_in_parts: as run_program for the CPU backend, by PARTS programs with the same seed. Each takes the next
# task, from the last one on: those are the longest as a rule. Makes one report, and one log, of theirs.
# Status 1 and STOP_MESSAGE as check_report.
run_in_parts() {
  local n=$PARTS k statuses reports=() logs=() INPUT COMMON_SEED=
  [[ -n $SEED ]] || COMMON_SEED=$(od -An -N8 -tx8 /dev/urandom)
  local -x CUCC_WORKERS=$WORKERS
  exec {INPUT}< <(printf '%s' "$TURNS")
  for ((k = 1; k <= n; k++)); do
    run_program cpu "cpu-$k" --turns
    reports+=("$TMP/run-cpu-$k.json") logs+=("$TMP/program-cpu-$k.log")
  done
  exec {INPUT}<&-
  INPUT= start_counting
  await "running $LESSON (cpu)" || true
  statuses=("${STATUSES[@]}")
  for ((k = 1; k <= n; k++)); do
    check_report "cpu-$k" "${statuses[k - 1]}" || return 1
  done
  cat -- "${logs[@]}" >"$TMP/program-cpu.log"
  jq -es '[.[].verdict] as $verdicts | [.[].tasks[]] as $tasks
    | select(all(.[]; .schema == "wb-run/2") and ($tasks | length) == (.[0].functions | length))
    | .[0] + {verdict: (if IN("wrong"; $verdicts[]) then "wrong" elif IN("right"; $verdicts[]) then "right"
          else $verdicts[0] end),
        tasks: [.[0].functions[] as $name | $tasks[] | select(.name == $name)]}' \
    "${reports[@]}" >"$TMP/run-cpu.json" 2>/dev/null ||
    refuse "the program (cpu) left no report." "$(tail -n 5 "$TMP/program-cpu.log" | tame)"
  rm -f -- "${reports[@]}" "${logs[@]}"
  rewrite_paths "$TMP/run-cpu.json" "$NAME"
}

# Stops with a message if a program left no report; run_in_parts looks into those of parts. Status 1 and
# STOP_MESSAGE if it passed a limit: that is a verdict.
check_report() {
  local report=$TMP/run-$1.json kind=${1%-*} message
  if [[ -n $(stopped "$1") ]]; then
    STOP_MESSAGE="$SHOWN was stopped while it ran ($kind): $(stopped "$1")."
    return 1
  fi
  take_report "$1"
  # A program that was killed left no report of its own.
  if [[ $2 =~ ^(0|1|3)$ && -s $report && $1 == cpu-* ]]; then return 0; fi
  if [[ $2 =~ ^(0|1|3)$ && -s $report ]] && jq -e '.schema == "wb-run/2"' "$report" >/dev/null 2>&1; then
    rewrite_paths "$report" "$NAME"
    return 0
  fi
  case $2 in
    124 | 137) message="the program ($kind) was stopped after $PROGRAM_LIMIT_S seconds and left no report." ;;
    3) message="the program ($kind) could not run here.$(full "$TMP")" ;;
    *) message="the program ($kind) left no report (status $2)." ;;
  esac
  refuse "$message" "$(tail -n 5 "$TMP/program-$1.log" | tame)"
}

# ---- What the reports say ----

# Writes GRADER_ANSWERS: everything that a check can ask (evaluate.jq), and facts.json: every run, the reasons
# why others are missing, the thresholds. Sets NOISY, the tasks with a threshold within the noise.
gather_facts() {
  local kind arguments=() missing=''
  [[ -f $TMP/compiled.json ]] || printf 'null' >"$TMP/compiled.json"
  for kind in "${KINDS[@]}"; do
    arguments+=(--slurpfile "run_$kind" "$TMP/run-$kind.json")
  done
  for kind in "${!MISSING[@]}"; do
    missing+="$kind ${MISSING[$kind]}"$'\n'
  done
  jq -nr -L "$GRADER_LIB" --arg lesson "$LESSON" --arg file "$NAME" --argjson plain_c "$PLAIN_C" \
    --arg missing "$missing" --slurpfile plan "$TMP/plan.json" --slurpfile compiled "$TMP/compiled.json" \
    "${arguments[@]}" '
    include "evaluate";
    {lesson: $lesson, file: $file, plain_c: $plain_c, thresholds: $plan[0].thresholds,
     compiled: $compiled[0],
     runs: ($ARGS.named
       | with_entries(select(.key | startswith("run_")) | .key |= ltrimstr("run_") | .value |= .[0])),
     missing: ([$missing | split("\n")[] | select(. != "")
       | capture("^(?<key>\\S+) (?<reason>\\S+) (?<message>.*)$")
       | {key, value: {reason, message}}] | from_entries)}
    | noisy, tojson, evaluation' >"$TMP/evaluation"
  local facts
  {
    read -r NOISY
    read -r facts && printf '%s\n' "$facts" >"$TMP/facts.json"
    cat >"$GRADER_ANSWERS"
  } <"$TMP/evaluation"
}

# Times the tasks again whose threshold lies within the noise: three times at most, and for 20 s on a GPU, 3 s
# on a CPU. Keeps the last times.
retry_noisy() {
  local kind=cuda limit_s=20 task turn since=$SECONDS
  [[ $PLAIN_C == false ]] || kind=cpu limit_s=3
  [[ -n ${BUILT[$kind]:-} ]] || return 0
  for turn in 1 2 3; do
    [[ -n $NOISY ]] || return 0
    for task in $NOISY; do
      ((SECONDS - since < limit_s)) || return 0
      time_again "$kind" "$task" "timing $task again ($turn of 3)"
    done
  done
}

# time_again KIND TASK LABEL: replaces the task's report by a new one.
time_again() {
  TASK='' run_program "$1" again --task "$2"
  await "$3" || true
  check_report again "${STATUSES[0]}" || return 0 # keep the old times
  jq --slurpfile again "$TMP/run-again.json" \
    '.tasks |= map(.name as $n
      | [$again[0].tasks[]? | select(.name == $n and .state != "not_run")][0] // .)' \
    "$TMP/run-$1.json" >"$TMP/merged.json"
  mv "$TMP/merged.json" "$TMP/run-$1.json"
  rm -f "$TMP/run-again.json"
  gather_facts
}
