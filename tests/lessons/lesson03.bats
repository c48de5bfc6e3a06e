#!/usr/bin/env bats
# The checks of lesson03 against mistakes that learners make, right answers in unusual clothes, and the starter, on the
# CPU backend.

export LESSON=lesson03 KINDS=cpu
load lesson_helper

# bats test_tags=slow
@test "told: one element a thread, so what the grid does not cover is left out" { mistake no-loop; }

# bats test_tags=slow
@test "told: the step is one block instead of the grid, so blocks work on the same elements" { mistake stride-of-a-block; }

# bats test_tags=slow
@test "told: each thread takes a run of neighbours to itself, as a CPU thread would" { mistake chunk-a-thread; }

@test "told: as many blocks as n needs, instead of those that were asked for" { mistake own-grid; }

# bats test_tags=slow
@test "told: more blocks than were asked for, where that suits n better" { mistake grid-capped; }

# bats test_tags=slow
@test "told: i <= n: one thread writes past the end" { mistake guard-off-by-one; }

# bats test_tags=slow
@test "told: nobody asks whether the launch was accepted" { mistake unchecked-launch; }

@test "told: x runs down the column" { mistake column-along-x; }

# bats test_tags=slow
@test "told: blocks of 1 x 256 threads: x runs along the row, but a warp down the column" { mistake high-blocks; }

# bats test_tags=slow
@test "told: more than 65535 blocks in y" { mistake grid-too-high; }

# bats test_tags=slow
@test "told: y ends at 65535 blocks, and nobody does the rows behind" { mistake no-row-loop; }

# bats test_tags=slow
@test "told: rows are taken to lie columns apart" { mistake pitch-ignored; }

# bats test_tags=slow
@test "told: the guard asks for the pitch, so the padding is multiplied too" { mistake padding-scaled; }

# bats test_tags=slow
@test "told: no guard for the columns" { mistake missing-guard; }

# bats test_tags=slow
@test "told: rows and columns swapped in the grid" { mistake grid-swapped; }

# bats test_tags=slow
@test "told: the number of blocks is rounded down" { mistake grid-rounded-down; }

# bats test_tags=slow
@test "told: a launch of 0 blocks where there are no rows" { mistake empty-grid; }

# bats test_tags=slow
@test "told: every block works on the first rows" { mistake block-index-forgotten; }

# bats test_tags=slow
@test "told: the block gets width and height in the wrong order" { mistake width-and-height-swapped; }

# bats test_tags=slow
@test "told: the block that was right in task 2, whatever was asked for" { mistake block-of-its-own; }

# bats test_tags=slow
@test "told: the grid is counted for blocks of 32 x 8" { mistake grid-for-another-block; }

# bats test_tags=slow
@test "told: the error of a block that is too large is not returned" { mistake error-forgotten; }

# bats test_tags=slow
@test "told: the number of groups of rows is rounded down, and the loop trusts it" { mistake last-rows-forgotten; }

# bats test_tags=slow
@test "told: always eight rows a thread" { mistake rows-past-the-end; }

# bats test_tags=slow
@test "told: the loop moves on by one row a block, not by eight" { mistake rows-done-again; }

@test "told: float4 in rows that start anywhere" { mistake misaligned-vectors; }

# bats test_tags=slow
@test "told: blocks of 16 x 16 with x down the column: a warp is two columns of 16 rows" { mistake square-blocks-column-along-x; }

@test "rows along the x of the grid, blocks from the last to the first lose no point" {
  right_answer blocks-in-any-order.cu && full_marks blocks-in-any-order.cu
}

# bats test_tags=slow
@test "one dimension for all, with divisions, lose no point" {
  right_answer flat.cu && full_marks flat.cu
}

# bats test_tags=slow
@test "as many launches as the limit of y makes necessary, in a stream, lose no point" {
  right_answer slabs.cu && full_marks slabs.cu
}

# bats test_tags=slow
@test "blocks that do whole rows, dealt out over y and z, lose no point" {
  right_answer block-a-row.cu && full_marks block-a-row.cu
}

# bats test_tags=slow
@test "float4 from the first boundary in each row lose no point" {
  right_answer vectors-from-the-boundary.cu && full_marks vectors-from-the-boundary.cu
}

@test "the starter compiles without a warning and fails every task" { starter_fails_every_task; }

@test "each mistake and each right answer has its test" { each_is_tested; }

@test "what the page says a right run prints, and how many sectors a width takes, is so" {
  local dir=$BATS_TEST_TMPDIR/solution page=$ROOT/lessons/lesson03/README.md width sectors=""
  local solution=$dir/lesson03-cpu
  mkdir "$dir"
  cp "$ROOT/solutions/lesson03/hierarchy.cu" "$dir/"
  program cpu "$dir"
  # The last size is a random one.
  diff <("$solution" --no-timing --task 3 | grep -A1 '^  task 3' | sed -E 's/, [0-9x]+ \(/ (/') \
    <(sed -n '/^```text/,/^```$/p' "$page" | grep -v '```' | sed -E 's/, [0-9x]+ \(/ (/')
  for width in 32 16 8 4 2 1; do
    sectors+=$(CUCC_PROFILE=text "$solution" --task 3 --size 320x320x${width}x256 --once 2>&1 |
      sed -n 's/.*global load .* \([0-9]*\)\.0 sectors each.*/ \1/p')
  done
  [ "$sectors" = " 4 4 4 8 16 32" ]
  grep -q '^4, 4, 4, 8, 16, 32 sectors' "$page"
}
