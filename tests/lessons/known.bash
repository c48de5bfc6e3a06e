# known.bash: does the grader still know a mistake that its table names? A fingerprint depends on the lesson's
# solution, contract and driver, the harness and the CPU backend, so a table can be stale where its own inputs
# have not changed. Needs ROOT and LESSON.
# shellcheck shell=bash

# recognised NAME FILE: FILE is a grade, or the report of a program for one task. Succeeds if the mistake is
# named, or the table of the lesson does not have it, and its task gets no other name: a new patch may do what
# another one does.
recognised() {
  local table=$ROOT/grader/checks/$LESSON.mistakes task
  [[ -e $table ]] || return 0
  task=$(sed -n 's/^Task: //p' "$ROOT/tests/lessons/bugs/$LESSON/$1.patch")
  jq -e -n -L "$ROOT/grader/lib" --arg name "$1" --argjson task "$task" --slurpfile table "$table" \
    --slurpfile file "$2" '
    include "mistakes";
    def is_it: .name | split(" or ") | any(.[]; . == $name);
    [$file[0] | (.checks[]? | select(.task == $task).mistake), (.tasks[]? | select(.prints) | known($table))
      | values]
    | if any($table[]; is_it) then any(.[]; is_it) else . == [] end' \
    >/dev/null && return
  echo "$1 was named otherwise, or is in grader/checks/$LESSON.mistakes and was not named:" \
    "make fingerprints LESSON=$LESSON"
  return 1
}
