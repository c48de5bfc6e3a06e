# grade.bash: what the checks are, and making and printing grade.json. Sourced by grader/check.
# shellcheck shell=bash disable=SC2034,SC2153  # variables go from file to file

# Writes plan.json (lesson.jq): the checks, the thresholds, the hints; with --task, that task's alone. Sets
# TESTS to the number of checks.
read_checks() {
  local checks=$ROOT/grader/checks/$LESSON page=$ROOT/lessons/$LESSON/README.md status=0
  [[ $TASK != further ]] || TASK=0
  [[ -f $page ]] || page=/dev/null
  [[ -f $checks.thresholds ]] ||
    stop 3 "grader/checks/$LESSON.thresholds is missing: this checkout is incomplete."
  TESTS=$(jq -nr -L "$GRADER_LIB" --rawfile page "$checks.bats" --rawfile thresholds \
    "$checks.thresholds" --rawfile readme "$page" \
    --arg name "grader/checks/$LESSON.thresholds" --arg task "$TASK" \
    'include "lesson"; plan($page; $thresholds; $name; $readme) | of_task($task)
    | (.tests | length), tojson' 2>"$TMP/plan.log") || status=$?
  case $status in
    0) ;;
    4) bad_usage "$LESSON has no task \"$TASK\"; it has $(<"$TMP/plan.log")." ;;
    *) stop 3 "grader/checks/$LESSON.bats: $(<"$TMP/plan.log")" ;;
  esac
  printf '%s\n' "${TESTS#*$'\n'}" >"$TMP/plan.json"
  TESTS=${TESTS%%$'\n'*}
}

# repeat_command: the command that repeats this verdict, but for the seed.
repeat_command() {
  local words=("$SELF" "$LESSON") backend=cpu text
  [[ $SOLUTION == no ]] || words+=(--solution)
  [[ -z $SUBMISSION ]] || words+=(--submission "$SUBMISSION")
  [[ -z ${BUILT[cuda]:-} ]] || backend=cuda
  words+=(--backend "$backend")
  [[ $SANDBOX == none ]] || words+=(--sandbox "$SANDBOX")
  [[ -z $TASK ]] || words+=(--task "$TASK")
  # A class run builds where it likes; the inputs are the same anywhere.
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

# make_grade STATE MESSAGE: writes grade.json from plan, facts and results; sets VERDICT.
make_grade() {
  local kind built date following file=$TMP/facts.json
  [[ -f $file ]] || printf '{"runs": {}, "missing": {}}' >"$file"
  : >>"$TMP/answers"
  : >>"$TMP/results"
  TZ=UTC printf -v date '%(%Y-%m-%dT%H:%M:%SZ)T' -1
  following=$(next_lesson)
  built=$(for kind in "${KINDS[@]}"; do printf '%s %s\n' "$kind" "${BUILT[$kind]}"; done)
  VERDICT=$(jq -nr -L "$GRADER_LIB" --slurpfile facts "$file" --slurpfile plan \
    "$TMP/plan.json" --rawfile answers "$TMP/answers" --rawfile results "$TMP/results" \
    --arg state "$1" --arg message "$2" --arg lesson "$LESSON" --arg file "$SHOWN" --arg name \
    "$NAME" --arg built "$built" \
    --arg date "$date" --arg seed "$SEED" --arg task "$TASK" --arg self "$SELF" --arg sandbox "$SANDBOX" \
    --argjson hints "$HINTS" --arg following "$following" --arg repeat "$(repeat_command)" \
    --arg solution "$([[ -f $ROOT/solutions/$LESSON/$NAME ]] && printf 'solutions/%s/%s' "$LESSON" "$NAME")" \
    'include "grade"; grade | .verdict, tojson')
  printf '%s\n' "${VERDICT#*$'\n'}" >"$TMP/grade.json"
  VERDICT=${VERDICT%%$'\n'*}
}

# report STATE MESSAGE: makes grade.json, keeps it where asked, prints the chosen format. Its status is the
# grade's.
report() {
  make_grade "$1" "$2"
  keep_files
  convert "$FORMAT" "$TMP/grade.json" "$SECONDS"
  has_said_why
  case $VERDICT in
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
    for file in "$TMP"/grade.json "$TMP"/run-*.json "$TMP"/build-*.log "$TMP"/program-*.log \
      "$TMP"/checks.tap; do
      [[ ! -f $file ]] || cp -- "$file" "$KEEP/"
    done
  fi
  if [[ $SOLUTION == no && -z $SUBMISSION && -z $TASK && -f $TMP/grade.json ]]; then
    mkdir -p "$WORK/build/grades"
    cp "$TMP/grade.json" "$WORK/build/grades/.$LESSON.$$" && mv "$WORK/build/grades/.$LESSON.$$" \
      "$WORK/build/grades/$LESSON.json"
  fi
}
