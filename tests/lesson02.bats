#!/usr/bin/env bats
# The checks of lesson02 against mistakes that learners make, right answers in unusual clothes, and the starter, on the
# CPU backend.

export LESSON=lesson02 KINDS=cpu
load lesson_helper

# bats test_tags=slow
@test "told: each block works on the first elements" { mistake block-index-forgotten; }

@test "told: the host reads device memory" { mistake device-pointer-on-host; }

# bats test_tags=slow
@test "told: the number of blocks is rounded down" { mistake grid-rounded-down; }

# bats test_tags=slow
@test "told: the result stays on the device" { mistake missing-copy-back; }

@test "told: the kernel has no guard" { mistake missing-guard; }

# bats test_tags=slow
@test "told: the loop stayed on the host: right, without a kernel" { mistake no-launch; }

# bats test_tags=slow
@test "told: the copy to the device names the other direction" { mistake wrong-direction; }

# bats test_tags=slow
@test "told: a launch of 0 blocks where n is 0" { mistake empty-grid; }

# bats test_tags=slow
@test "told: the guard lets one thread too many through" { mistake guard-off-by-one; }

# bats test_tags=slow
@test "told: copies n bytes instead of n floats" { mistake bytes-for-elements; }

@test "told: the kernel gets a host pointer" { mistake host-pointer-in-kernel; }

@test "told: an early return after the bad launch frees nothing" { mistake leak-on-the-error-path; }

# bats test_tags=slow
@test "told: one of three arrays is not freed" { mistake missing-free; }

@test "told: nobody asks whether the launch was accepted" { mistake unchecked-launch; }

# bats test_tags=slow
@test "told: one to three floats behind the last float4 are left out" { mistake last-elements-forgotten; }

# bats test_tags=slow
@test "told: the number of float4s is rounded up" { mistake vectors-past-the-end; }

@test "strides of the whole grid, one allocation, goto lose no point" { right_answer strides.cu && full_marks strides.cu; }

@test "a stream, templates and two dimensions lose no point" {
  right_answer stream-and-template.cu && full_marks stream-and-template.cu
}

# bats test_tags=slow
@test "an array that goes through the device in pieces loses no point" { right_answer pieces.cu && full_marks pieces.cu; }

@test "the starter compiles without a warning and fails every task" { starter_fails_every_task; }

@test "each mistake and each right answer has its test" { each_is_tested; }
