# The checks of lesson06, atomics. grader/README.md explains the verbs.

load ../lib/check

# bats test_tags=task:1,points:2
@test "maximum_global is right at every size" { right maximum_global; }

# bats test_tags=task:1,points:1
@test "maximum_global makes no memory errors, no races" {
  clean maximum_global memcheck racecheck initcheck leakcheck
}

# bats test_tags=task:1,points:1
@test "maximum_global returns the error of any call that fails" { failures maximum_global; }

# bats test_tags=task:1,points:1
@test "the threads combine their values with atomics" {
  stays maximum_global
  together maximum_global 12500
  spread maximum_global
  counter maximum_global 'global_atomics > 0' \
    "Its kernels made no atomic operation: what stops a thread from overwriting a larger value?"
}

# bats test_tags=task:2,points:2
@test "maximum_block is right at every size, for negative numbers, NaNs and infinities" {
  right maximum_block
}

# bats test_tags=task:2,points:1
@test "maximum_block makes no memory errors, no races, and every thread reaches its barriers" {
  clean maximum_block memcheck racecheck initcheck synccheck leakcheck
}

# Three, because a loop around atomicCAS takes more than one; one for each warp is eight in blocks of 256.
# 46878: three for each warp of the 500003 elements, for any size of blocks
# bats test_tags=task:2,points:2
@test "only one thread of each block calls a global atomic" {
  stays maximum_block
  together maximum_block 62500
  spread maximum_block
  counter maximum_block 'global_atomics <= 3 * working_blocks &&
      global_atomics <= 46878' \
    "Its kernels made {global_atomics} global atomics with {working_blocks} blocks that wrote a result: let \
each block find its result in shared memory or by shuffles, then, at its end, let one of its threads call \
the atomic once."
}

# bats test_tags=task:2,points:1
@test "maximum_block returns the error of any call that fails" { failures maximum_block; }

# bats test_tags=task:2,points:1
@test "maximum_block has no bank conflicts in shared memory" {
  counter maximum_block 'plain_bank_conflicts == 0' \
    "Its kernels had {plain_bank_conflicts} bank conflicts: neighbouring threads should use neighbouring \
words, so halve the distance from round to round and keep the threads that work together."
  applies maximum_block 'shared_loads > 0' "no shared memory used"
}

# bats test_tags=task:2,points:2
@test "maximum_block is as fast as a simple tree" { faster maximum_block cub; }

# bats test_tags=task:2,points:1
@test "maximum_block reaches 0.95 of CUB" { excellent maximum_block cub; }

# bats test_tags=task:3,points:2
@test "histogram is right at every size, for equal bytes too" { right histogram; }

# bats test_tags=task:3,points:1
@test "histogram makes no memory errors, no races, and every thread reaches its barriers" {
  clean histogram memcheck racecheck initcheck synccheck leakcheck
}

# bats test_tags=task:3,points:1
@test "histogram returns the error of any call that fails" { failures histogram; }

# bats test_tags=task:3,points:2
@test "the blocks count in shared memory and add to the global counts seldom" {
  stays histogram
  together histogram 125000
  spread histogram
  counter histogram 'global_atomics < 250000' \
    "For 1000003 bytes its kernels made {global_atomics} global atomics with {blocks} blocks: count in a \
__shared__ array first, and let each block do many times 256 bytes before it adds its counts to the global \
ones."
}

# bats test_tags=task:3,points:2
@test "histogram is as fast as one copy a block, byte by byte" { faster histogram cub; }

# bats test_tags=task:3,points:1
@test "histogram reaches 0.9 of CUB" { excellent histogram cub; }

# bats test_tags=task:0,points:1
@test "sum is right at every size" { right sum; }

# bats test_tags=task:0,points:1
@test "sum makes no memory errors, no races, and every thread reaches its barriers" {
  clean sum memcheck racecheck initcheck synccheck leakcheck
}

# bats test_tags=task:0,points:1
@test "sum returns the error of any call that fails" { failures sum; }

# bats test_tags=task:0,points:1
@test "the bits of the sum do not depend on the order of the blocks" {
  stays sum
  together sum 12500
  spread sum
  # one exchange in a launch may set a counter back to 0
  counter sum 'launches > 0 && global_atomics - whole_atomics <= launches' \
    "Its kernels made {global_atomics} global atomics, {global_atomics - whole_atomics} of them not \
atomicAdd or atomicInc of integers: float additions round, so their order changes the \
last bits. Give each block its own place in d_work, and add up these sums in a fixed order."
}

# bats test_tags=task:0,points:1
@test "sum is faster than half of CUB" { faster sum cub; }

# bats test_tags=task:0,points:1
@test "sum reaches 0.95 of CUB" { excellent sum cub; }
