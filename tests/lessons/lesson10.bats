#!/usr/bin/env bats
# The checks of lesson10 against mistakes that learners make, correct answers in unusual style, and the
# starter, on the CPU backend.

export LESSON=lesson10 KINDS=cpu
load lesson_helper

@test "the starter compiles without a warning and fails every task" { starter_fails_every_task; }

@test "the errors of the rule, of Richardson and of random points are as the page says" {
  run -0 "$ROOT/common/cpu/cucc" -Wall -Wextra -I "$ROOT/lessons/lesson10" -o "$BATS_TEST_TMPDIR/errors" \
    "$ROOT/lessons/lesson10/driver/demo/errors.cu" "$ROOT/solutions/lesson10/integration.cu"
  [ -z "$output" ]
  "$BATS_TEST_TMPDIR/errors" >"$BATS_TEST_TMPDIR/printed"
  diff "$BATS_TEST_TMPDIR/printed" <(page | awk '/^cells /, /^```/' | grep -v '^`')
}
