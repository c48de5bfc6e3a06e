#!/usr/bin/env bats
# The checks of lesson06 against mistakes that learners make, correct answers in unusual style, and the
# starter, on the CPU backend.

export LESSON=lesson06 KINDS=cpu
load lesson_helper

@test "reports a write after a comparison, shuffles over half a warp, and a missing barrier before adding" {
  mistake compare-and-write half-a-warp missing-barrier-before-adding
}

@test "reports floats that threads add by atomics in shared memory" { reported cpu shared-float-atomics; }

@test "reports a last warp whose value the first warp leaves out" {
  SEED=1 reported cpu last-warp-lost
}

# bats test_tags=slow
@test "reports one thread that adds the sums of all blocks, more additions than allowed" {
  mistake one-thread-adds-the-parts
}

# bats test_tags=slow
@test "reports a number of blocks that is cut to 65535" { mistake grid-cut-at-65535; }

# bats test_tags=slow
@test "reports a NaN among the last floats that replaces the maximum" { mistake nan-takes-the-place; }

# bats test_tags=slow
@test "reports counts of a block that do not fit into 16 bits" { mistake counts-of-16-bits; }

# bats test_tags=slow
@test "reports a maximum that the host finds in managed memory" { mistake host-finds-it-in-managed-memory; }

# bats test_tags=slow
@test "reports one thread that goes through all elements" { mistake one-thread-finds-it; }

# bats test_tags=slow
@test "reports threads that all read the same elements" { mistake every-thread-reads-all; }

# bats test_tags=slow
@test "reports atomics of each warp next to empty blocks" { mistake empty-blocks; }

# bats test_tags=slow
@test "reports a global atomic by each warp" { mistake atomic-of-every-warp; }

# bats test_tags=slow
@test "reports blocks that overwrite each other's counts" { mistake blocks-overwrite; }

# bats test_tags=slow
@test "reports d_counts that is not reset before the count" { mistake counts-not-reset; }

# bats test_tags=slow
@test "reports counts in shared memory that are not set to 0" { mistake counts-not-zeroed; }

# bats test_tags=slow
@test "reports threads without an element that return before the shuffles" { mistake early-return; }

# bats test_tags=slow
@test "reports a sum of only 256 partial sums" { mistake first-block-only; }

# bats test_tags=slow
@test "reports an atomicAdd of floats by each block: the result depends on the order of blocks" {
  mistake float-atomics
}

# bats test_tags=slow
@test "reports a maximum of floats that starts at 0, above every negative number" {
  mistake float-maximum-starts-at-zero
}

# bats test_tags=slow
@test "reports the bits of every float being compared as int" { mistake floats-as-integers; }

# bats test_tags=slow
@test "reports correct counts with one global atomic a byte" { mistake global-atomic-a-byte; }

# bats test_tags=slow
@test "reports one to three floats after the last float4 that are left out" { mistake last-floats-forgotten; }

# bats test_tags=slow
@test "reports a result that is not set before the first comparison" { mistake maximum-not-set; }

# bats test_tags=slow
@test "reports a maximum that starts at 0, above every negative number" { mistake maximum-starts-at-zero; }

# bats test_tags=slow
@test "reports a missing barrier between setting the counts to 0 and counting" {
  mistake missing-barrier-after-zeroing
}

# bats test_tags=slow
@test "reports a missing barrier before the first warp reads the other warps' sums" {
  mistake missing-barrier-between-warps
}

# bats test_tags=slow
@test "reports a missing bounds check" { mistake missing-guard; }

# bats test_tags=slow
@test "reports a comparison that lets a NaN through" { mistake nan-wins; }

# bats test_tags=slow
@test "reports blocks that all write their sums to the same element" { mistake one-place-for-all; }

# bats test_tags=slow
@test "reports counting by ++ without an atomic" { mistake plain-increment; }

# bats test_tags=slow
@test "reports a sign test by value, which takes -0.0 as positive" { mistake sign-by-comparison; }

# bats test_tags=slow
@test "reports bytes that are read as signed numbers" { mistake signed-bytes; }

# bats test_tags=slow
@test "reports the minimum as int for negative floats, which overwrites a positive one" {
  mistake signed-minimum
}

# bats test_tags=slow
@test "reports an overrun of d_work by one slot per 256 elements" { mistake work-overrun; }

@test "only the sum of floats by atomics depends on the order of blocks, as the page says" {
  local order
  run -0 "$ROOT/common/cpu/cucc" -Wall -Wextra -o "$BATS_TEST_TMPDIR/order" \
    "$ROOT/lessons/lesson06/driver/demo/order.cu"
  [ -z "$output" ]
  for order in forward reverse random:1; do
    CUCC_WORKERS=1 CUCC_ORDER=$order "$BATS_TEST_TMPDIR/order"
  done >"$BATS_TEST_TMPDIR/printed" 2>&1
  diff "$BATS_TEST_TMPDIR/printed" <(grep '^integers ' "$ROOT/lessons/lesson06/README.md")
}

@test "the starter compiles without a warning and fails every task" { starter_fails_every_task; }

# bats test_tags=slow
@test "reports a launch whose error is not returned" { mistake error-of-the-launch-forgotten; }

# bats test_tags=slow
@test "reports an unchecked cudaMemset" { mistake zeroing-unchecked; }

# bats test_tags=slow
@test "reports a block that ends each of its tiles with an atomic" { mistake atomic-for-each-tile; }

# bats test_tags=slow
@test "reports a maximum that skips infinities" { mistake infinities-skipped; }

# bats test_tags=slow
@test "compare-and-swap, a histogram for each warp and a sum in double lose no point" {
  right_answer compare-and-swap.cu && full_marks compare-and-swap.cu
}

# bats test_tags=slow
@test "floats as integers, equal bytes of a warp at once, and a sum by the last block lose no point" {
  right_answer vote-and-match.cu && full_marks vote-and-match.cu
}

# bats test_tags=slow
@test "a created stream, butterfly shuffles and a compensated sum lose no point" {
  right_answer own-stream.cu && full_marks own-stream.cu
}

# bats test_tags=slow
@test "a single block, exchanges and two counts in a word lose no point" {
  right_answer one-block.cu && full_marks one-block.cu
}

# bats test_tags=slow
@test "cooperative groups and templates lose no point" { right_answer groups.cu && full_marks groups.cu; }

# bats test_tags=slow
@test "bytes that are read as signed char are named" {
  named 's/counts\[d_x\[16/counts[(signed char)d_x[16/' 3 \
    'a byte as signed char, which is negative from 128 on'
}

@test "does not blame signed char where no byte was below 128, and a barrier is missing" {
  local dir=$BATS_TEST_TMPDIR/barrier
  mkdir "$dir"
  sed '/histogram_wide_kernel(/,/__syncthreads/s/__syncthreads();//' \
    "$ROOT/solutions/lesson06/atomics.cu" >"$dir/atomics.cu"
  program cpu "$dir"
  run -1 "$dir/lesson06-cpu" --no-timing --task 3 --size 1x1 --seed 12
  [[ $output == *"d_counts[182] is 0, expected 1"* && $output != *"signed char"* ]]
}

@test "does not blame static variables where counts of a block are not all set to 0" {
  local dir=$BATS_TEST_TMPDIR/half
  mkdir "$dir"
  sed 's/i < BINS \* copies; i += COUNTERS) counts/i < BINS * copies \/ 2; i += COUNTERS) counts/' \
    "$ROOT/solutions/lesson06/atomics.cu" >"$dir/atomics.cu"
  program cpu "$dir"
  run -1 "$dir/lesson06-cpu" --no-timing --task 3 --seed 2
  [[ $output == *"memory is read that nothing wrote in this call"* && $output != *"static or global"* ]]
}

@test "names a component that is not looked at, a rest that each block counts, threads that end early" {
  spoiled 's/fmaxf(v.z, v.w)/fmaxf(v.z, v.z)/
    s/if (first < n % 16)/if (threadIdx.x < n % 16)/; s/vectors + first\]/vectors + threadIdx.x]/' \
    2 'nor on any other with index % 4 == 3' 3 'bytes are counted 2 times: does each of 2 blocks count them?'
  spoiled 's/^  const int copy = threadIdx.x.*/&\n  if (first >= vectors \&\& first >= n % 16) return;/' \
    3 'do the threads of the others end before they add'
}

@test "names a comparison that lets NaN through, and not memory that was never written" {
  spoiled '/#include "atomics.h"/a static __device__ float larger(float a, float b) { return a > b ? a : b; }
    s/fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w))/larger(larger(v.x, v.y), larger(v.z, v.w))/' \
    2 '`a > b ? a : b` is b'
  [[ $output != *"never written"* ]]
}

@test "names wrong starts of a maximum, bytes that lose their upper bit, and a sum by one block" {
  spoiled 's/(d_max, INT32_MIN)/(d_max, -INT32_MAX)/
    s/set_kernel<<<1, 1>>>(d_max, -INFINITY)/cudaMemset(d_max, 255, 4)/
    /thread_sum(const/,/^}/{/LOADS \* stride)/,+1d}
    s/needed < SUM_BLOCKS ? (unsigned)needed : SUM_BLOCKS/needed > 0/
    s/word >> shift & (BINS - 1)/word >> shift \& 0x7f/; s/counts\[d_x\[16 /counts[0x7f \& d_x[16 /
    s/0x7f & d_x\[16 \* vectors + first\] \*/(0x7f \& d_x[16 * vectors + first]) */' \
    1 '-INT32_MAX takes part in it' 2 'These are bytes of 0xff from a cudaMemset' \
    3 'the upper bit of each byte got lost' \
    further 'more additions in a row than atomics.h allows'
}

# bats test_tags=slow
@test "names a zero that replaces a positive maximum, and blocks whose number comes from the device" {
  spoiled 's/if (__float_as_int(value) >= 0)/if (value > 0)/
    s/^static unsigned sum_blocks(size_t n) {/&\n  int count = 0;\
      cudaDeviceGetAttribute(\&count, cudaDevAttrMultiProcessorCount, 0);/
    s/needed < SUM_BLOCKS ? (unsigned)needed : SUM_BLOCKS/needed % (4u * count) + 1/' \
    2 'a zero has replaced a positive number' further 'gave other bits on a device with 132 multiprocessors'
}

@test "warns of an index in int that is larger than any size_t, so that nothing is done there" {
  warned_of_int 1 'n values = 2181038091x9, which the contract allows: the kernels touch nothing of d_x' \
    'const size_t i = (size_t)blockIdx' 'const int i = blockIdx'
}

@test "reports memory of the host that a function leaves, beside a warning" {
  named 's/const size_t i = (size_t)blockIdx/const int i = blockIdx/
    s/^  set_kernel<<<1, 1>>>(d_max, INT32_MIN);/  char *volatile k = new char[4000];\n  k[0] = 1;\n&/' 1 \
    'bytes of host memory were never freed: each call of maximum_global loses as many'
}

# bats test_tags=slow
@test "reports memory that a function leaves on the device" {
  named 's/^  const unsigned blocks = sum_blocks(n);/  float *d_x2;\n  cudaMalloc(\&d_x2, 64);\n&/' 0 \
    '64 bytes of device memory were never freed'
}

@test "every mistake and every correct answer has a test" { each_is_tested; }

# bats test_tags=slow
@test "all versions of the ladder are correct and without findings" {
  run -0 "$ROOT/common/cpu/cucc" -I "$ROOT/lessons/lesson06" -o "$BATS_TEST_TMPDIR/ladder06" \
    "$ROOT/tests/jobs/gpu/ladder06.cu"
  run -0 "$BATS_TEST_TMPDIR/ladder06" 12 1
  [ "$(grep -c '^| ' <<<"$output")" -ge 20 ]
  [[ $output != *WRONG* && $output != *check:* ]]
}

# bats test_tags=slow
@test "a sum in one kernel, whose last block adds up, loses no point" {
  right_answer ticket.cu && full_marks ticket.cu
}
