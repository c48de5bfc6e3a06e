#!/usr/bin/env bats
# The checks of lesson09 against mistakes that learners make, correct answers in unusual style, and the
# starter, on the CPU backend.

export LESSON=lesson09 KINDS=cpu
load lesson_helper

@test "the starter compiles without a warning and fails every task" { starter_fails_every_task; }

# bats test_tags=slow
@test "the demo of the costs prints a line for each size" {
  run -0 "$ROOT/common/cpu/cucc" -Wall -Wextra -o "$BATS_TEST_TMPDIR/costs" \
    "$ROOT/lessons/lesson09/driver/demo/costs.cu"
  [ -z "$output" ]
  run -0 "$BATS_TEST_TMPDIR/costs" 1 1000
  [ "${#lines[@]}" = 4 ]
  [[ $output != *nan* && $output != *check:* ]]
}
