#!/usr/bin/env bats
# The checks of lesson10 against mistakes that learners make, correct answers in unusual style, and the
# starter, on the CPU backend.

export LESSON=lesson10 KINDS=cpu
load lesson_helper

@test "reports pieces that threads add by atomics in shared memory" { reported cpu pieces-by-shared-atomics; }

@test "reports an area without its sign" { mistake area-without-sign; }

@test "reports as many pieces as the grid has threads" { reported cpu pieces-by-grid; }

# bats test_tags=slow
@test "reports a result whose copy is not waited for" { mistake result-not-awaited; }

# bats test_tags=slow
@test "reports one column after the last where a thread takes whole groups of columns" {
  mistake column-after-the-last
}

@test "the starter compiles without a warning and fails every task" { starter_fails_every_task; }

@test "the errors of the rule, of Richardson and of random points are as the page says" {
  run -0 "$ROOT/common/cpu/cucc" -Wall -Wextra -I "$ROOT/lessons/lesson10" -o "$BATS_TEST_TMPDIR/errors" \
    "$ROOT/lessons/lesson10/driver/demo/errors.cu" "$ROOT/solutions/lesson10/integration.cu"
  [ -z "$output" ]
  "$BATS_TEST_TMPDIR/errors" >"$BATS_TEST_TMPDIR/printed"
  diff "$BATS_TEST_TMPDIR/printed" <(page | awk '/^cells /, /^```/' | grep -v '^`')
}

# bats test_tags=slow
@test "reports pieces that are added up on the host" { mistake added-on-the-host; }

# bats test_tags=slow
@test "reports sin(u + v) made from sines and cosines of u and v" { mistake addition-theorem; }

# bats test_tags=slow
@test "reports a sum that is not multiplied by the area of a cell" { mistake area-forgotten; }

# bats test_tags=slow
@test "reports an atomic by every thread" { mistake atomic-of-every-thread; }

# bats test_tags=slow
@test "reports pieces that are added up by atomics" { mistake atomics-of-pieces; }

# bats test_tags=slow
@test "reports last columns that are left out" { mistake columns-left-over; }

# bats test_tags=slow
@test "reports points past the last column" { mistake columns-outside; }

# bats test_tags=slow
@test "reports nx - 1 in the place of nx: the points of linspace" { mistake division-by-one-too-few; }

# bats test_tags=slow
@test "reports a copy whose error is not returned" { mistake error-unchecked; }

# bats test_tags=slow
@test "reports a difference that is divided by 15" { mistake estimate-of-a-fifteenth; }

# bats test_tags=slow
@test "reports blocks that all take every row" { mistake every-block-adds-all; }

# bats test_tags=slow
@test "reports a float for the sum of a thread" { mistake float-sum; }

# bats test_tags=slow
@test "reports points that begin with number 0" { mistake from-zero; }

# bats test_tags=slow
@test "reports pieces that a block of any size adds up" {
  mistake joined-by-any-block
}

# bats test_tags=slow
@test "reports a key that does not grow" { mistake key-stays; }

# bats test_tags=slow
@test "reports last cells that are in no piece" { mistake last-cells-forgotten; }

# bats test_tags=slow
@test "reports a second launch whose error is lost" { mistake launch-unchecked; }

# bats test_tags=slow
@test "reports the lower left corners of the cells instead of their middles" { mistake left-edges; }

# bats test_tags=slow
@test "reports a missing barrier between the rounds of the tree" { mistake missing-barrier; }

# bats test_tags=slow
@test "reports a product that is computed in 32 bits" { mistake narrow-product; }

# bats test_tags=slow
@test "reports nine rounds instead of ten" { mistake nine-rounds; }

# bats test_tags=slow
@test "reports a mean without the area" { mistake no-area; }

# bats test_tags=slow
@test "reports a missing test for no cells" { mistake no-cells-unchecked; }

# bats test_tags=slow
@test "reports the left edges of the cells instead of their middles" { mistake no-half-in-x; }

# bats test_tags=slow
@test "reports a sum in the place of the mean" { mistake not-divided-by-n; }

# bats test_tags=slow
@test "reports a result that is not set to 0 before the blocks add to it" { mistake not-zeroed; }

# bats test_tags=slow
@test "reports one working thread in each block" { mistake one-thread-a-block; }

# bats test_tags=slow
@test "reports blocks that overwrite each other's sums" { mistake overwritten; }

# bats test_tags=slow
@test "reports a piece for each cell: more than d_work has room for" { mistake piece-a-cell; }

# bats test_tags=slow
@test "reports threads with seeds of their own" { mistake points-by-thread; }

# bats test_tags=slow
@test "reports a loop over the rows that includes row ny" { mistake row-too-many; }

# bats test_tags=slow
@test "reports two results in the same place" { mistake same-sum-twice; }

# bats test_tags=slow
@test "reports nx and ny exchanged in the launch" { mistake sides-exchanged; }

# bats test_tags=slow
@test "reports a key without the upper word of the seed" { mistake upper-word-of-the-seed; }

# bats test_tags=slow
@test "reports a difference that is taken for the error" { mistake whole-difference; }

# bats test_tags=slow
@test "reports a lower word that is taken for the upper one" { mistake words-exchanged; }

# bats test_tags=slow
@test "reports an estimate with the wrong sign" { mistake wrong-sign; }

# bats test_tags=slow
@test "reports a kernel that sets the result to 0 while other blocks add to it" {
  mistake zeroed-in-the-kernel
}

# bats test_tags=slow
@test "integers that add up in any order, and shuffles, lose no point" {
  right_answer fixed-point.cu && full_marks fixed-point.cu
}

# bats test_tags=slow
@test "a last block that adds up the pieces, and functors, lose no point" {
  right_answer last-block.cu && full_marks last-block.cu
}

# bats test_tags=slow
@test "sums of rows by Kahan, blocks of two dimensions and a stream lose no point" {
  right_answer rows.cu && full_marks rows.cu
}

# bats test_tags=slow
@test "cooperative groups and tiles lose no point" { right_answer groups.cu && full_marks groups.cu; }

# bats test_tags=slow
@test "a thread for each row, compare-and-swap and memory of its own lose no point" {
  right_answer thread-a-row.cu && full_marks thread-a-row.cu
}

# bats test_tags=slow
@test "reports places of columns that are floats" { mistake float-columns; }

@test "reports kept sines of columns, with which f is not called" { mistake sines-of-columns; }

# bats test_tags=slow
@test "reports a grid of more than 65535 blocks in y" { mistake grid-too-high; }

# bats test_tags=slow
@test "reports the right edges of the cells instead of their middles" { mistake right-edges; }

# bats test_tags=slow
@test "reports hx in the place of hy" { mistake width-for-height; }

# bats test_tags=slow
@test "reports a half of the difference" { mistake half-the-difference; }

# bats test_tags=slow
@test "reports a finer grid with twice the columns only" { mistake only-x-refined; }

# bats test_tags=slow
@test "reports a mean of n points that is divided by n + 1" { mistake by-one-too-many; }

# bats test_tags=slow
@test "reports 4 bytes that are copied of a double" { mistake four-bytes-back; }

@test "reports a tree for a power of two, a counter of 32 bits, and one grid whatever grid is asked for" {
  WITH="tree-for-a-power-of-two number-of-32-bits" named \
    's/pieces_kernel<<<blocks, threads>>>/pieces_kernel<<<64, 128>>>/' 2 \
    'asks for 24 blocks of 128 threads, and no launch was such'
}

# bats test_tags=slow
@test "random points from one grid, whatever grid is asked for, are reported" {
  named 's/points_kernel<<<blocks, threads>>>/points_kernel<<<24, 128>>>/' 4 \
    'asks for 7 blocks of 96 threads, and no launch was such'
}

# bats test_tags=slow
@test "an empty launch of the grid that is asked for, beside the one that works, is reported" {
  named 's/^static cudaError_t join(/static __global__ void idle_kernel() {}\n&/
    s/pieces_kernel<<<blocks, threads>>>/idle_kernel<<<blocks, threads>>>();\n  pieces_kernel<<<64, 128>>>/' \
    2 'asks for 24 blocks of 128 threads, and such a launch did not call the function'
}

# bats test_tags=slow
@test "a launch of the grid that is asked for that makes a few of the calls is reported" {
  named 's/for (size_t i = threadIdx.x; i < nx;/if ((gridDim.x == 77) == (j > 0))\n      &/
    s/integrate_kernel<<<blocks.* d_work);/integrate_kernel<<<77, 96>>>(p, nx, ny, d_work);\n  &/' \
    1 'but launches of other shapes made'
}

# bats test_tags=slow
@test "names exchanged results, points of the upper words alone, and one number for both sides" {
  spoiled 's/&d_work\[0\]);/\&d_work[2]);/; s/&d_work\[1\]);/\&d_work[0]);/; s/&d_work\[2\]/\&d_work[1]/' 3 \
    'it is I(2 nx, 2 ny), the result for twice as many columns and rows'
  spoiled 's/return (double)(bits >> 11) .*/return bits ? high \/ 4294967296.0 : 0;/' 4 'from w1 and w3 alone'
  spoiled 's/y0 + v \* /y0 + (v ? u : 0) * /' 4 'the points with u for v'
}

# bats test_tags=slow
@test "chunks of fixed size, a shared atomic and a fold by halves lose no point" {
  right_answer chunks.cu && full_marks chunks.cu
}

# bats test_tags=slow
@test "names keys that grow by each other's number, exchanged factors, and a seed in the place of first" {
  spoiled 's/k0 += 0x9E3779B9/k0 += 0xBB67AE85/; s/k1 += 0xBB67AE85/k1 += 0x9E3779B9/' 4 \
    "keys that grow by each other's number"
  spoiled 's/0xD2511F53 \* c.x, q = (uint64_t)0xCD9E8D57/0xCD9E8D57 * c.x, q = (uint64_t)0xD2511F53/' 4 \
    'the factors of p and q exchanged'
  spoiled 's/(p.y1 - p.y0) \/ n;/(p.y1 - p.y0) \/ (n + 255);/' 4 'not divided by n, but by another number'
  spoiled 's/threads>>>(p, seed, first,/threads>>>(p, first, seed,/' 4 \
    'seed and first are exchanged'
}

@test "warns of a number of cells in int, since the contract allows more than 2^32" {
  warned_of_int 2 'with nx ny grids = 92683x92681x1' 'const size_t cells = nx * ny, threads' \
    'const int cells = nx * ny; const size_t threads'
}

# bats test_tags=slow
@test "warns of a number of points in int" {
  warned_of_int 4 'with n first grids = 8589934603x4294967290x1' 'uint64_t first_point, size_t n' \
    'uint64_t first_point, int n'
}

# bats test_tags=slow
@test "warns of a product in 32 bits in tasks 1 and 3" {
  local loops='for (size_t j = blockIdx.x; j < ny; j += gridDim.x)'
  warned_of_int 1 'with nx ny blocks threads = 92683x92681x32768x8' "$loops" \
    "for (size_t j = blockIdx.x, all = (unsigned)(nx * ny); j * nx < all; j += gridDim.x)"
  warned_of_int 3 'with nx ny blocks threads = 92683x92681x32768x8' "$loops" \
    "for (size_t j = blockIdx.x, all = (unsigned)(nx * ny); j * nx < all; j += gridDim.x)"
}

@test "names the mistake in a wrong sum, whatever the problem" {
  gcc -O1 -Wall -Wextra -I "$ROOT/lessons/lesson10" -I "$ROOT/lessons/lesson10/driver" \
    -I "$ROOT/common" -I "$ROOT/common/cpu/include" -o "$BATS_TEST_TMPDIR/causes" \
    "$BATS_TEST_DIRNAME/causes/lesson10.c" "$ROOT/lessons/lesson10/driver/"{causes,oracle}.c -lm
  for seed in 1 2 3; do "$BATS_TEST_TMPDIR/causes" "$seed"; done
}

@test "names a launch whose threads make a call each and leave the rest" {
  named 's/k < pieces; k += threads)/k < pieces; k += threads + pieces)/' 2 \
    'In a launch of 3 blocks of 1 thread each thread made one: does it go on to what is left?'
}

@test "every mistake and every correct answer has a test" { each_is_tested; }

@test "the page quotes the messages of the grader" { page_quotes_messages; }
