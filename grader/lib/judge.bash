# judge.bash: runs Bats on the check page. Sourced by grader/check.
#
# Bats starts while the compiler runs, before there is anything to judge: starting takes as long as ten
# checks. check.bash waits until a line comes out of the pipe GRADER_GATE. Where there are several cores,
# Bats runs several times, each time with the checks of some tasks.
# shellcheck shell=bash

JUDGES=0

# count_at_once: sets AT_ONCE, the number of programs, or of judges, that run at the same time: at most one
# for each core and each task, and four (or GRADER_PARTS).
count_at_once() {
  local cores tasks
  AT_ONCE=${GRADER_PARTS:-4}
  [[ $AT_ONCE =~ ^[1-9][0-9]{0,3}$ ]] || bad_usage "GRADER_PARTS takes a number from 1 on, not \"$AT_ONCE\"."
  ((AT_ONCE > 1)) || return 0
  cores=$(nproc 2>/dev/null || echo 1) # a job may have fewer than the machine
  read -ra tasks <<<"$CHECKS_OF_TASKS"
  ((AT_ONCE <= cores)) || AT_ONCE=$cores
  ((AT_ONCE <= ${#tasks[@]})) || AT_ONCE=${#tasks[@]}
}

# Bats starts small programs five times and for each test, though bash can do their work: these functions
# replace them.
bats_without_processes() {
  # shellcheck disable=SC2317 # Bats calls them
  touch() { local file; for file; do : >>"$file"; done; }
  # shellcheck disable=SC2317
  basename() { printf '%s\n' "${1##*/}"; }
  # shellcheck disable=SC2317
  dirname() { printf '%s\n' "${1%/*}"; }
  # shellcheck disable=SC2317
  ln() { :; } # a note for people, of which file a folder is
  # shellcheck disable=SC2317
  readlink() { # -f FILE
    if [[ $2 == /* && ! -L $2 ]]; then printf '%s\n' "$2"; else command readlink "$@"; fi
  }
  export -f touch basename dirname ln readlink
}

# start_judging: starts the judges. Each task goes to the one with the fewest checks so far.
start_judging() {
  local task k least shares=() filters=() filter
  count_at_once
  for task in $CHECKS_OF_TASKS; do
    least=0
    for ((k = 1; k < AT_ONCE; k++)); do
      ((${shares[k]:-0} >= ${shares[least]:-0})) || least=$k
    done
    filters[least]+="--filter-tags task:${task%:*} "
    shares[least]=$((${shares[least]:-0} + ${task#*:}))
  done
  JUDGES=${#filters[@]}
  GRADER_ANSWERS=$TMP/answers GRADER_RESULTS=$TMP/results GRADER_GATE=$TMP/gate GRADER_PID=$$
  export GRADER_ANSWERS GRADER_RESULTS GRADER_GATE GRADER_PID
  : >"$GRADER_RESULTS"
  mkfifo "$GRADER_GATE"
  bats_without_processes
  for k in "${!filters[@]}"; do
    read -ra filter <<<"${filters[k]}"
    TMPDIR=$TMP/bats start "$TMP/checks-$k.tap" "$BATS" --no-tempdir-cleanup --tap "${filter[@]}" \
      "$ROOT/grader/checks/$LESSON.bats"
  done
  unset -f touch basename dirname ln readlink
  set_aside
}

# Lets the judges see the answers, and waits for them.
let_judge() {
  local gate k
  : >"$GRADER_GATE.open"
  exec {gate}<>"$GRADER_GATE"
  for ((k = 0; k < JUDGES; k++)); do echo; done >&"$gate"
  take_back
  await "judging" || true
  exec {gate}<&-
}

# Prints what the judges printed as one report in TAP.
join_reports() {
  local line number=0 k
  printf '1..%d\n' "$TESTS"
  for ((k = 0; k < JUDGES; k++)); do
    while IFS= read -r line; do
      [[ ! $line =~ ^((not )?ok\ )[0-9]+(.*)$ ]] ||
        line=${BASH_REMATCH[1]}$((++number))${BASH_REMATCH[3]}
      [[ $line == 1..* ]] || printf '%s\n' "$line"
    done <"$TMP/checks-$k.tap"
  done
}

# Runs the check page on the reports. Writes a line for each test to results, and the output of Bats to
# checks.tap.
run_checks() {
  gather_facts
  retry_noisy
  let_judge
  join_reports >"$TMP/checks.tap"
  keep_files
  local got results broken='' line sentence state text
  mapfile -t results <"$GRADER_RESULTS"
  got=${#results[@]}
  ((got == TESTS)) ||
    stop 3 "only $got of $TESTS checks finished: an error in grader/checks/$LESSON.bats, in $BATS or on \
this machine.$(full "$TMP")" "$(tail -n 20 "$TMP/checks.tap")"
  for line in "${results[@]}"; do
    IFS=$'\t' read -r sentence state _ _ text <<<"$line"
    [[ $state != error ]] || broken+="$sentence: $text"$'\n'
  done
  [[ -z $broken ]] || stop 3 "an error in grader/checks/$LESSON.bats, not in your file:" "${broken%$'\n'}"
}
