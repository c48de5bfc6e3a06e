#!/usr/bin/env bats
# lesson01's checks of speed: slow answers are reported, and correct fast ones lose no point. Needs a machine
# with idle cores.
# bats file_tags=alone,slow

export LESSON=lesson01 KINDS="cpu asan tsan"
load lesson_helper

@test "reports a correct but slow loop order: the inner loop runs down columns" {
  mistake inner-loop-down-columns
}

@test "reports a missing pragma: only one core works" { unrewarded not-parallel; }

@test "reports a correct but slow critical region around each element" { unrewarded lock-for-each-element; }

@test "reports inner loop variables that are declared outside and so shared by all threads" {
  mistake shared-loop-variable
}

@test "moving pointers lose no point" { full_marks pointers.c; }

@test "threads that divide the work themselves lose no point" { full_marks teams.c; }

@test "tasks and recursion lose no point" { full_marks halves.c; }

@test "vector types lose no point" { full_marks vectors.c; }

@test "pieces of work that threads take from a counter lose no point" { full_marks own-pieces.c; }

@test "the solution loses no point" { full_marks solution; }
