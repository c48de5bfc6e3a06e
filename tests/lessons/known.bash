# known.bash: does the grader still know a mistake that its table names? A fingerprint depends on the lesson's
# solution, contract and driver, the harness and the CPU backend, so a table can be stale where its own inputs
# have not changed. Needs ROOT and LESSON.
# shellcheck shell=bash

# recognised NAME FILE: FILE is a grade, or the report of a program for one task. Succeeds if the mistake is
# named, or the table of the lesson does not have it.
recognised() {
  local table=$ROOT/grader/checks/$LESSON.mistakes
  [[ -e $table ]] || return 0
  jq -e -n -L "$ROOT/grader/lib" --arg name "$1" --slurpfile table "$table" --slurpfile file "$2" '
    include "mistakes";
    def is_it: .name | split(" or ") | any(.[]; . == $name);
    (any($table[]; is_it) | not)
    or any($file[0] | .checks[]?.mistake, (.tasks[]? | select(.prints) | known($table));
      . != null and is_it)' \
    >/dev/null && return
  echo "$1 is in grader/checks/$LESSON.mistakes and was not named: make fingerprints LESSON=$LESSON"
  return 1
}
