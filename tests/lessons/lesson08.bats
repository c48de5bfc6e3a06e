#!/usr/bin/env bats
# The checks of lesson08 against mistakes that learners make, right answers in unusual clothes, and the starter, on the
# CPU backend.

export LESSON=lesson08 KINDS=cpu
load lesson_helper

# bats test_tags=slow
@test "told: the differences are added, not their squares" { mistake absolute-differences; }

# bats test_tags=slow
@test "told: the answer stays in d_work after an odd number of sweeps" { mistake answer-left-in-work; }

# bats test_tags=slow
@test "told: the new plate is copied over the old one after every sweep" { mistake copy-every-sweep; }

# bats test_tags=slow
@test "told: threads without a cell leave before the shuffles" { mistake early-return; }

# bats test_tags=slow
@test "told: threads on the edge return without writing" { mistake edge-left-out; }

# bats test_tags=slow
@test "told: the edge of the new plate is set to 0 instead of kept" { mistake edge-set-to-zero; }

# bats test_tags=slow
@test "told: the edge is two rows wide at the end" { mistake edge-two-wide; }

# bats test_tags=slow
@test "told: every lane of the first warp adds its part to the sum" { mistake every-thread-adds; }

# bats test_tags=slow
@test "told: the grid is turned: its x covers the rows" { mistake grid-turned; }

# bats test_tags=slow
@test "told: only lanes with cells of their own take part in the shuffles" { mistake half-the-warp-shuffles; }

@test "told: the strips overlap too little for eight sweeps" { mistake halo-too-narrow; }

# bats test_tags=slow
@test "told: sweeps within one plate: a cell meets new values of its neighbours" { mistake in-place; }

# bats test_tags=slow
@test "told: the last row counts as inside" { mistake last-row-as-inside; }

# bats test_tags=slow
@test "told: nothing ends it but the tolerance" { mistake limit-forgotten; }

@test "told: the first warp reads sums that other warps have not written yet" { mistake missing-barrier; }

# bats test_tags=slow
@test "told: d_sum is never freed" { mistake missing-free; }

# bats test_tags=slow
@test "told: the square of the norm is compared with the tolerance" { mistake no-square-root; }

# bats test_tags=slow
@test "told: the answer stays in d_work after an odd number of launches" { mistake odd-launch-lost; }

# bats test_tags=slow
@test "told: the change of the check before is tested: one batch too late" { mistake old-change-tested; }

# bats test_tags=slow
@test "told: what stood in d_sum before is counted too" { mistake old-sum-kept; }

# bats test_tags=slow
@test "told: rows are taken for as long as columns" { mistake row-length-mistaken; }

# bats test_tags=slow
@test "told: a band begins at its own first row, without the rows above" { mistake rows-above-not-loaded; }

# bats test_tags=slow
@test "told: the source is added after the division, so four times" { mistake source-four-times; }

# bats test_tags=slow
@test "told: nobody adds the source" { mistake source-missing; }

# bats test_tags=slow
@test "told: the plates do not change places" { mistake swap-forgotten; }

# bats test_tags=slow
@test "told: the host waits after every sweep" { mistake wait-every-sweep; }

# bats test_tags=slow
@test "one dimension, strides of the whole grid, an atomic a thread lose no point" {
  right_answer one-dimension.cu && full_marks one-dimension.cu
}

# bats test_tags=slow
@test "tiles in shared memory and a graph in a stream lose no point" {
  right_answer tiles-and-graph.cu && full_marks tiles-and-graph.cu
}

# bats test_tags=slow
@test "a sweep that sums its own change loses no point" { right_answer fused-change.cu && full_marks fused-change.cu; }

@test "a host that queues eight batches before it asks loses no point" {
  right_answer far-ahead.cu && full_marks far-ahead.cu
}

# bats test_tags=slow
@test "deep tiles in dynamic shared memory lose no point" { right_answer deep-tiles.cu && full_marks deep-tiles.cu; }

@test "the starter compiles without a warning and fails every task" { starter_fails_every_task; }

@test "the seed's plate is drawn by the solution, with the host's count of sweeps and value in the middle" {
  run -0 make -C "$ROOT" -s solution08 BACKEND=cpu WORK="$WORK"
  run -0 "$WORK/build/cpu/solution08" --size 24 --image "$BATS_TEST_TMPDIR/plate.ppm"
  [[ $output =~ host.*' 918 ' ]]
  [[ $output =~ 'solve, double '.*' 918 '.*'+0.0e+00' ]]
  [ "$(head -c 2 "$BATS_TEST_TMPDIR/plate.ppm")" = P6 ]
}

@test "every mistake and every right answer here has its test" { each_is_tested; }
