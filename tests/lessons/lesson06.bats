#!/usr/bin/env bats
# The checks of lesson06 against mistakes that learners make, right answers in unusual clothes, and the starter, on the
# CPU backend.

export LESSON=lesson06 KINDS=cpu
load lesson_helper

# bats test_tags=slow
@test "told: each warp calls the global atomic" { mistake atomic-of-every-warp; }

# bats test_tags=slow
@test "told: each block writes its counts over those of the others" { mistake blocks-overwrite; }

@test "told: reads, compares and writes, instead of an atomic" { mistake compare-and-write; }

# bats test_tags=slow
@test "told: what stood in d_counts before is counted too" { mistake counts-not-reset; }

# bats test_tags=slow
@test "told: the counts in shared memory are not set to 0" { mistake counts-not-zeroed; }

@test "told: threads without an element leave before the shuffles" { mistake early-return; }

# bats test_tags=slow
@test "told: adds up 256 of the sums only" { mistake first-block-only; }

# bats test_tags=slow
@test "told: an atomicAdd a block: the order of blocks shows" { mistake float-atomics; }

# bats test_tags=slow
@test "told: the maximum of floats begins at 0, above every negative number" { mistake float-maximum-starts-at-zero; }

# bats test_tags=slow
@test "told: the bits of every float are compared as int" { mistake floats-as-integers; }

# bats test_tags=slow
@test "told: counts in global memory: right, but one global atomic a byte" { mistake global-atomic-a-byte; }

# bats test_tags=slow
@test "told: the shuffles begin at 8 lanes, so half a warp is left out" { mistake half-a-warp; }

# bats test_tags=slow
@test "told: one to three floats behind the last float4 are left out" { mistake last-floats-forgotten; }

# bats test_tags=slow
@test "told: nobody sets the result before the first comparison" { mistake maximum-not-set; }

# bats test_tags=slow
@test "told: the maximum begins at 0, above every negative number" { mistake maximum-starts-at-zero; }

# bats test_tags=slow
@test "told: threads count while others still set the counts to 0" { mistake missing-barrier-after-zeroing; }

@test "told: counts are added up while others still count" { mistake missing-barrier-before-adding; }

# bats test_tags=slow
@test "told: the first warp reads what other warps have not written yet" { mistake missing-barrier-between-warps; }

# bats test_tags=slow
@test "told: the kernel has no guard" { mistake missing-guard; }

# bats test_tags=slow
@test "told: a comparison by hand lets a NaN through" { mistake nan-wins; }

# bats test_tags=slow
@test "told: all blocks leave their sums in the same place" { mistake one-place-for-all; }

# bats test_tags=slow
@test "told: counts by ++, without an atomic" { mistake plain-increment; }

# bats test_tags=slow
@test "told: the sign is asked of the value, so -0.0 counts as positive" { mistake sign-by-comparison; }

# bats test_tags=slow
@test "told: bytes are read as signed numbers" { mistake signed-bytes; }

# bats test_tags=slow
@test "told: negative floats take the minimum as int, and overwrite a positive one" { mistake signed-minimum; }

# bats test_tags=slow
@test "told: a place in d_work for every 256 elements, which are more than it has" { mistake work-overrun; }

@test "the order of blocks shows in the sum of floats by atomics, and nowhere else, as the page says" {
  local order
  run -0 "$ROOT/common/cpu/cucc" -Wall -Wextra -o "$BATS_TEST_TMPDIR/order" "$ROOT/lessons/lesson06/demo/order.cu"
  [ -z "$output" ]
  for order in forward reverse random:1; do
    CUCC_WORKERS=1 CUCC_ORDER=$order "$BATS_TEST_TMPDIR/order"
  done >"$BATS_TEST_TMPDIR/printed" 2>&1
  diff "$BATS_TEST_TMPDIR/printed" <(grep '^integers ' "$ROOT/lessons/lesson06/README.md")
}

@test "the starter compiles without a warning and fails every task" { starter_fails_every_task; }

# bats test_tags=slow
@test "compare and swap, a histogram a warp, a sum in double lose no point" {
  right_answer compare-and-swap.cu && full_marks compare-and-swap.cu
}

# bats test_tags=slow
@test "floats in the order of integers, equal bytes of a warp counted at once lose no point" {
  right_answer vote-and-match.cu && full_marks vote-and-match.cu
}

# bats test_tags=slow
@test "a stream of its own, butterflies, a sum with compensation lose no point" {
  right_answer own-stream.cu && full_marks own-stream.cu
}

# bats test_tags=slow
@test "one block for all, exchanges, two counts in a word lose no point" { right_answer one-block.cu && full_marks one-block.cu; }

# bats test_tags=slow
@test "cooperative groups and templates lose no point" { right_answer groups.cu && full_marks groups.cu; }

@test "every mistake and every right answer here has its test" { each_is_tested; }

# bats test_tags=slow
@test "the ladder's versions, simple to fast, are all right and clean" {
  run -0 "$ROOT/common/cpu/cucc" -I "$ROOT/lessons/lesson06" -o "$BATS_TEST_TMPDIR/ladder06" "$ROOT/tests/jobs/gpu/ladder06.cu"
  run -0 "$BATS_TEST_TMPDIR/ladder06" 12 1
  [ "$(grep -c '^| ' <<<"$output")" -ge 20 ]
  [[ $output != *WRONG* && $output != *check:* ]]
}
