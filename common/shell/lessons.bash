# lessons.bash: the lessons of the checkout ROOT. Sourced.
# shellcheck shell=bash

# Prints the names of the lessons, one a line.
lessons() {
  local file
  for file in "$ROOT"/lessons/lesson[0-9][0-9]/lesson.yml; do
    file=${file%/lesson.yml}
    [[ $file == *'['* ]] || printf '%s\n' "${file##*/}"
  done
}

# The exercise of the self-test is graded like a lesson, and listed nowhere.
is_lesson() { [[ $1 == selftest || $1 =~ ^lesson[0-9][0-9]$ && -f $ROOT/lessons/$1/lesson.yml ]]; }

# lesson_file LESSON: prints the name of the file that a learner edits; status 1 when the checkout lacks it.
lesson_file() {
  local file
  for file in "$ROOT/lessons/$1/.starter"/*.{c,cu} "$ROOT/solutions/$1"/*.{c,cu}; do
    [[ ! -f $file ]] || { printf '%s\n' "${file##*/}" && return; }
  done
  return 1
}

# lesson_facts "KEY..." LESSON...: prints a line for each lesson: these values of its lesson.yml, between
# tabs. Status 1 and messages with file and line where one is not right (lesson.awk).
lesson_facts() (
  keys=$1
  cd "$ROOT" && shift
  files=("${@/#/lessons/}")
  awk -v keys="$keys" -f common/shell/lesson.awk "${files[@]/%//lesson.yml}"
)

# lesson_title LESSON
lesson_title() { if [[ $1 == selftest ]]; then echo self-test; else lesson_facts title "$1"; fi; }
