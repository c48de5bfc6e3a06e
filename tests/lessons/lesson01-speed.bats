#!/usr/bin/env bats
# lesson01's checks of speed: what is only slow is told, and what is right loses no point. Needs a machine whose cores
# are free.
# bats file_tags=alone,slow

export LESSON=lesson01 KINDS="cpu asan tsan"
load lesson_helper

@test "told: the loops as the formula is written: right, and slow" { mistake inner-loop-down-columns; }

@test "told: no pragma: one core works" { unrewarded not-parallel; }

@test "told: a critical region for each element: right, and slow" { unrewarded lock-for-each-element; }

@test "told: the inner loop variables are declared outside, so all threads share them" { mistake shared-loop-variable; }

@test "walking pointers lose no point" { full_marks pointers.c; }

@test "threads that share out the work themselves lose no point" { full_marks teams.c; }

@test "tasks and recursion lose no point" { full_marks halves.c; }

@test "vector types lose no point" { full_marks vectors.c; }

@test "threads without OpenMP lose no point" { full_marks own-threads.c; }

@test "the solution loses no point" { full_marks solution; }
