# grade.bash: reads the checks; makes and prints grade.json. Sourced by grader/check.
# shellcheck shell=bash

# Writes plan.json (lesson.jq): the checks, the thresholds and the hints; with --task, only those of that
# task. Sets TESTS to the number of checks, and CHECKS_OF_TASKS to those of each task: "0:3 1:6".
read_checks() {
  local checks=$ROOT/grader/checks/$LESSON page=$ROOT/lessons/$LESSON/README.md status=0
  [[ $TASK != further ]] || TASK=0
  [[ -f $page ]] || page=/dev/null
  [[ -f $checks.thresholds ]] ||
    stop 3 "grader/checks/$LESSON.thresholds is missing: this checkout is incomplete."
  jq -nr -L "$GRADER_LIB" --rawfile page "$checks.bats" --rawfile thresholds "$checks.thresholds" \
    --rawfile readme "$page" --arg name "grader/checks/$LESSON.thresholds" --arg task "$TASK" '
    include "lesson";
    plan($page; $thresholds; $name; $readme) | of_task($task)
      | (.tests | length), ([.tests[].task] | group_by(.) | map("\(.[0]):\(length)") | join(" ")), .' \
    >"$TMP/plan" 2>"$TMP/plan.log" || status=$?
  case $status in
    0) ;;
    4) bad_usage "$LESSON has no task \"$TASK\"; it has $(<"$TMP/plan.log")." ;;
    *) stop 3 "grader/checks/$LESSON.bats: $(<"$TMP/plan.log")" ;;
  esac
  {
    read -r TESTS
    read -r CHECKS_OF_TASKS
    cat >"$TMP/plan.json"
  } <"$TMP/plan"
}

# repeat_command: the command that repeats this verdict, without the seed.
repeat_command() {
  local words=("$SELF" "$LESSON") backend=cpu text
  [[ $SOLUTION == no ]] || words+=(--solution)
  [[ -z $SUBMISSION ]] || words+=(--submission "$SUBMISSION")
  [[ -z ${BUILT[cuda]:-} ]] || backend=cuda
  words+=(--backend "$backend")
  [[ $SANDBOX == none ]] || words+=(--sandbox "$SANDBOX")
  [[ -z $TASK ]] || words+=(--task "$TASK")
  # A class run builds in a folder of its own; the inputs are the same in any folder.
  [[ $WORK == "$ROOT" || -n ${GRADER_SELF:-} ]] || printf 'WORK=%q ' "$WORK"
  printf -v text '%q ' "${words[@]}"
  printf '%s' "${text% }"
}

next_lesson() {
  local name found=no
  while read -r name; do
    [[ $found == no ]] || { printf '%s' "$name" && return; }
    [[ $name != "$LESSON" ]] || found=yes
  done < <(lessons)
}

# make_grade STATE MESSAGE: writes grade.json, one line, from plan, facts and results, and for --format json
# grade.lines, the same in many lines; sets VERDICT.
make_grade() {
  local line kind built date following file=$TMP/facts.json known=$ROOT/grader/checks/$LESSON.mistakes
  [[ -f $file ]] || printf '{"runs": {}, "missing": {}}' >"$file"
  [[ -f $known ]] || known=/dev/null
  : >>"$TMP/answers"
  : >>"$TMP/results"
  TZ=UTC printf -v date '%(%Y-%m-%dT%H:%M:%SZ)T' -1
  following=$(next_lesson)
  built=$(for kind in "${KINDS[@]}"; do printf '%s %s\n' "$kind" "${BUILT[$kind]}"; done)
  jq -nr -L "$GRADER_LIB" --slurpfile facts "$file" --slurpfile plan "$TMP/plan.json" \
    --slurpfile mistakes "$known" --rawfile answers "$TMP/answers" --rawfile results "$TMP/results" \
    --arg state "$1" --arg message "$2" --arg warnings "$WARNINGS" \
    --arg lesson "$LESSON" --arg file "$SHOWN" --arg name "$NAME" --arg built "$built" \
    --arg date "$date" --arg seed "$SEED" --arg task "$TASK" --arg self "$SELF" --arg sandbox "$SANDBOX" \
    --argjson hints "$HINTS" --arg format "$FORMAT" --arg following "$following" \
    --arg repeat "$(repeat_command)" \
    --arg solution "$([[ -f $ROOT/solutions/$LESSON/$NAME ]] && printf 'solutions/%s/%s' "$LESSON" "$NAME")" \
    'include "grade"; grade | .verdict, tojson, (select($format == "json"))' >"$TMP/grade"
  {
    read -r VERDICT
    read -r line && printf '%s\n' "$line" >"$TMP/grade.json"
    cat >"$TMP/grade.lines"
  } <"$TMP/grade"
}

print_grade() {
  if [[ $FORMAT == json ]]; then
    cat "$TMP/grade.lines"
  else
    convert "$FORMAT" "$TMP/grade.json" "$SECONDS"
  fi
}

# report STATE MESSAGE: makes grade.json, keeps it as --keep says, and prints the chosen format. Its status is
# the grade's.
report() {
  make_grade "$1" "$2"
  keep_files
  print_grade
  has_said_why
  case $VERDICT in
    pass) return 0 ;;
    fail) return 1 ;;
    *) stop 3 "no check could be measured here, so there is no verdict." ;;
  esac
}

# refuse MESSAGE...: stops because the file could not be graded. Formats for programs contain the message,
# too.
refuse() {
  local message
  printf -v message '%s\n' "$@"
  make_grade not_run "${message%$'\n'}"
  keep_files
  [[ $FORMAT == pretty ]] || is_score_format "$FORMAT" || print_grade
  stop 3 "$@"
}

# Copies files to the folder of --keep. The verdict on the learner's own whole file is also kept for `make
# list`.
keep_files() {
  if [[ -n $KEEP ]]; then
    local file
    for file in "$TMP"/{grade,compiled}.json "$TMP/checks.tap" "$TMP"/run-*.json \
      "$TMP"/{build,program}-*.log; do
      [[ ! -f $file ]] || cp -- "$file" "$KEEP/"
    done
  fi
  if [[ $SOLUTION == no && -z $SUBMISSION && -z $TASK && -f $TMP/grade.json ]]; then
    mkdir -p "$WORK/build/grades"
    cp "$TMP/grade.json" "$WORK/build/grades/.$LESSON.$$" &&
      mv "$WORK/build/grades/.$LESSON.$$" "$WORK/build/grades/$LESSON.json"
  fi
}
