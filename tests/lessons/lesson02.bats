#!/usr/bin/env bats
# The checks of lesson02 against mistakes that learners make, correct answers in unusual style, and the
# starter, on the CPU backend.

export LESSON=lesson02 KINDS=cpu
load lesson_helper

@test "reports a missing bounds check, the error of a launch that is lost, and an input that is not copied" {
  mistake missing-guard launch-error-forgotten missing-copy-in
}

@test "reports a lost -0, a rest that only blocks of 320 threads leave out, and a pointer without a value" {
  mistake sum-begins-with-zero rest-after-whole-blocks pointer-without-a-value
}

@test "tells a grid that is cut to the 65535 blocks of y and z from one that is computed in float" {
  mistake capped-like-y
  mistake blocks-in-float
}

@test "reports an output that is half changed when a copy fails" { mistake copied-out-in-halves; }

@test "reports launch bounds of fewer threads than the caller may ask for" { mistake bounds-of-512; }

@test "reports one thread that adds the whole array" { mistake one-thread-adds; }

@test "reports a host access to device memory, a race only in reverse order, and memory lost after an error" {
  reported cpu device-pointer-on-host neighbor-read-without-fence leak-on-the-error-path
}

@test "reports copies of whole blocks past the array, and a sum that is added to what c contained before" {
  reported cpu copy-past-the-array adds-to-old-content
}

# bats test_tags=slow
@test "reports a missing block index: each block works on the first elements" {
  mistake block-index-forgotten
}

# bats test_tags=slow
@test "reports a number of blocks that is rounded down" { mistake grid-rounded-down; }

# bats test_tags=slow
@test "reports a result that is not copied back from the device" { mistake missing-copy-back; }

# bats test_tags=slow
@test "reports a correct result that was computed by a loop on the host" { mistake no-launch; }

# bats test_tags=slow
@test "reports a copy to the device with the wrong direction" { mistake wrong-direction; }

# bats test_tags=slow
@test "reports a launch of 0 blocks for n = 0" { mistake empty-grid; }

# bats test_tags=slow
@test "reports a bounds check that is off by one" { mistake guard-off-by-one; }

@test "reports that no thread checks whether it has an element, and takes it for no other mistake" {
  mistake missing-guard-of-sum
  is_true "$BATS_TEST_TMPDIR/missing-guard-of-sum/grade.json" \
    'all(.checks[]; .mistake == null) and any(.checks[]; .message | contains("no guard like"))'
}

# bats test_tags=slow
@test "reports a copy of n bytes instead of n floats" { mistake bytes-for-elements; }

# bats test_tags=slow
@test "reports a host pointer in a kernel" { mistake host-pointer-in-kernel; }

# bats test_tags=slow
@test "reports one of three arrays that is not freed" { mistake missing-free; }

# bats test_tags=slow
@test "reports a launch whose error is not checked" { mistake unchecked-launch; }

# bats test_tags=slow
@test "reports one to three floats after the last float4 that are left out" {
  mistake last-elements-forgotten
}

# bats test_tags=slow
@test "reports a number of float4s that is rounded up" { mistake vectors-past-the-end; }

# bats test_tags=slow
@test "reports threadIdx and blockIdx in each other's place" { mistake index-parts-swapped; }

# bats test_tags=slow
@test "reports a loop over all elements that every thread of the kernel runs" {
  mistake loop-kept-in-the-kernel
}

# bats test_tags=slow
@test "reports the size of a pointer where the size of a float is needed" { mistake size-of-the-pointer; }

# bats test_tags=slow
@test "reports an array that is freed before it is copied back" { mistake freed-too-early; }

# bats test_tags=slow
@test "reports an array that is freed twice, and another that is not freed" { mistake freed-twice; }

# bats test_tags=slow
@test "reports the numbers of blocks and threads in each other's place" {
  mistake blocks-and-threads-swapped
}

# bats test_tags=slow
@test "reports a copy where only a launch is needed" { mistake copied-first; }

# bats test_tags=slow
@test "reports a sum that is clamped: NaN becomes a number" { mistake sum-clamped; }

# bats test_tags=slow
@test "reports two inputs that are copied to the same array" { mistake both-copied-to-one-array; }

# bats test_tags=slow
@test "reports a block size that differs from the one used to compute the grid" {
  mistake block-size-of-its-own
}

# bats test_tags=slow
@test "reports a silent reduction of too many threads" { mistake threads-capped; }

# bats test_tags=slow
@test "reports an error that is detected but not returned" { mistake error-swallowed; }

# bats test_tags=slow
@test "reports a copy of the result after a failed launch" { mistake copied-after-the-error; }

# bats test_tags=slow
@test "reports an index that counts float4s as if they were floats" { mistake every-vector-four-times; }

# bats test_tags=slow
@test "reports an allocation whose error is lost" { mistake allocation-unchecked; }

# bats test_tags=slow
@test "reports pointers that are freed though nothing was allocated" { mistake freed-though-never-allocated; }

# bats test_tags=slow
@test "reports host memory that is never freed" { mistake host-copy-never-freed; }

# bats test_tags=slow
@test "reports arrays that stay allocated after a failed copy" { mistake left-after-a-failed-copy; }

# bats test_tags=slow
@test "reports another error than the one that occurred" { mistake one-error-for-all; }

@test "grid strides, a single allocation and goto lose no point" {
  right_answer strides.cu && full_marks strides.cu
}

# bats test_tags=slow
@test "a stream, templates and a two-dimensional grid lose no point" {
  right_answer stream-and-template.cu && full_marks stream-and-template.cu
}

# bats test_tags=slow
@test "an array that is processed in pieces loses no point" {
  right_answer pieces.cu && full_marks pieces.cu
}

# bats test_tags=slow
@test "managed memory and page-locked memory that a kernel accesses directly lose no point" {
  right_answer managed.cu && full_marks managed.cu
}

# bats test_tags=slow
@test "launches by name, constant memory, a stream's memory pool and row copies lose no point" {
  right_answer by-name.cu && full_marks by-name.cu
}

@test "the starter compiles without a warning and fails every task" { starter_fails_every_task; }

# bats test_tags=slow
@test "task 1 alone earns the points of task 1" {
  task_1_alone "$BATS_TEST_TMPDIR/partial"
  grade "$BATS_TEST_TMPDIR/partial" 1
  is_true "$BATS_TEST_TMPDIR/partial/grade.json" \
    'all(.checks[]; (.state == "pass") == (.task == 1)) and .points == 5'
}

@test "the messages quoted on the page are printed by the grader" { page_quotes_messages; }

# bats test_tags=slow
@test "the page's correct run and the kernel's share of the modelled time are true" {
  local dir=$BATS_TEST_TMPDIR/solution
  mkdir "$dir" && cp "$ROOT/solutions/lesson02/kernels.cu" "$dir/"
  program cpu "$dir"
  # The last size is random.
  diff <("$dir/lesson02-cpu" --task 3 | sed -n '/^  task 3/,/in all/p' |
    sed -E 's/, [0-9]+x[0-9]+ \(/ (/; s/\([0-9]+ threads/(N threads/') \
    <(page | sed -n '/^```text/,/^```$/p' | grep -v '^```' |
    sed -E 's/, [0-9]+x[0-9]+ \(/ (/; s/\([0-9]+ threads/(N threads/')
  WB_TIME_LIMIT=300 "$dir/lesson02-cpu" --task 3 --size 16777216x256 --output "$BATS_TEST_TMPDIR/run.json" \
    >/dev/null
  is_true "$BATS_TEST_TMPDIR/run.json" '.tasks[0].timeline | .kernel_us / .span_us * 60 | round == 1'
}

# bats test_tags=slow
@test "blocks of another size than asked for, at some sizes only, are reported" {
  named 's/vector_add_kernel<<<ceil_div(n, threads), threads>>>/if (threads < 32) threads = 32;\n    &/' 3 \
    'asks for blocks of 1 thread, and a launch had 1 block of 32 threads'
}

# bats test_tags=slow
@test "blocks of the asked size, of which a few threads work, are reported" {
  named '/^static __global__ void vector_add_kernel/,/^}/{
      s/ + threadIdx.x;/ + threadIdx.x % 32;/
      s/if (i < n)/if (threadIdx.x < 32)\n    &/
      s/if (i < n)/for (int k = i; k < n \&\& k < i + blockDim.x - threadIdx.x; k += 32)/
      s/d_c\[i\] = d_a\[i\] + d_b\[i\]/d_c[k] = d_a[k] + d_b[k]/}' 3 \
    'threads of its working blocks wrote a number'
}

@test "memory that is freed in its stream after the function has returned is no leak" {
  local dir=$BATS_TEST_TMPDIR/freed
  mkdir "$dir"
  sed 's/cudaFree(\([a-z_]*\))/cudaFreeAsync(\1, 0)/
    s/cudaMalloc(\([^;]*\));/cudaMallocAsync((void **)\1, 0);/' \
    "$ROOT/solutions/lesson02/kernels.cu" >"$dir/kernels.cu"
  grep cudaFreeAsync "$dir/kernels.cu"
  program cpu "$dir"
  run -0 "$dir/lesson02-cpu" --no-timing --task 1 --output "$dir/run.json"
  all_right "$dir/run.json"
}

@test "blames no int where a factor of 1 and results that did not come back look alike" {
  local dir=$BATS_TEST_TMPDIR/bytes
  mkdir "$dir"
  sed 's/(h_x, d_x, size_bytes, cudaMemcpyDeviceToHost/(h_x, d_x, n, cudaMemcpyDeviceToHost/' \
    "$ROOT/solutions/lesson02/kernels.cu" >"$dir/kernels.cu"
  program cpu "$dir"
  for seed in 1 2 3 4; do
    run -1 "$dir/lesson02-cpu" --no-timing --task 1 --seed $seed
    [[ $output == *"Only the first quarter"* && $output != *"kept in an int"* ]]
  done
}

@test "every mistake and every correct answer has a test" { each_is_tested; }

@test "the page's whole program runs: device, text from a kernel, a time by events, no findings" {
  run -0 --separate-stderr "$ROOT/common/cpu/cucc" -o "$BATS_TEST_TMPDIR/first" \
    "$ROOT/lessons/lesson02/example/first.cu"
  run -0 --separate-stderr "$BATS_TEST_TMPDIR/first"
  [[ $output == *"device 0 is CPU backend"*"block 1, thread 1: i is 3"* ]]
  [[ $output == *"thread 1: i is 3"*"the last element is 2; the kernel took "* ]]
  [ -z "$stderr" ]
}

@test "compares the threads of a launch with the elements that are right" {
  spoiled '/^cudaError_t vector_add_device/,/^}/s/<<</&65535 < ceil_div(n, THREADS) ? 65535 : /
    s/<<<ceil_div(n, 4 \* THREADS)/<<<ceil_div(n \/ 4, THREADS) + (n < 4)/' \
    2 'has 16776960 threads, and the first 16776960 of 16777217 elements are right: there is no thread for' \
    further 'has 256 threads, and the first 1024 of 1025 elements are right, 4 a thread'
}

@test "names a launch of smaller blocks than those of which the number was computed" {
  spoiled '/^cudaError_t vector_add_device/,/^}/s/THREADS>>>/128>>>/' 2 \
    '<<<(1,1,1), (128,1,1)>>>, has 128 threads, and the first 128 of 255 elements are right'
}

@test "names a number of blocks that is kept from the first call, whatever the values look like" {
  spoiled 's/^  vector_add_kernel<<<ceil_div(n, THREADS), /  static const int b = ceil_div(n, THREADS);\n&/
    s/vector_add_kernel<<<ceil_div(n, THREADS), /vector_add_kernel<<<b, /' 2 \
    'The first call in a process is right, but not after calls with other sizes: something is kept'
}
