# lessons.bash: the lessons of the checkout ROOT. Sourced.
# shellcheck shell=bash

# Prints the names of the lessons, one a line.
lessons() {
  local page
  for page in "$ROOT"/grader/checks/lesson[0-9][0-9].bats; do
    page=${page##*/}
    [[ $page == *'['* ]] || printf '%s\n' "${page%.bats}"
  done
}

# The exercise of the self-test is graded like a lesson, and listed nowhere.
is_lesson() { [[ $1 =~ ^(lesson[0-9][0-9]|selftest)$ && -f $ROOT/grader/checks/$1.bats ]]; }

# lesson_file LESSON: prints the name of the file that a learner edits; status 1 when the checkout lacks it.
lesson_file() {
  local file
  for file in "$ROOT/lessons/$1/.starter"/*.{c,cu} "$ROOT/solutions/$1"/*.{c,cu}; do
    [[ ! -f $file ]] || { printf '%s\n' "${file##*/}" && return; }
  done
  return 1
}

# lesson_title LESSON: prints the title of its page, whose first line is "# Lesson NN: title".
lesson_title() { sed -n '/^# /{s/^# [^:]*: *//p;q}' "$ROOT/lessons/$1/README.md" 2>/dev/null || true; }
