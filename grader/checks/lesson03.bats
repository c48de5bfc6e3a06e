# The checks of lesson03, hierarchy. grader/README.md explains the verbs.
#
# Counters are recorded at the driver's trace sizes: an array of 100003 in a grid of 24 x 128, and a matrix of
# 320 x 320 whose rows start at multiples of 128 bytes.

load ../lib/check

# by_kernels TASK: 100003 numbers fill 12501 sectors of 32 bytes, 320 x 320 numbers 12800.
by_kernels() {
  counter "$1" 'stored_sectors >= 12000' \
    "Its kernels wrote {stored_sectors} sectors of 32 bytes; the numbers of the task fill 12500 at least. \
The work is done elsewhere."
}

# coalesced TASK: its warps touch hardly more sectors than their bytes need. 1.6 lets blocks pass whose width
# is not a multiple of 32; four neighbouring lanes, or x down the column, need at least twice as many.
coalesced() {
  stays "$1"
  together "$1" 12500
  by_kernels "$1"
  counter "$1" 'global_sectors > 0 && 10 * fetched_sectors <= 16 * ideal_sectors' \
    "A request of a warp touches {tenths: sectors_per_request} sectors of 32 bytes, where \
{tenths: ideal_sectors_per_request} would be enough: thread x + 1 should use the element immediately after \
thread x's. Let x run along the row, and make a step of the loop as long as the whole grid."
}

# bats test_tags=task:1,points:2
@test "scale_grid_stride is right for every n and every grid, and returns the error of a bad one" {
  right scale_grid_stride
}

# bats test_tags=task:1,points:1
@test "scale_grid_stride makes no memory errors, no races" {
  clean scale_grid_stride memcheck initcheck racecheck leakcheck
}

# bats test_tags=task:1,points:1
@test "scale_grid_stride returns the error of any call that fails" { failures scale_grid_stride; }

# bats test_tags=task:1,points:1
@test "it is one launch of the grid that was asked for" {
  counter scale_grid_stride 'launches == 1 && grid_x == 24 && grid_y == 1 && grid_z == 1 &&
      block_x == 128 && block_y == 1 && block_z == 1' \
    "Asked for one launch of 24 blocks of 128 threads, it made {launches}, the first of \
{grid_x * grid_y * grid_z} blocks of {block_x * block_y * block_z} threads: \
keep the grid, let the threads go through the array in a loop."
  as_asked scale_grid_stride 'Keep the grid for every n, and let the threads go through the array in a loop.'
  counter scale_grid_stride 'writing_threads >= 3000' \
    "Only {writing_threads} of the 3072 threads wrote a number: share the array among all of them."
}

# bats test_tags=task:1,points:1
@test "neighbouring threads of it touch neighbouring elements" { coalesced scale_grid_stride; }

# bats test_tags=task:1,points:1
@test "scale_grid_stride keeps up with the memory" { faster scale_grid_stride copy; }

# bats test_tags=task:1,points:1
@test "scale_grid_stride comes close to what one element at a time allows" {
  excellent scale_grid_stride copy
}

# bats test_tags=task:2,points:2
@test "scale_matrix is right for every shape and leaves the padding alone" { right scale_matrix; }

# bats test_tags=task:2,points:1
@test "scale_matrix makes no memory errors, no races" {
  clean scale_matrix memcheck initcheck racecheck leakcheck
}

# bats test_tags=task:2,points:1
@test "scale_matrix returns the error of any call that fails" { failures scale_matrix; }

# bats test_tags=task:2,points:2
@test "x runs along the row" { coalesced scale_matrix; }

# bats test_tags=task:2,points:1
@test "scale_matrix is faster than its twin with x down the column" { faster scale_matrix column-along-x; }

# bats test_tags=task:2,points:1
@test "scale_matrix keeps up with the memory" { faster scale_matrix copy; }

# bats test_tags=task:2,points:1
@test "scale_matrix comes close to what one element at a time allows" { excellent scale_matrix copy; }

# bats test_tags=task:3,points:2
@test "scale_in_blocks is right for every block and returns the error of one that is too large" {
  right scale_in_blocks
}

# bats test_tags=task:3,points:1
@test "scale_in_blocks makes no memory errors, no races" {
  clean scale_in_blocks memcheck initcheck racecheck leakcheck
}

# bats test_tags=task:3,points:1
@test "scale_in_blocks returns the error of any call that fails" { failures scale_in_blocks; }

# bats test_tags=task:3,points:1
@test "its blocks have the shape that was asked for" {
  counter scale_in_blocks 'launches > 0 && block_shapes == 1 &&
      block_x == 64 && block_y == 4 && block_z == 1' \
    "Asked for blocks 64 wide and 4 high, it launched blocks of {block_x} x {block_y}."
  as_asked scale_in_blocks 'Use the caller'"'"'s width and height at every size.'
  counter scale_in_blocks '2 * writing_threads >= 256 * writing_blocks' \
    "Only {writing_threads} of the {256 * writing_blocks} threads of its working blocks wrote a number: \
let all threads of a block work."
}

# bats test_tags=task:3,points:1
@test "the width of its blocks runs along the row" { coalesced scale_in_blocks; }

# bats test_tags=task:3,points:1
@test "scale_in_blocks keeps up with the memory" { faster scale_in_blocks copy; }

# bats test_tags=task:0,points:1
@test "scale_matrix_fast is right for every shape, by work of its kernels" {
  right scale_matrix_fast
  stays scale_matrix_fast
  together scale_matrix_fast 12500
  by_kernels scale_matrix_fast
}

# bats test_tags=task:0,points:1
@test "scale_matrix_fast makes no memory errors, no races" {
  clean scale_matrix_fast memcheck initcheck racecheck leakcheck
}

# bats test_tags=task:0,points:1
@test "scale_matrix_fast returns the error of any call that fails" { failures scale_matrix_fast; }

# bats test_tags=task:0,points:1
@test "scale_matrix_fast comes near the speed of a copy" { faster scale_matrix_fast copy; }

# bats test_tags=task:0,points:1
@test "scale_matrix_fast reaches 0.9 of the speed of a copy" { excellent scale_matrix_fast copy; }
