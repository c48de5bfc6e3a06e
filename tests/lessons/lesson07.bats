#!/usr/bin/env bats
# The checks of lesson07 against mistakes that learners make, correct answers in unusual style, and the
# starter, on the CPU backend.

export LESSON=lesson07 KINDS=cpu
load lesson_helper

@test "reports that B is read as if its rows and columns were exchanged" { mistake b-by-columns; }

@test "reports B's last row for zeros and a compensated sum, by infinities, and a copy of B at some shapes" {
  mistake last-row-for-zeros compensated-sum rows-copied-to-a-pitch
}

@test "reports one row a block, too few blocks for the rows of the contract, and a missing barrier" {
  reported cpu one-row-a-block missing-barrier-after-use
}

# bats test_tags=slow
@test "reports one thread that computes a whole row" { mistake one-thread-a-row; }

# bats test_tags=slow
@test "reports adding to the previous content of C" { mistake adds-to-old-content; }

# bats test_tags=slow
@test "reports a correct kernel in which each warp reads a column" { mistake columns-not-rows; }

# bats test_tags=slow
@test "reports threads beyond the edge that return before the barriers and load nothing" {
  mistake early-return
}

# bats test_tags=slow
@test "reports tile elements beyond the edge that are not set to 0" { mistake edge-not-zeroed; }

# bats test_tags=slow
@test "reports a launch of 0 blocks for n = 0 or m = 0" { mistake empty-grid; }

# bats test_tags=slow
@test "reports a missing bounds check when the last tile is loaded" { mistake fetches-past-the-edge; }

# bats test_tags=slow
@test "reports a number of blocks that is rounded down" { mistake grid-rounded-down; }

# bats test_tags=slow
@test "reports a bounds check that compares the row with the number of columns" { mistake guard-swapped; }

# bats test_tags=slow
@test "reports terms after the last whole tile that are left out" { mistake last-tile-dropped; }

# bats test_tags=slow
@test "reports a missing barrier between filling the tiles and using them" {
  mistake missing-barrier-after-filling
}

# bats test_tags=slow
@test "reports a missing bounds check in the naive kernel" { mistake missing-guard; }

# bats test_tags=slow
@test "reports a correct result from the naive kernel, without tiles" { mistake no-tiles; }

# bats test_tags=slow
@test "reports a partial first tile that is copied as a full one" { mistake odd-terms-copied; }

# bats test_tags=slow
@test "reports a correct result from the tiled kernel, with one element a thread" {
  mistake one-element-a-thread
}

# bats test_tags=slow
@test "reports a table of stages without its end" { mistake ladder-without-end; }

# bats test_tags=slow
@test "reports success for a tile size other than 16 and 32" { mistake other-tile-accepted; }

# bats test_tags=slow
@test "reports x and y in each other's place where B is loaded" { mistake rows-and-columns-of-b; }

# bats test_tags=slow
@test "reports copies of 16 bytes for rows of B of any length" { mistake sixteen-bytes-always; }

# bats test_tags=slow
@test "reports the oldest tile being overwritten while other threads use it" {
  mistake stage-refilled-too-early
}

# bats test_tags=slow
@test "reports a sum that restarts at 0 with every tile" { mistake sum-begins-anew; }

# bats test_tags=slow
@test "reports products of doubles that are accumulated in float" { mistake sum-in-float; }

# bats test_tags=slow
@test "reports tiles of 16 x 16 where another size is requested" { mistake tile-ignored; }

# bats test_tags=slow
@test "reports a transposed tile of B: correct, but with bank conflicts between 16 threads" {
  mistake tile-of-b-transposed
}

# bats test_tags=slow
@test "reports a row length of k for B" { mistake wrong-row-length; }

# bats test_tags=slow
@test "reports tiles of 32 x 32 where the header asks for 16 x 16" { mistake tiles-of-32; }

@test "reports a product in memory of its own that is copied to C" { mistake through-its-own-memory; }

# bats test_tags=slow
@test "reports a launch whose error is not returned" { mistake error-of-the-launch-forgotten; }

# bats test_tags=slow
@test "reports another error than the one that occurred" { mistake one-error-for-all; }

# bats test_tags=slow
@test "one-dimensional blocks, grid strides and fused multiply-adds lose no point" {
  right_answer one-dimension.cu && full_marks one-dimension.cu
}

# bats test_tags=slow
@test "tiles of 32 in blocks of 32 x 8, a sum in double and a column per thread lose no point" {
  right_answer column.cu && full_marks column.cu
}

@test "a tile size chosen at run time and another stream lose no point" {
  right_answer tile-at-run-time.cu && full_marks tile-at-run-time.cu
}

# bats test_tags=slow
@test "persistent blocks, two pairs of tiles and a single barrier lose no point" {
  right_answer few-blocks.cu && full_marks few-blocks.cu
}

# bats test_tags=slow
@test "a sum in parts, with a launch for each, loses no point" {
  right_answer parts.cu && full_marks parts.cu
}

# bats test_tags=slow
@test "several sums for each element, each of its own terms, lose no point" {
  right_answer split-terms.cu && full_marks split-terms.cu
}

# bats test_tags=slow
@test "the stages of a cuda::pipeline, and a cuda::barrier instead of __syncthreads, lose no point" {
  right_answer stages-and-barriers.cu && full_marks stages-and-barriers.cu
}

@test "measurements in the solution's comments and the thresholds are in results/" {
  local results=$ROOT/results/2026-11-22-nvidia-h200 ladder=$ROOT/results/2026-11-26-nvidia-h100/ladder07.md
  local figure
  # The solution says all of the ladder at 4096, and nothing that is not in the ladder.
  awk -F' *[|] *' '/^[|] ladder07, float32/ { sub(/ .*/, "", $9); print $9 }' "$ladder" |
    sort -u >"$BATS_TEST_TMPDIR/ladder"
  [ "$(wc -l <"$BATS_TEST_TMPDIR/ladder")" -eq 13 ]
  awk -F' *[|] *' '/^[|] ladder07, float32/ { for (i = 5; i < NF; i++) { sub(/ .*/, "", $i); print $i } }' \
    "$ladder" | sort -u >"$BATS_TEST_TMPDIR/all"
  tr -s ' *\n' ' ' <"$ROOT/solutions/lesson07/matmul.cu" |
    grep -oE '([Mm]easured|reached|tiles of 32,) [0-9.]+[0-9]' |
    grep -oE '[0-9.]+$' | sort -u >"$BATS_TEST_TMPDIR/said"
  diff <(comm -23 "$BATS_TEST_TMPDIR/ladder" "$BATS_TEST_TMPDIR/said") /dev/null
  diff <(comm -23 "$BATS_TEST_TMPDIR/said" "$BATS_TEST_TMPDIR/all") /dev/null
  # The ratios of the solution's own run, to two places.
  while read -r figure; do
    jq -r '.tasks[] | (.baselines // .yardsticks)[].ratio' "$results/lesson07-run-cuda.json" |
      xargs printf '%.2f\n' | grep -qx -- "$figure" ||
      { echo "no such ratio: $figure" && return 1; }
  done < <(sed -n 's/^matmul.*# \([0-9.]*\) there.*/\1/p' "$ROOT/grader/checks/lesson07.thresholds")
}

@test "the starter compiles without a warning and fails every task" { starter_fails_every_task; }

# bats test_tags=slow
@test "task 1 alone earns the points of task 1" {
  local dir=$BATS_TEST_TMPDIR/partial
  mkdir "$dir"
  sed '/region task-[23f]/,/endregion task-[23f]/{/^ *\/\/:/!d;s/^\( *\)\/\/: \{0,1\}/\1/}' \
    "$ROOT/solutions/lesson07/matmul.cu" >"$dir/matmul.cu"
  grade "$dir" 1
  is_true "$dir/grade.json" 'all(.checks[]; .task != 1 or .state != "fail") and
    (.points == ([.checks[] | select(.task == 1 and .state == "pass") | .max_points] | add)) and .points >= 5'
}

# bats test_tags=slow
@test "every version of the ladder is correct at awkward sizes" {
  run -0 "$ROOT/common/cpu/cucc" -I "$ROOT/lessons/lesson07" -o "$BATS_TEST_TMPDIR/ladder07" \
    "$ROOT/tests/jobs/gpu/ladder07.cu" \
    "$ROOT/solutions/lesson07/matmul.cu" -lcublas
  run -0 "$BATS_TEST_TMPDIR/ladder07" --check
  [ "$output" = "0 wrong answers" ]
}

# bats test_tags=slow
@test "warns of an index in int, since the contract allows more than 2^31 elements of A, B or C" {
  warned_of_int 1 'with m n k = 46349x46349x1, which the contract allows: ' '(size_t)i * n + j' 'i * n + j'
}

# bats test_tags=slow
@test "warns of indices of A and B in int" {
  warned_of_int 1 'with m n k = 500000x16x4300' '(size_t)i * k + p' 'i * k + p'
  warned_of_int 1 'with m n k = 16x500000x4300' '(size_t)p * n + j' 'p * n + j'
}

# bats test_tags=slow
@test "reports a tile that is accepted for a matrix without elements" { mistake tile-checked-late; }

# bats test_tags=slow
@test "tiles of 32 where tiles of 16 are asked for are reported" {
  named 's/if (tile == 16) return [^;]*;/if (tile == 16) tile = 32;/' 3 \
    'the caller asks for blocks of at most 256 threads, and a launch had'
}

# bats test_tags=slow
@test "warns of an index in int of a product of doubles" {
  warned_of_int 3 'with m n k tile = 46349x46349x1x16' '(size_t)i * n + j' 'i * n + j'
}

@test "names a last tile that is left out, elements that become floats, and a sum that is an int" {
  spoiled 's/int p0 = 0; p0 < k; p0 += TILE/int p0 = 0; p0 < k - 1; p0 += TILE/' \
    2 'it is the sum of the first 32 of 33 terms: the last one is left out'
  spoiled 's/__shared__ T a_tile\[TILE\]\[TILE\],/__shared__ float a_tile[TILE][TILE]; __shared__ T/' \
    3 'it is the product with the elements of A rounded to float'
  spoiled '/^static .* naive_kernel(/,/^}/s/float sum = 0/int sum = 0/' 1 'All of these are whole numbers'
}

@test "names a tile that takes the next row's elements for zeros" {
  SEED=1 spoiled 's/\(a_tile.y..x. =\) i < m && p0 + x < k ?/\1 (size_t)i * k + p0 + x < (size_t)m * k ?/' 2 \
    'came into results that do not depend on it'
}

@test "every mistake and every correct answer has a test" { each_is_tested; }

# bats test_tags=slow
@test "tiles load ten times fewer sectors" {
  local dir=$BATS_TEST_TMPDIR/solution
  mkdir "$dir" && cp "$ROOT/solutions/lesson07/matmul.cu" "$dir/"
  program cpu "$dir"
  "$dir/lesson07-cpu" --output "$BATS_TEST_TMPDIR/run.json" >/dev/null
  run -0 jq -c '[.tasks[:2][] | [.counters.profile[].lines[] | select(.space == "global" and .op == "ld")
    | .sectors] | add]' \
    "$BATS_TEST_TMPDIR/run.json"
  [ "$output" = "[122880,12288]" ]
}

@test "the page's correct run, of one size, is true" {
  local dir=$BATS_TEST_TMPDIR/solution
  mkdir "$dir" && cp "$ROOT/solutions/lesson07/matmul.cu" "$dir/"
  program cpu "$dir"
  "$dir/lesson07-cpu" --task 2 --size 61x67x127 --seed 7 | sed -n 3,4p >"$BATS_TEST_TMPDIR/printed"
  diff "$BATS_TEST_TMPDIR/printed" <(sed -n '/^```text/,/^```$/{/^ /p}' "$ROOT/lessons/lesson07/README.md")
}
