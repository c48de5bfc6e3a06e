#!/usr/bin/env bats
# The checks of lesson03 against mistakes that learners make, correct answers in unusual style, and the
# starter, on the CPU backend.

export LESSON=lesson03 KINDS=cpu
load lesson_helper

@test "reports a step in 32 bits, a launch's lost error, columns and rows left out at sizes that show it" {
  mistake step-in-32-bits error-of-a-slab-lost columns-capped-like-rows grid-short-of-the-line
}

@test "reports an error that the function makes itself instead of a launch" {
  mistake threads-checked-by-hand
}

@test "reports a grid that was not asked for, x running down the column, and float4 in rows not aligned" {
  mistake own-grid column-along-x misaligned-vectors
}

# bats test_tags=slow
@test "reports launch bounds of fewer threads than the caller may ask for" { mistake bounds-of-256; }

# bats test_tags=slow
@test "reports the last elements left out by a small grid" { mistake tail-without-threads; }

# bats test_tags=slow
@test "reports several launches where one is asked for, at a size of gigabytes" { mistake several-launches; }

# bats test_tags=slow
@test "reports i <= n where the array has no elements" { mistake guard-for-no-elements; }

# bats test_tags=slow
@test "reports parts of a padded matrix that begin at multiples of columns" {
  mistake part-begins-by-columns
}

# bats test_tags=slow
@test "reports one element a thread without a loop: elements beyond the grid are left out" {
  mistake no-loop
}

# bats test_tags=slow
@test "reports a stride of one block instead of the grid: blocks repeat each other's elements" {
  mistake stride-of-a-block
}

# bats test_tags=slow
@test "reports a run of neighbouring elements for each thread, as on a CPU" { mistake chunk-a-thread; }

# bats test_tags=slow
@test "reports more blocks than requested" { mistake grid-capped; }

# bats test_tags=slow
@test "reports i <= n: one thread writes past the end" { mistake guard-off-by-one; }

# bats test_tags=slow
@test "reports a launch whose error is not checked" { mistake unchecked-launch; }

# bats test_tags=slow
@test "reports blocks of 1 x 256 threads: x runs along the row, but a warp covers a column" {
  mistake high-blocks
}

# bats test_tags=slow
@test "reports more than 65535 blocks in y" { mistake grid-too-high; }

# bats test_tags=slow
@test "reports a limit of 65535 blocks in y without a loop for the remaining rows" { mistake no-row-loop; }

# bats test_tags=slow
@test "reports rows that are addressed by columns instead of the pitch" { mistake pitch-ignored; }

# bats test_tags=slow
@test "reports a bounds check by the pitch: the padding is multiplied too" { mistake padding-scaled; }

# bats test_tags=slow
@test "reports a missing bounds check for the columns" { mistake missing-guard; }

# bats test_tags=slow
@test "reports rows and columns in each other's place in the grid" { mistake grid-swapped; }

# bats test_tags=slow
@test "reports a number of blocks that is rounded down" { mistake grid-rounded-down; }

# bats test_tags=slow
@test "reports a launch of 0 blocks for 0 rows" { mistake empty-grid; }

# bats test_tags=slow
@test "reports a missing block index: every block works on the first rows" { mistake block-index-forgotten; }

# bats test_tags=slow
@test "reports the width and height of the block in the wrong order" { mistake width-and-height-swapped; }

# bats test_tags=slow
@test "reports task 2's block size where another one is requested" { mistake block-of-its-own; }

# bats test_tags=slow
@test "reports a grid that is computed for blocks of 32 x 8" { mistake grid-for-another-block; }

# bats test_tags=slow
@test "reports the error of a too large block that is not returned" { mistake error-forgotten; }

# bats test_tags=slow
@test "reports a number of groups of rows that is rounded down" { mistake last-rows-forgotten; }

# bats test_tags=slow
@test "reports a thread that always processes eight rows" { mistake rows-past-the-end; }

# bats test_tags=slow
@test "reports a loop that moves on by one row a block instead of eight" { mistake rows-done-again; }

# bats test_tags=slow
@test "reports a float4 that scales what lies after its row" { mistake quads-past-the-row; }

# bats test_tags=slow
@test "reports a grid without the threads that begin before the row" { mistake grid-without-the-line; }

# bats test_tags=slow
@test "reports blocks of 16 x 16 with x down the column: a warp covers two columns of 16 rows" {
  mistake square-blocks-column-along-x
}

# bats test_tags=slow
@test "reports work left in a stream for which nothing waits" { mistake in-a-stream-of-its-own; }

# bats test_tags=slow
@test "reports a launch whose error is not returned" { mistake launch-error-forgotten; }

@test "rows along the grid's x and blocks in reverse order lose no point" {
  right_answer blocks-in-any-order.cu && full_marks blocks-in-any-order.cu
}

# bats test_tags=slow
@test "a one-dimensional grid with divisions loses no point" {
  right_answer flat.cu && full_marks flat.cu
}

# bats test_tags=slow
@test "several launches in a stream, as the limit of y requires, lose no point" {
  right_answer slabs.cu && full_marks slabs.cu
}

# bats test_tags=slow
@test "blocks that process whole rows, distributed over y and z, lose no point" {
  right_answer block-a-row.cu && full_marks block-a-row.cu
}

# bats test_tags=slow
@test "float4 accesses from the first aligned element of each row lose no point" {
  right_answer vectors-from-the-boundary.cu && full_marks vectors-from-the-boundary.cu
}

@test "the starter compiles without a warning and fails every task" { starter_fails_every_task; }

@test "warns of an index in int, since the contract allows more than 2^31 elements" {
  warned_of_int 2 'with rows columns padding = 33600001x129x7' 'd_m[row * pitch + column]' \
    'd_m[(int)(row * pitch + column)]'
}

@test "a grid that is capped to what n needs, at small n only, is no grid that was asked for" {
  named 's/^  scale_grid_stride_kernel<<</  if (n < 1000) blocks = 1;\n&/' 1 \
    'asks for 1 launch of 8 blocks of 256 threads, and a'
}

# bats test_tags=slow
@test "blocks of another shape than asked for, at some widths only, are reported" {
  named 's/^  const dim3 block((unsigned)width/  if (width == 7) width = 14, height = 7;\n&/' 3 \
    'asks for blocks of 7 x 14 threads, and a launch had'
}

# bats test_tags=slow
@test "the grid that was asked for, of which one block works, is reported" {
  named 's/^static __global__ void scale_grid_stride_kernel/#define ALONE if (blockIdx.x > 0) return\n&/
    s/size_t stride = (size_t)gridDim.x \* blockDim.x;/size_t stride = blockDim.x;\n  ALONE;/' 1 \
    'Only 128 of the 3072 threads wrote a number'
}

# bats test_tags=slow
@test "blocks of the shape that was asked for, of which one row works, are reported" {
  named 's/if (column >= columns)/if (threadIdx.y || column >= columns)/
    s/blockDim.y + threadIdx.y; row </blockDim.y; row </
    s/d_m\[row \* pitch + column\] \*= factor/for (size_t k = row; k < row + blockDim.y; k++) &/
    s/k++) d_m\[row/k++)\n      if (k < rows) d_m[k/' 3 \
    'threads of its working blocks wrote a number'
}

@test "names rows and columns that are exchanged in a launch" {
  spoiled '/^cudaError_t scale_in_blocks/,/^}/s/(d_m, rows, columns,/(d_m, columns, rows,/' 3 \
    'With as many rows as columns, 33 or 65, the answer is right: are the two exchanged'
}

@test "every mistake and every correct answer has a test" { each_is_tested; }

@test "the page's correct run and its sectors for each width are true" {
  local dir=$BATS_TEST_TMPDIR/solution page=$ROOT/lessons/lesson03/README.md width sectors=""
  local solution=$dir/lesson03-cpu
  mkdir "$dir"
  cp "$ROOT/solutions/lesson03/hierarchy.cu" "$dir/"
  program cpu "$dir"
  # The last size is random.
  diff <("$solution" --no-timing --task 3 | grep -A1 '^  task 3' | sed -E 's/, [0-9x]+ \(/ (/') \
    <(sed -n '/^```text/,/^```$/p' "$page" | grep -v '```' | sed -E 's/, [0-9x]+ \(/ (/')
  for width in 32 16 8 4 2 1; do
    sectors+=$(CUCC_PROFILE=text "$solution" --task 3 --size 320x320x${width}x256 --once 2>&1 |
      sed -n 's/.*global load .* \([0-9]*\)\.0 sectors each.*/ \1/p')
  done
  [ "$sectors" = " 4 4 4 8 16 32" ]
  grep -q '^4, 4, 4, 8, 16, 32 sectors' "$page"
}
