#!/usr/bin/env bats
# The checks of lesson08 against mistakes that learners make, correct answers in unusual style, and the
# starter, on the CPU backend.
# bats file_tags=long

export LESSON=lesson08 KINDS=cpu
load lesson_helper

# bats test_tags=slow
@test "reports a sum in float over too many cells of a thread" { mistake float-sum-of-one-block; }

@test "reports neighbouring threads that work down a column" { mistake cells-down-the-column; }

@test "reports strips whose overlap is too small, and a missing barrier before sums of warps are read" {
  reported cpu halo-too-narrow missing-barrier
}

# bats test_tags=slow
@test "reports one thread that sweeps the whole plate" { mistake one-thread-sweeps; }

# bats test_tags=slow
@test "reports an atomic for each thread" { mistake atomic-a-cell; }

# bats test_tags=slow
@test "reports a kernel that copies the plate back after each sweep" { mistake kernel-copies-back; }

# bats test_tags=slow
@test "reports a wait after each sweep in the solver for float" { mistake float-solver-waits; }

# bats test_tags=slow
@test "reports differences that are added without being squared" { mistake absolute-differences; }

# bats test_tags=slow
@test "reports an answer that remains in d_work after an odd number of sweeps" {
  mistake answer-left-in-work
}

# bats test_tags=slow
@test "reports a copy of the new plate over the old one after every sweep" { mistake copy-every-sweep; }

# bats test_tags=slow
@test "reports threads without a cell that return before the shuffles" { mistake early-return; }

# bats test_tags=slow
@test "reports threads on the edge that return without writing" { mistake edge-left-out; }

# bats test_tags=slow
@test "reports an edge of the new plate that is set to 0" { mistake edge-set-to-zero; }

# bats test_tags=slow
@test "reports an edge that is two rows wide at the end" { mistake edge-two-wide; }

# bats test_tags=slow
@test "reports that every lane of the first warp adds its part to the sum" { mistake every-thread-adds; }

# bats test_tags=slow
@test "reports a grid whose x covers the rows" { mistake grid-turned; }

# bats test_tags=slow
@test "reports shuffles in which only lanes with cells of their own take part" {
  mistake half-the-warp-shuffles
}

# bats test_tags=slow
@test "reports sweeps in place: a cell reads new values of its neighbours" { mistake in-place; }

# bats test_tags=slow
@test "reports the last row being treated as interior" { mistake last-row-as-inside; }

# bats test_tags=slow
@test "reports a missing limit on the number of sweeps" { mistake limit-forgotten; }

# bats test_tags=slow
@test "reports d_sum that is not freed" { mistake missing-free; }

# bats test_tags=slow
@test "reports the square of the norm being compared with the tolerance" { mistake no-square-root; }

# bats test_tags=slow
@test "reports an answer that remains in d_work after an odd number of launches" { mistake odd-launch-lost; }

# bats test_tags=slow
@test "reports a test of the previous change, one batch too late" { mistake old-change-tested; }

# bats test_tags=slow
@test "reports d_sum that is not reset" { mistake old-sum-kept; }

# bats test_tags=slow
@test "reports the number of rows being used as the row length" { mistake row-length-mistaken; }

# bats test_tags=slow
@test "reports a band that starts at its own first row, without the rows above it" {
  mistake rows-above-not-loaded
}

# bats test_tags=slow
@test "reports a source that is added after the division, so four times" { mistake source-four-times; }

# bats test_tags=slow
@test "reports a missing source" { mistake source-missing; }

# bats test_tags=slow
@test "reports row and column of the source that are exchanged" { mistake source-exchanged; }

# bats test_tags=slow
@test "reports changes that are looked at after sweeps 1, 1 + check_every and so on" {
  mistake checks-from-the-first
}

# bats test_tags=slow
@test "reports plates that are not swapped" { mistake swap-forgotten; }

# bats test_tags=slow
@test "reports rows that are read as float4 because rows * cols is a multiple of 4" {
  mistake float4-by-all-cells
}

# bats test_tags=slow
@test "reports the square of a difference that is multiplied out" { mistake square-multiplied-out; }

# bats test_tags=slow
@test "reports a number of checks that overflows" { mistake checks-overflow; }

# bats test_tags=slow
@test "reports a host that waits after every sweep" { mistake wait-every-sweep; }

# bats test_tags=slow
@test "reports an allocation whose error is lost" { mistake allocation-unchecked; }

# bats test_tags=slow
@test "reports another error than the one that occurred" { mistake one-error-for-all; }

# bats test_tags=slow
@test "a one-dimensional grid, grid strides and an atomic per thread lose no point" {
  right_answer one-dimension.cu && full_marks one-dimension.cu
}

# bats test_tags=slow
@test "tiles in shared memory and a graph in a stream lose no point" {
  right_answer tiles-and-graph.cu && full_marks tiles-and-graph.cu
}

# bats test_tags=slow
@test "a sweep that sums its own change loses no point" {
  right_answer fused-change.cu && full_marks fused-change.cu
}

# bats test_tags=slow
@test "a host that queues eight batches before it checks loses no point" {
  right_answer far-ahead.cu && full_marks far-ahead.cu
}

# bats test_tags=slow
@test "deep tiles in dynamic shared memory lose no point" {
  right_answer deep-tiles.cu && full_marks deep-tiles.cu
}

# bats test_tags=slow
@test "a weight in constant memory and a host that polls lose no point" {
  right_answer constant-weight.cu && full_marks constant-weight.cu
}

@test "a change with room of its own, allocated in the stream, loses no point" {
  right_answer room-in-the-stream.cu && full_marks room-in-the-stream.cu
}

@test "the starter compiles without a warning and fails every task" { starter_fails_every_task; }

@test "every stage of the solution gives the bits of plain sweeps, and the solver stops anywhere in a chunk" {
  run -0 "$ROOT/common/cpu/cucc" -O2 -I "$ROOT/lessons/lesson08" -o "$BATS_TEST_TMPDIR/stages" \
    "$ROOT/tests/lessons/stages08.cu"
  run -0 "$BATS_TEST_TMPDIR/stages"
  [ "$output" = '20 stages and 12 solutions compared' ]
}

@test "the solution draws the plate, with the same sweeps and middle value as the host" {
  run -0 make -C "$ROOT" -s solution08 BACKEND=cpu WORK="$WORK"
  run -0 "$WORK/build/cpu/solution08" --size 24 --image "$BATS_TEST_TMPDIR/plate.ppm"
  [[ $output =~ host.*' 918 ' ]]
  [[ $output =~ 'solve, double '.*' 918 '.*'+0.0e+00' ]]
  [ "$(head -c 2 "$BATS_TEST_TMPDIR/plate.ppm")" = P6 ]
}

# bats test_tags=slow
@test "warns of an index in int, since the contract allows more than 2^31 cells" {
  warned_of_int 1 'with rows cols = 46349x46351' '(size_t)row * plate.cols + col;' 'row * plate.cols + col;'
}

# bats test_tags=slow
@test "reports memory that is not freed after an error" { mistake sum-left-after-an-error; }

# bats test_tags=slow
@test "reports a solver that stops at a change equal to the tolerance" { mistake stops-at-equal; }

# bats test_tags=slow
@test "reports that the solver in float compares the square of the change" { mistake float-square-compared; }

# bats test_tags=slow
@test "names the result of an odd number of sweeps that stays in d_work" {
  named 's/if (!error && now != d_p) error/if (0) error/' 3 \
    'after an odd number of sweeps the result is in d_work'
}

@test "names the whole strength at the source, and a sum of first warps" {
  SEED=7 spoiled 's/sum += (real)plate.strength;/sum += 4 * (real)plate.strength;/
    s/lane < SUM_THREADS \/ WARP ? part_of_warp\[lane\] : 0/lane == 0 ? part_of_warp[0] : 0/' \
    1 'here all of it was added' 2 "the cells of a block's first warp" 4 'here all of it was added'
}

# bats test_tags=slow
@test "names an edge that is too wide, a sum of first lanes, equality, and the change of an earlier sweep" {
  spoiled 's/row == plate.rows - 1 || col == 0 || col == plate.cols - 1/row >= plate.rows - 2 || col == 0/
    s/  part = warp_sum(part);//' \
    1 'as if the cell were on the edge' 2 "that of a warp's first thread"
  spoiled 's/change < stop.tolerance)/change <= stop.tolerance)/' 3 '0 is not below 0'
  spoiled 's/if (!error) error = launch_change(next/if (batch == due) error = launch_change(next/' \
    3 'is it computed after that one, too'
}

# bats test_tags=slow
@test "names a side of the edge, squares, a tolerance of its own, a source in halos, and a result in d_work" {
  spoiled 's/ || col == 0 || col == plate.cols - 1) {/) {/
    s/part += difference \* difference/part += difference * ((double)d_next[i] + d_p[i])/' \
    1 'it is in the first or last column' 2 'it is the difference of the squares' \
    further 'it is in the first or last column'
  spoiled '/^cudaError_t solve_float/,/^}/s/^  return/  if (stop.tolerance < 1e-6) stop.tolerance = 1e-6;\n&/
    s/^  const bool ours = lane >= halo.*/&\n  if (plate.source_row < first) plate.source_row = -9;/' \
    4 'Is the tolerance compared as it is' further 'also in a halo'
  spoiled '/^cudaError_t sweeps/,/^}/{s/while (count > 0/while (count > 0 \&\& all % 2/
    s/^  int processors/  const int all = count;\n&/}' further 'the value from before all sweeps'
}

# bats test_tags=slow
@test "solvers whose grid is too high for 500,000 rows, and sweeps that lose a NaN, are reported" {
  export WB_TIME_LIMIT=600
  spoiled 's/dim3 threads(WARP, 8)/dim3 threads(256, 1)/; s/^  if (!error) error = run_ahead.*//
    /^static __device__ float4 times(/,/^}/s/factor \* v.\([xyzw]\)/fmaxf(factor * v.\1, -3e38f)/g' \
    3 '500000x16x7x3: it returned 1' 4 '500000x16x7x3: it returned 1' further '(with NaN among the inputs)'
}

@test "reports threads that add up a hundred squares in float" {
  spoiled '/^static __global__ void change_kernel/,/^}/s/double part = 0/float part = 0/
    /^static __global__ void change_kernel/,/^}/s/part += difference/part += (float)difference/
    /^static cudaError_t launch_change/,/^}/s/kernel<<<blocks/kernel<<<blocks < 16 ? blocks : 16/' \
    2 '4096 cells move by 1, all others move very little'
}

# bats test_tags=slow
@test "warns of an index in int that change compares with a size_t" {
  warned_of_int 2 'cols moves = 46350x47100x1, which the contract allows: the kernels touch nothing' \
    'for (size_t i = (size_t)blockIdx' 'for (int i = blockIdx'
}

@test "names rows that begin too close, a change that gets no smaller, and another number of sweeps" {
  spoiled 's/row \* plate.cols + col; .. a plate may/row * plate.rows + col; \/* a plate may/
    s/reached->change = sqrt(sum);/reached->change = sqrt(sum) + 1;/
    s/  while (count > 0 && !error) {/  count = (count + 3) \/ 4 * 4;\n&/' \
    1 'where a row begins 2 elements after the one before' 3 'does each sweep read what the sweep before' \
    further 'it is the value after 4 sweeps, and 1 was asked for'
}

@test "every mistake and every correct answer has a test" { each_is_tested; }

@test "reports that one block adds up the change of a whole plate" {
  named 's/const unsigned most = 2048;/const unsigned most = 1;/' 2 'Each of its launches has one block'
}
