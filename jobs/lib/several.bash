# several.bash: grades several lessons in one job, one after the other. Sourced by grade-in-job.
# shellcheck shell=bash

SUMMARY=()     # the lines of the table
NOT_REACHED=() # arguments that were not graded yet

# Sets ARGUMENTS to the lessons of which there is a snapshot or a file.
all_lessons() {
  local lesson
  ARGUMENTS=()
  for lesson in $(lessons); do
    if [[ -n $SOLUTION || -d $WORK/lessons/$lesson ]] ||
      compgen -G "$WORK/build/snapshots/*-$lesson" >/dev/null; then
      ARGUMENTS+=("$lesson")
    fi
  done
  ((${#ARGUMENTS[@]})) || no_snapshot 'lesson[0-9][0-9]'
}

# Is this a job with several lessons?
in_several() { ((${#SUMMARY[@]} + ${#NOT_REACHED[@]})); }

# What such a process does on TERM.
end_part() {
  trap "" TERM
  stop_watch
  [[ -z ${GRADE_PID:-} ]] || { kill -TERM "$GRADE_PID"; wait "$GRADE_PID"; } 2>/dev/null || true
  exit 3
}

# Grades one of them in a process of its own, so that its end does not end the job. Sets PART_STATUS.
part_apart() { # argument, results
  PART_STATUS=0
  (
    trap end_part TERM
    status=0
    part "$1" "$2" || status=$?
    finish "$status"
  ) &
  GRADE_PID=$!
  wait "$GRADE_PID" || PART_STATUS=$?
  GRADE_PID=''
}

# Grades all ARGUMENTS; returns the largest of their statuses.
several() {
  local argument worst=0
  [[ ${ARGUMENTS[*]} != all ]] || all_lessons
  NOT_REACHED=("${ARGUMENTS[@]}")
  for argument in "${ARGUMENTS[@]}"; do
    printf '==== %s\n' "${argument##*/}"
    part_apart "$argument" "$RESULTS/${argument##*/}"
    SUMMARY+=("$(row "${argument##*/}" "$PART_STATUS" "$RESULTS/${argument##*/}/grade.json")")
    NOT_REACHED=("${NOT_REACHED[@]:1}")
    [[ ! -s $RESULTS/${argument##*/}/handed-over ]] ||
      status_0_says "every check that could run passed; the jobs that the table names grade the rest."
    ((PART_STATUS <= worst)) || worst=$PART_STATUS
    echo
  done
  show_summary
  return "$worst"
}

# row NAME STATUS GRADE: prints a line of the table; without a grade.json it has only the status, or the job
# that grades the lesson.
row() {
  local words=('passed' 'failed' 'usage error' 'not graded') line other=${3%/*}/handed-over
  [[ $2 != 0 || ! -s $other ]] || words[0]="job $(<"$other")"
  line=$(jq -r '
    def count($state): [.checks[]? | select(.state == $state)] | length;
    [.backend, "\(.points) of \(.max_points)", count("pass"), count("fail"),
      (.checks // [] | length) - count("pass") - count("fail")] | join("\t")' "$3" 2>/dev/null) || line=
  printf '%s\t%s\t%s\n' "$1" "${words[$2]:-not graded}" "${line:-$'-\t-\t-\t-\t-'}"
}

show_summary() {
  local argument
  for argument in "${NOT_REACHED[@]}"; do SUMMARY+=("$(row "${argument##*/}" 3 /dev/null)"); done
  echo "==== All ${#SUMMARY[@]}"
  printf '%s\n' $'lesson\tgrade\tbackend\tpoints\tpassed\tfailed\tnot measured' "${SUMMARY[@]}" |
    awk -F '\t' '{printf "%-10s %-18s %-8s %-10s %6s %7s %13s\n", $1, $2, $3, $4, $5, $6, $7}'
}
