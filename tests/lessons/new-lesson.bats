# make new-lesson: the new lesson works, and bad names change nothing. Each test works in a copy of the
# checkout.
# bats file_tags=long

bats_require_minimum_version 1.5.0

setup_file() {
  cd "$BATS_TEST_DIRNAME/../.." || exit
  export COPY="$BATS_FILE_TMPDIR/a checkout"
  mkdir "$COPY"
  # Built and installed files are not copied: they could hide that something is missing. But the harness, to
  # which a lesson adds nothing, is that of all tests.
  tar -c --exclude=./build --exclude=./common --exclude=./.git --exclude=./.tools --exclude=node_modules \
    --exclude='./jobs/logs/*' . | tar -x -C "$COPY"
  ln -s "$PWD/common" "$COPY/"
  unset WORK BACKEND
  source tests/work.bash
  new_work "$COPY"
  local packages
  for packages in node_modules site/node_modules; do
    [ ! -e "$packages" ] || ln -s "$PWD/$packages" "$COPY/$packages"
  done
  (cd "$COPY" && find . -path ./node_modules -prune -o -type f -print | sort) >"$BATS_FILE_TMPDIR/before"
  unset WORK BACKEND
}

setup() { cd "$COPY" || exit; }

instantiate() { lessons/.template/instantiate "$@"; }

nothing_changed() {
  find . -path ./node_modules -prune -o -type f -print | sort | diff "$BATS_FILE_TMPDIR/before" -
}

# Runs before the lesson is created: the tests of a file run in order.
@test "rejects bad names with status 2 and an example, and changes nothing" {
  local names
  for names in "lesson1 reduce" "15 reduce" "lesson015 reduce" "../lesson15 reduce" "lesson15 Reduce" \
    "lesson15 2x" \
    "lesson15 x" "lesson15 a-b" "lesson15 ../x" "lesson15 main" "lesson15 wb" \
    "lesson15 abcdefghijklmnopqrstu"; do
    # shellcheck disable=SC2086 # two words
    run -2 instantiate $names
    [[ $output == "new-lesson: "* ]]
    [ "${#lines[@]}" -eq 1 ]
  done
  run -2 instantiate lesson15 ""
  [[ $output == *"make new-lesson LESSON=lesson15 NAME=reduce"* ]]
  run -2 instantiate lesson15
  [[ $output == *"Usage:"* ]]
  nothing_changed
}

@test "rejects an existing lesson or name and changes nothing" {
  run -2 instantiate lesson02 reduce
  [[ $output == *"lessons/lesson02 already exists"*"lesson05"* ]]
  run -2 instantiate lesson15 kernels
  [[ $output == *"a file named kernels already exists: lessons/lesson02/kernels"* ]]
  nothing_changed
}

@test "removes a half-written lesson when it cannot write all of it" {
  mkdir "$BATS_TEST_TMPDIR/kept"
  mv grader/checks "$BATS_TEST_TMPDIR/kept"
  run -3 instantiate lesson15 reduce
  mv "$BATS_TEST_TMPDIR/kept/checks" grader
  [[ $output == *"what was begun is removed"* ]]
  nothing_changed
}

@test "make new-lesson creates every part, in the workbook's format" {
  run -0 make --no-print-directory new-lesson LESSON=lesson15 NAME=reduce
  local file
  for file in lessons/lesson15/{README.md,reduce.h,reduce.cu,driver/main.c,.starter/reduce.cu} \
    solutions/lesson15/reduce.cu \
    grader/checks/lesson15.{bats,thresholds}; do
    [ -s "$file" ]
    [[ $output == *"$(dirname "$file" | sed 's|/.starter||')"* ]]
  done
  run ! grep -rnE 'lesson_name|lessonNN|LESSON_NAME' lessons/lesson15 solutions/lesson15 \
    grader/checks/lesson15.*
  cmp lessons/lesson15/reduce.cu lessons/lesson15/.starter/reduce.cu
  if command -v clang-format-14 >/dev/null; then
    clang-format-14 --dry-run -Werror lessons/lesson15/*.[ch]* lessons/lesson15/driver/* solutions/lesson15/*
  fi
}

@test "the new solution passes every check that can run here" {
  run -0 timeout 120 grader/check --solution lesson15 --backend cpu --format json
  jq -e '.state == "graded" and .measured_points > 0 and .points == .measured_points
         and all(.checks[]; .state == "pass" or .state == "not_measured")' <<<"$output"
}

@test "the new starter compiles without a warning and fails" {
  run -0 make --no-print-directory lesson15 BACKEND=cpu
  [[ $output != *warning* ]]
  run -1 timeout 120 grader/check lesson15 --backend cpu --format json
  jq -e '.state == "graded" and .points < .measured_points
    and any(.checks[]; .state == "fail" and .hint != "")' <<<"$output"
}

@test "the tests fail until the template's text is replaced" {
  run -1 env -i PATH="$PATH" HOME="$HOME" "$BATS_ROOT/bin/bats" -f "text of the template" \
    tests/lessons/rules.bats
  [[ $output == *"1..1"*"lessons/lesson15/README.md"* ]]
}

@test "make check-lesson without a lesson says which lessons there are, status 2" {
  run -2 common/tools/check-lesson
  [[ $output == *"make check-lesson LESSON=lesson02. Lessons: lesson01 lesson02 "* ]]
  run -2 common/tools/check-lesson lesson77
}

# says RULE FILE SED WORDS: after this change of the file the rule says the words; before it, it does not.
says() {
  run -0 "rule_$1"
  [[ $output != *"$4"* ]]
  cp "$2" "$BATS_TEST_TMPDIR/kept"
  sed -i "$3" "$2"
  run -0 "rule_$1"
  cp "$BATS_TEST_TMPDIR/kept" "$2"
  [[ $output == *"$4"* ]] || { printf 'rule_%s does not say: %s\n%s\n' "$1" "$4" "$output" && return 1; }
}

@test "the rules say what is wrong in a lesson, and what to do" {
  source common/shell/lessons.bash
  source tests/lessons/rules.bash
  local solution=solutions/lesson15/reduce.cu checks=grader/checks/lesson15 lesson=lessons/lesson15
  export LESSON=lesson15
  says layout $lesson/figures/draw "3s/\$/$(printf '%120s' '')#/" \
    'draw:3: longer than 110 columns: break the line'
  if command -v clang-format-14 >/dev/null; then
    says layout $lesson/driver/main.c 's/^enum {/enum  {/' \
      'main.c: not as clang-format writes it: make format'
  fi
  says checks $checks.thresholds 's/^saxpy    copy/saxpy    copi/' \
    'the driver has no baseline copi for saxpy: add it there'
  says checks $checks.thresholds 's/^saxpy /saxpi /' 'the driver has no task saxpi: write the name of one'
  says mistakes tests/lessons/bugs/lesson15/missing-guard.patch 's/^Task: 1/Task: 2/' \
    'missing-guard.patch: no check is of task 2: write Task: and one of 1'
  says drawings $lesson/README.md 's/threads\.svg/blocks.svg/' \
    'threads.svg: the page does not show it: show it, or remove it'
  says regions $solution '0,/#endregion/{/#endregion/d}' \
    'has no end: write // #endregion task-N after its code'
  says regions $solution '0,/#region/{/#region/d}' 'ends no region: write // #region task-N'
}

# bats test_tags=slow
@test "make check-lesson names what the new lesson lacks, and what it has is right" {
  run -1 common/tools/check-lesson lesson15
  local line
  for line in '  ✗ no text of the template is left' \
    '  ✗ the quiz has three questions or more, each with its answer' \
    '  ✓ the solution passes every check that can be measured here' '  ✓ reports a missing bounds check' \
    '  ✓ the starter compiles without a warning and fails every task' \
    '  ✓ a grid-stride loop in few blocks loses no point'; do
    [[ $output == *"$line"* ]] || { echo "not shown: $line" && return 1; }
  done
  [[ $output == *"lesson15.bats: "*": text of the template: replace it"* || $output == *"more lines"* ]]
  [[ ${lines[-1]} == "lesson15: "*" rules are met, "*" are not, 2 can wait (–)" ]]
}
