# grade.bash: what the checks are, and making and printing grade.json. Sourced by grader/check.
# shellcheck shell=bash disable=SC2034,SC2153  # variables go from file to file

# Writes plan.json: the tests to expect, the thresholds, the hints. Refuses a task that the lesson does not have.
read_checks() {
  local checks=$ROOT/grader/checks/$LESSON page=$ROOT/lessons/$LESSON/README.md tasks
  [[ $TASK != further ]] || TASK=0
  [[ -f $page ]] || page=/dev/null
  [[ -f $checks.thresholds ]] || stop 3 "grader/checks/$LESSON.thresholds is missing: this checkout is incomplete."
  jq -n -L "$GRADER_LIB" --rawfile tests "$checks.bats" --rawfile thresholds "$checks.thresholds" --rawfile page "$page" \
    --arg name "grader/checks/$LESSON.thresholds" --arg task "$TASK" 'include "lesson";
      {tests: ($tests | tests), thresholds: ($thresholds | thresholds($name)), hints: ($page | hints)}
      | .tasks = ([.tests[].task] | unique | map(if . == 0 then "further" else tostring end))
      | if all(.tests[]; .task != null and .points != null and .sentence != null) and (.tests | length) > 0
           and ([.tests[].sentence] | length == (unique | length)) then . else
          error("each test needs test_tags=task:N,points:M above it and a sentence of its own") end
      | if $task != "" then .tests |= map(select(.task == ($task | tonumber? // -1))) else . end' \
    >"$TMP/plan.json" 2>"$TMP/plan.log" || stop 3 "grader/checks/$LESSON.bats: $(<"$TMP/plan.log")"
  tasks=$(jq -r 'if (.tests | length) == 0 then .tasks | sort_by(. == "further") | join(", ") else "" end' "$TMP/plan.json")
  [[ -z $tasks ]] || bad_usage "$LESSON has no task \"$TASK\"; it has $tasks."
}

# repeat_command SEED: the command that repeats this verdict.
repeat_command() {
  local words=("$SELF" "$LESSON") backend=cpu
  [[ $SOLUTION == no ]] || words+=(--solution)
  [[ -z $SUBMISSION ]] || words+=(--submission "$SUBMISSION")
  [[ -z ${BUILT[cuda]:-} ]] || backend=cuda
  words+=(--backend "$backend")
  [[ $SANDBOX == none ]] || words+=(--sandbox "$SANDBOX")
  [[ -z $TASK ]] || words+=(--task "$TASK")
  [[ -z $1 ]] || words+=(--seed "$1")
  # A class run builds where it likes; the inputs are the same anywhere.
  [[ $WORK == "$ROOT" || -n ${GRADER_SELF:-} ]] || printf 'WORK=%q ' "$WORK"
  printf '%q ' "${words[@]}" | sed 's/ $//'
}

next_lesson() {
  lessons | awk -v this="$LESSON" 'found == 1 { print; found = 2 } $0 == this { found = 1 }'
}

# The seed that repeats this verdict: of the first run that was wrong, else of the one that took the time.
seed_of_verdict() {
  jq -r --arg seed "$SEED" '[.runs | .cuda, .cpu | values] as $runs
    | if $seed != "" then $seed else ([$runs[] | select(.verdict == "wrong")] + $runs)[0].seed // "" end' "$TMP/facts.json"
}

# make_grade STATE MESSAGE: writes grade.json from plan, facts and results.
make_grade() {
  local kind built seed file=$TMP/facts.json
  [[ -f $file ]] || printf '{"runs": {}, "missing": {}}' >"$file"
  [[ -f $TMP/results.jsonl ]] || : >"$TMP/results.jsonl"
  seed=$(seed_of_verdict)
  built=$(for kind in "${KINDS[@]}"; do printf '%s %s\n' "$kind" "${BUILT[$kind]}"; done)
  jq -n -L "$GRADER_LIB" --slurpfile facts "$file" --slurpfile plan "$TMP/plan.json" --slurpfile results "$TMP/results.jsonl" \
    --arg state "$1" --arg message "$2" --arg lesson "$LESSON" --arg file "$SHOWN" --arg name "$NAME" --arg built "$built" \
    --arg date "$(date -u +%Y-%m-%dT%H:%M:%SZ)" --arg seed "$seed" --arg task "$TASK" --arg self "$SELF" --arg sandbox "$SANDBOX" \
    --argjson hints "$HINTS" --arg following "$(next_lesson)" --arg repeat "$(repeat_command "$seed")" \
    --arg solution "$([[ -f $ROOT/solutions/$LESSON/$NAME ]] && printf 'solutions/%s/%s' "$LESSON" "$NAME")" \
    'include "grade"; grade' >"$TMP/grade.json"
}

# report STATE MESSAGE: makes grade.json, keeps it where asked, prints the chosen format. Its status is the grade's.
report() {
  make_grade "$1" "$2"
  keep_files
  convert "$FORMAT" "$TMP/grade.json" "$SECONDS"
  has_said_why
  case $(jq -r '.verdict' "$TMP/grade.json") in
    pass) return 0 ;;
    fail) return 1 ;;
    *) stop 3 "no check could be measured here, so there is no verdict." ;;
  esac
}

# refuse MESSAGE...: could not grade. The machine formats say so too.
refuse() {
  local message
  printf -v message '%s\n' "$@"
  make_grade not_run "${message%$'\n'}"
  keep_files
  [[ $FORMAT == pretty ]] || is_score_format "$FORMAT" || convert "$FORMAT" "$TMP/grade.json" "$SECONDS"
  stop 3 "$@"
}

# Copies what --keep asked for; the verdict on the learner's own whole file is kept for `make list` too.
keep_files() {
  if [[ -n $KEEP ]]; then
    local file
    for file in "$TMP"/grade.json "$TMP"/run-*.json "$TMP"/build-*.log "$TMP"/program-*.log "$TMP"/checks.tap; do
      [[ ! -f $file ]] || cp -- "$file" "$KEEP/"
    done
  fi
  if [[ $SOLUTION == no && -z $SUBMISSION && -z $TASK && -f $TMP/grade.json ]]; then
    mkdir -p "$WORK/build/grades"
    cp "$TMP/grade.json" "$WORK/build/grades/.$LESSON.$$" && mv "$WORK/build/grades/.$LESSON.$$" "$WORK/build/grades/$LESSON.json"
  fi
}
