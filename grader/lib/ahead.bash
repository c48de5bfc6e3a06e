# ahead.bash: judges all checks of a lesson in one call of jq, before Bats runs them. `bash ahead.bash CHECKS.bats`
#
# A verb alone costs a start of jq with verdicts.jq, 50 to 100 ms; a lesson has some twenty. So the check file is read here once
# without Bats: its tests become functions, in which each verb only notes what it would ask. One jq answers them all, and
# the verbs find their answers in GRADER_AHEAD: `asked` (a line a question) and N, the answer to its Nth line. A question
# that is not found there (or could not be answered) is asked in its test as if this file were not.
# shellcheck shell=bash

set -uo pipefail

# shellcheck source=grader/lib/check.bash
source "$GRADER_LIB/check.bash"

tests=()   # the sentences; test N is the function test_N
asked=()   # the questions as check.bash looks for them
program='' # the jq expressions, one a question
words=()   # their arguments, one after another

load() { :; }
skip() { :; }

# In the place of check.bash's: notes the question.
verdict() {
  local call=$1 question from=${#words[@]} i=${#asked[@]}
  shift
  printf -v question '%q ' "$BATS_TEST_DESCRIPTION" "$call" "$@"
  words+=("$BATS_TEST_DESCRIPTION" "$@")
  asked+=("$question")
  program+="${program:+,}"$'\n'"(try (\$ARGS.positional[$((from + 1)):${#words[@]}] as \$a | $call
    | .sentence = \$ARGS.positional[$from] | \"$i\", tojson, ([.message | match(\"\\n\"; \"g\")] | length + 1), .message) catch empty)"
}

# The check file with `test_0() {` in the place of `@test "a sentence" {`, and the sentences in `tests`.
without_bats() {
  awk '/^@test / { match($0, /["\047].*["\047]/)
         print "tests+=(" substr($0, RSTART, RLENGTH) ")"
         print "test_" n++ "()" substr($0, RSTART + RLENGTH); next }
       { print }' "$1"
}

main() {
  local i n lines count answer
  # shellcheck disable=SC1090  # the lesson's checks
  source <(without_bats "$1")
  for n in "${!tests[@]}"; do
    BATS_TEST_DESCRIPTION=${tests[n]}
    "test_$n" >/dev/null
  done
  mapfile -t lines < <(jq -r -L "$GRADER_LIB" "include \"verdicts\"; $program" "$GRADER_FACTS" --args "${words[@]}")
  for ((n = 0; n < ${#lines[@]}; n += 3 + count)); do
    count=${lines[n + 2]}
    [[ ${lines[n]} =~ ^[0-9]+$ && $count =~ ^[0-9]+$ ]] || return 0
    printf -v answer '%s\n' "${lines[n + 1]}" "${lines[@]:n + 3:count}"
    printf '%s' "$answer" >"$GRADER_AHEAD/${lines[n]}"
  done
  printf '%s\n' "${asked[@]}" >"$GRADER_AHEAD/asked"
}

main "$@"
