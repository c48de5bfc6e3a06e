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

# bats test_tags=slow
@test "told: the kernel gets a host pointer" { mistake host-pointer-in-kernel; }

@test "told: an early return after the bad launch frees nothing" { mistake leak-on-the-error-path; }

# bats test_tags=slow
@test "told: one of three arrays is not freed" { mistake missing-free; }

# bats test_tags=slow
@test "told: nobody asks whether the launch was accepted" { mistake unchecked-launch; }

# bats test_tags=slow
@test "told: one to three floats behind the last float4 are left out" { mistake last-elements-forgotten; }

# bats test_tags=slow
@test "told: the number of float4s is rounded up" { mistake vectors-past-the-end; }

# bats test_tags=slow
@test "told: threadIdx and blockIdx change places" { mistake index-parts-swapped; }

# bats test_tags=slow
@test "told: the loop stays in the kernel, so every thread does all elements" { mistake loop-kept-in-the-kernel; }

# bats test_tags=slow
@test "told: n times the size of a pointer" { mistake size-of-the-pointer; }

# bats test_tags=slow
@test "told: the array is freed before it is copied back" { mistake freed-too-early; }

# bats test_tags=slow
@test "told: one array is freed twice, another one never" { mistake freed-twice; }

# bats test_tags=slow
@test "told: the numbers of blocks and of threads change places" { mistake blocks-and-threads-swapped; }

# bats test_tags=slow
@test "told: a copy where a launch is all" { mistake copied-first; }

# bats test_tags=slow
@test "told: an input is never copied to the device" { mistake missing-copy-in; }

# bats test_tags=slow
@test "told: both inputs are copied to the same array" { mistake both-copied-to-one-array; }

# bats test_tags=slow
@test "told: blocks of another size than the grid was counted for" { mistake block-size-of-its-own; }

# bats test_tags=slow
@test "told: too many threads are quietly made fewer" { mistake threads-capped; }

# bats test_tags=slow
@test "told: the error is found and not returned" { mistake error-swallowed; }

# bats test_tags=slow
@test "told: the result is copied back although no kernel ran" { mistake copied-after-the-error; }

# bats test_tags=slow
@test "told: float4s are counted as if they were floats" { mistake every-vector-four-times; }

@test "strides of the whole grid, one allocation, goto lose no point" { right_answer strides.cu && full_marks strides.cu; }

# bats test_tags=slow
@test "a stream, templates and two dimensions lose no point" {
  right_answer stream-and-template.cu && full_marks stream-and-template.cu
}

# bats test_tags=slow
@test "an array that goes through the device in pieces loses no point" { right_answer pieces.cu && full_marks pieces.cu; }

# bats test_tags=slow
@test "managed memory, page-locked memory that a kernel reaches itself lose no point" {
  right_answer managed.cu && full_marks managed.cu
}

# bats test_tags=slow
@test "kernels by name, constant memory, a stream's pool, copies of rows lose no point" {
  right_answer by-name.cu && full_marks by-name.cu
}

@test "the starter compiles without a warning and fails every task" { starter_fails_every_task; }

@test "task 1 alone earns the points of task 1" {
  task_1_alone "$BATS_TEST_TMPDIR/partial"
  grade "$BATS_TEST_TMPDIR/partial" 1
  is_true "$BATS_TEST_TMPDIR/partial/grade.json" 'all(.checks[]; (.state == "pass") == (.task == 1)) and .points == 4'
}

@test "the page quotes messages that come" { page_quotes_messages; }

# bats test_tags=slow
@test "the page tells the truth: its right run, and the kernel's share of the model's time" {
  local dir=$BATS_TEST_TMPDIR/solution
  mkdir "$dir" && cp "$ROOT/solutions/lesson02/kernels.cu" "$dir/"
  program cpu "$dir"
  # The last size is a random one.
  diff <("$dir/lesson02-cpu" --task 3 | sed -n '/^  task 3/,/in all/p' | sed -E 's/, [0-9]+x[0-9]+ \(/ (/; s/\([0-9]+ threads/(N threads/') \
    <(page | sed -n '/^```text/,/^```$/p' | grep -v '^```' | sed -E 's/, [0-9]+x[0-9]+ \(/ (/; s/\([0-9]+ threads/(N threads/')
  WB_TIME_LIMIT=300 "$dir/lesson02-cpu" --task 3 --size 16777216x256 --output "$BATS_TEST_TMPDIR/run.json" >/dev/null
  is_true "$BATS_TEST_TMPDIR/run.json" '.tasks[0].timeline | .kernel_us / .span_us * 6 | round == 1'
}

@test "each mistake and each right answer has its test" { each_is_tested; }
