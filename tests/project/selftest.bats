# The self-test: ./bootstrap --selftest grades a small exercise, once wrong and once right.

bats_require_minimum_version 1.5.0
load ../work

setup_file() { new_work "$BATS_FILE_TMPDIR/work"; }

setup() {
  cd "$BATS_TEST_DIRNAME/../.." || exit
  export WORK=$BATS_FILE_TMPDIR/work
}

@test "says what it found and that the machine is ready" {
  run -0 ./bootstrap --selftest
  [[ $output == *"✓ the wrong answer fails: double_array, n = 257: x[256] is "* ]]
  [[ $output == *"✓ the right answer passes: double_array is right at every size"* ]]
  [[ ${lines[-1]} == "Ready: this machine builds, runs and grades the lessons." ]]
}

@test "says what is wrong where a right answer fails, or nothing can be graded" {
  local copy=$BATS_TEST_TMPDIR/copy
  mkdir -p "$copy"/{common/tools,grader,lessons/selftest}
  cp common/tools/selftest "$copy/common/tools" && cp -R common/shell "$copy/common"
  printf '#!/bin/sh\necho "grader says: $3"\nexit %s\n' 3 >"$copy/grader/check"
  chmod +x "$copy/grader/check"
  run -3 "$copy/common/tools/selftest"
  [[ $output == *"grader says: "*"could not be graded here"* ]]
  sed -i 's/3$/0/' "$copy/grader/check"
  run -1 "$copy/common/tools/selftest"
  [[ $output == *"the grade of the exercise's wrong answer is not as it must be"* ]]
}
