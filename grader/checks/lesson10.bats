# The checks of lesson10, integration. grader/README.md explains the verbs.

load ../lib/check

# once TASK POINTS: f is called once for each point, by at least 200 of the 2304 threads or more that are
# asked for.
once() {
  counter "$1" "given_calls == $2" \
    "Its kernels called f {given_calls} times for $2 points: call it once for each point, and for no other."
  counter "$1" 'given_callers >= 200' \
    "Only {given_callers} threads called f: share the points among all threads of the grid."
  as_asked "$1" 'At every size, use the blocks and threads of the caller, and call f once for each point.'
}

# few_bytes TASK BYTES: only results cross the link. A kernel that writes one number counts as 32 bytes.
few_bytes() {
  counter "$1" "bytes_out <= 4 * $2 && bytes_in <= 512" \
    "It copied {bytes_out} bytes to the host and {bytes_in} to the device: add up on the device, and copy \
only the result, and what describes the problem."
  counter "$1" 'host_functions == 0' \
    "It queued {host_functions} functions that run on the host: let kernels do the work."
}

# bats test_tags=task:1,points:2
@test "integrate is right at every size, for blocks of any number of threads" { right integrate; }

# bats test_tags=task:1,points:1
@test "integrate makes no memory errors, no races, and every thread reaches its barriers" {
  clean integrate memcheck racecheck initcheck synccheck leakcheck
}

# bats test_tags=task:1,points:1
@test "integrate returns the error of any call that fails" { failures integrate; }

# bats test_tags=task:1,points:1
@test "integrate calls f once for each cell, and all threads take part" { once integrate 333333; }

# Three for each of the 24 blocks, because a loop around atomicCAS takes more than one.
# bats test_tags=task:1,points:2
@test "one thread of each block adds to the result, and 8 bytes come to the host" {
  few_bytes integrate 8
  counter integrate 'global_atomics <= 3 * working_blocks && global_atomics <= 72' \
    "Its kernels made {global_atomics} global atomics with {working_blocks} blocks that wrote a result: let \
each block add up its threads' sums, then let one of its threads call atomicAdd."
}

# bats test_tags=task:1,points:1
@test "integrate computes little more than f" { faster integrate sines; }

# bats test_tags=task:1,points:1
@test "integrate computes hardly more than f" { excellent integrate sines; }

# bats test_tags=task:2,points:2
@test "integrate_same_bits is right, with the same bits for every grid" { right integrate_same_bits; }

# bats test_tags=task:2,points:1
@test "integrate_same_bits makes no memory errors, no races, and every thread reaches its barriers" {
  clean integrate_same_bits memcheck racecheck initcheck synccheck leakcheck
}

# bats test_tags=task:2,points:1
@test "integrate_same_bits returns the error of any call that fails" { failures integrate_same_bits; }

# For three grids.
# bats test_tags=task:2,points:1
@test "integrate_same_bits calls f once for each cell, and adds up on the device" {
  once integrate_same_bits 999999
  few_bytes integrate_same_bits 24
}

# bats test_tags=task:2,points:1
@test "integrate_same_bits is fast, although its order is fixed" { faster integrate_same_bits sines; }

# bats test_tags=task:2,points:1
@test "integrate_same_bits computes little more than f" { excellent integrate_same_bits sines; }

# bats test_tags=task:3,points:2
@test "richardson is right at every size: two results and an estimate" { right richardson; }

# bats test_tags=task:3,points:1
@test "richardson makes no memory errors, no races, and every thread reaches its barriers" {
  clean richardson memcheck racecheck initcheck synccheck leakcheck
}

# bats test_tags=task:3,points:1
@test "richardson returns the error of any call that fails" { failures richardson; }

# bats test_tags=task:3,points:1
@test "richardson calls f once for each cell of both grids, and adds up on the device" {
  once richardson 334110
  few_bytes richardson 24
}

# bats test_tags=task:4,points:2
@test "monte_carlo is right: the same points, and the same bits, for any number of threads" {
  right monte_carlo
}

# bats test_tags=task:4,points:1
@test "monte_carlo makes no memory errors, no races, and every thread reaches its barriers" {
  clean monte_carlo memcheck racecheck initcheck synccheck leakcheck
}

# bats test_tags=task:4,points:1
@test "monte_carlo returns the error of any call that fails" { failures monte_carlo; }

# For three grids.
# bats test_tags=task:4,points:1
@test "monte_carlo calls f once for each point, and adds up on the device" {
  once monte_carlo 900021
  few_bytes monte_carlo 24
}

# bats test_tags=task:4,points:1
@test "monte_carlo draws its points fast enough" { faster monte_carlo sines; }

# bats test_tags=task:4,points:1
@test "monte_carlo draws its points fast" { excellent monte_carlo sines; }

# bats test_tags=task:0,points:1
@test "integrate_fast is right at every size" { right integrate_fast; }

# bats test_tags=task:0,points:1
@test "integrate_fast makes no memory errors, no races, and every thread reaches its barriers" {
  clean integrate_fast memcheck racecheck initcheck synccheck leakcheck
}

# bats test_tags=task:0,points:1
@test "integrate_fast returns the error of any call that fails" { failures integrate_fast; }

# bats test_tags=task:0,points:1
@test "integrate_fast calls f once for each cell, and adds up on the device" {
  counter integrate_fast "given_calls == 333333" \
    "Its kernels called f {given_calls} times for 333333 points: call it once for each point, and for no \
other."
  as_asked integrate_fast 'Call f once for each point at every size.'
  few_bytes integrate_fast 8
}

# bats test_tags=task:0,points:1
@test "integrate_fast is faster than the plain kernel" { faster integrate_fast sines; }

# bats test_tags=task:0,points:1
@test "integrate_fast is within 1.1 × of the speed of f alone" { excellent integrate_fast sines; }
