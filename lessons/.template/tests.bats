#!/usr/bin/env bats
# The checks of lessonNN against mistakes that learners make, correct answers in unusual style, and the
# starter, on the CPU backend. lesson_helper.bash has the verbs.

export LESSON=lessonNN KINDS=cpu
load lesson_helper

@test "the starter compiles without a warning and fails every task" { starter_fails_every_task; }

# TEMPLATE: a test for each file in bugs/lessonNN. Tag all but three or four as slow, as the next test is.
@test "reports a missing bounds check" { mistake missing-guard; }

# TEMPLATE: a test for each file in right/lessonNN.
# bats test_tags=slow
@test "a grid-stride loop in few blocks loses no point" {
  right_answer grid-stride.cu && full_marks grid-stride.cu
}
