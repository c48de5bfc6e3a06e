# several.bash: several lessons in one job, one after the other. Sourced by run.sh, whose functions and variables it uses.
# shellcheck shell=bash disable=SC2034,SC2153,SC2154  # variables go from file to file

# Each lesson that there is something of to grade.
all_lessons() { # sets ARGUMENTS
  local lesson
  ARGUMENTS=()
  for lesson in $(lessons); do
    if [[ -n $SOLUTION || -d $WORK/lessons/$lesson ]] || compgen -G "$WORK/build/snapshots/*-$lesson" >/dev/null; then
      ARGUMENTS+=("$lesson")
    fi
  done
  ((${#ARGUMENTS[@]})) || no_snapshot 'lesson[0-9][0-9]'
}

# A part in a process of its own: what ends it, ends nothing else. Sets PART_STATUS.
part_apart() { # argument, results
  PART_STATUS=0
  (
    trap 'trap "" TERM; [[ -z ${WATCH_PID:-} ]] || kill "$WATCH_PID" 2>/dev/null; [[ -z ${GRADE_PID:-} ]] || { kill -TERM "$GRADE_PID"; wait "$GRADE_PID"; } 2>/dev/null; exit 3' TERM
    status=0
    part "$1" "$2" || status=$?
    finish "$status"
  ) &
  GRADE_PID=$!
  wait "$GRADE_PID" || PART_STATUS=$?
  GRADE_PID=''
}

# Grades all ARGUMENTS; status is the largest of theirs.
several() {
  local argument worst=0
  [[ ${ARGUMENTS[*]} != all ]] || all_lessons
  SUMMARY=() NOT_REACHED=("${ARGUMENTS[@]}")
  for argument in "${ARGUMENTS[@]}"; do
    printf '==== %s\n' "${argument##*/}"
    part_apart "$argument" "$RESULTS/${argument##*/}"
    SUMMARY+=("$(row "${argument##*/}" "$PART_STATUS" "$RESULTS/${argument##*/}/grade.json")")
    NOT_REACHED=("${NOT_REACHED[@]:1}")
    ((PART_STATUS <= worst)) || worst=$PART_STATUS
    echo
  done
  show_summary
  return "$worst"
}

# row NAME STATUS GRADE: a line of the table; without a grade only how it ended.
row() {
  local words=('passed' 'failed' 'asked for wrongly' 'not graded') line
  line=$(jq -r '
    def count($state): [.checks[]? | select(.state == $state)] | length;
    "\(.backend)\t\(.points) of \(.max_points)\t\(count("pass"))\t\(count("fail"))\t\((.checks // [] | length) - count("pass") - count("fail"))"' \
    "$3" 2>/dev/null) || line=$'-\t-\t-\t-\t-'
  printf '%s\t%s\t%s\n' "$1" "${words[$2]:-not graded}" "${line:-$'-\t-\t-\t-\t-'}"
}

show_summary() {
  local argument
  for argument in "${NOT_REACHED[@]}"; do SUMMARY+=("$(row "${argument##*/}" 3 /dev/null)"); done
  echo "==== All ${#SUMMARY[@]}"
  printf '%s\n' $'lesson\tgrade\tbackend\tpoints\tpassed\tfailed\tnot measured' "${SUMMARY[@]}" |
    awk -F '\t' '{printf "%-10s %-18s %-8s %-10s %6s %7s %13s\n", $1, $2, $3, $4, $5, $6, $7}'
}
