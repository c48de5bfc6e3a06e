#!/usr/bin/env bats
# The checks of lesson11 against mistakes that learners make, correct answers in unusual style, and the
# starter, on the CPU backend.

export LESSON=lesson11 KINDS=cpu
load lesson_helper

@test "the starter compiles without a warning and fails every task" { starter_fails_every_task; }

# bats test_tags=slow
@test "the errors of TF32, of split numbers and of chunks are as the page says" {
  cd "$ROOT"
  run -0 common/cpu/cucc --fast -Wall -Wextra -I lessons/lesson11 -o "$BATS_TEST_TMPDIR/errors" \
    lessons/lesson11/driver/demo/errors.cu solutions/lesson11/cublas.cu -lcublas
  [ -z "$output" ]
  "$BATS_TEST_TMPDIR/errors" >"$BATS_TEST_TMPDIR/printed"
  diff "$BATS_TEST_TMPDIR/printed" <(page | awk '/^terms /, /^```/' | grep -v '^`')
}
