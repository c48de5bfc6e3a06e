#!/usr/bin/env bats
# The checks of lesson01 against mistakes that learners make, right answers in unusual clothes, and the starter.
# What needs time to be taken is in lesson01-speed.bats.

export LESSON=lesson01 KINDS="cpu asan tsan"
load lesson_helper

# bats test_tags=slow
@test "told: an unsigned index is always >= 0" { mistake counting-down-unsigned; }

# bats test_tags=slow
@test "told: the loop ends one early" { mistake last-left-out; }

@test "told: the loop runs to n instead of n - 1" { mistake one-past-the-end; }

@test "told: c is added to without being set to zero" { mistake not-zeroed; }

# bats test_tags=slow
@test "told: the loop runs over n rows instead of m" { mistake rows-swapped; }

# bats test_tags=slow
@test "told: b is stepped through in rows of k instead of n" { mistake wrong-row-length; }

@test "the thread sanitizer sees shared loop variables that happened to do no harm" { reported shared-loop-variable tsan; }

# bats test_tags=slow
@test "told: the loop over p is shared out, so all threads add to the same row of c" { mistake threads-share-a-row; }

@test "told: all threads add to one sum" { mistake missing-reduction; }

# bats test_tags=slow
@test "told: added up in float" { mistake sum-in-float; }

@test "told: each thread writes its own sum over the result instead of adding it" { mistake sum-of-each-thread-overwritten; }

# bats test_tags=slow
@test "told: columns behind the last whole tile are never written" { mistake last-columns-forgotten; }

# bats test_tags=slow
@test "told: the last tile of a row is written in full" { mistake tile-over-the-edge; }

@test "walking pointers, restrict, schedules, packed columns are right" { right_answer pointers.c; }

# bats test_tags=slow
@test "threads that share out the work themselves, locks, atomics are right" { right_answer teams.c; }

# bats test_tags=slow
@test "tasks, recursion, collapsed loops are right" { right_answer halves.c; }

@test "the starter compiles without a warning and fails every task" { starter_fails_every_task; }

@test "each mistake and each right answer has its test" { each_is_tested; }
