# The checks of lesson08, jacobi. grader/README.md explains the verbs.
#
# Counters of solve are recorded for 50 sweeps of a 24 x 40 plate with a check after every 16: four checks;
# those of sweep for a plate of 129 x 260, those of change for one of 613 x 701.

load ../lib/check

# Rules of solve that hold for solve_float, too. 960 cells, of 8 bytes or 4: 240 sectors or 120.
stays_and_swaps() { # task cells-in-bytes
  counter "$1" 'launches > 0 && d2d_count <= 2' \
    "In 50 sweeps {d2d_count} copies went from device to device, {d2d_bytes} bytes in all: \
swap the two pointers instead; a copy before the first sweep and one after the last are enough."
  counter "$1" "50 * $2 * 9 / 160 >= written_sectors" \
    "In 50 sweeps its kernels wrote {written_sectors} sectors of 32 bytes; the plate has {$2 / 32}. Each \
sweep writes the plate once: swap the two pointers instead of copying."
}
looks_seldom() { # task
  counter "$1" 'launches > 0 && waits <= 14' \
    "For 4 checks in 50 sweeps the host waited {waits} times: there is a wait, or a copy to the host, inside \
the loop over the sweeps. Look at the sum after every check_every-th sweep only."
}
stays_on_the_device() { # task cells-in-bytes
  counter "$1" 'launches > 0 && bytes_out < 1000 && bytes_in < 1000' \
    "{bytes_out} bytes came to the host and {bytes_in} went to the device, by copies or by kernels in the \
host's memory; the plate has $2. A check needs one number."
  counter "$1" 'host_functions == 0' \
    "It queued {host_functions} functions for the host: let kernels do the work."
  together "$1" 24000
}

# bats test_tags=task:1,points:2
@test "sweep is right at every size, wide and tall" { right sweep; }

# bats test_tags=task:1,points:1
@test "sweep makes no memory errors, no races" {
  clean sweep memcheck racecheck initcheck leakcheck
}

# bats test_tags=task:1,points:1
@test "sweep returns the error of any call that fails" { failures sweep; }

# bats test_tags=task:1,points:1
@test "sweep goes through the plate once, from one array into the other" {
  together sweep 16770
  spread sweep
  counter sweep 'launches > 0 && launches <= 4 && device_allocations == 0 && copies == 0' \
    "It made {launches} launches, {device_allocations} allocations and {copies} copies. \
One kernel reads d_p and writes d_next: nothing is copied."
  stays sweep
  counter sweep 'stored_sectors >= 4000 && sectors_per_request <= 180' \
    "Its kernels wrote {stored_sectors} sectors of 32 bytes, and a warp's access touched \
{tenths: sectors_per_request} of them on average; the plate has 4193. Let threadIdx.x count along the \
row, so that neighbouring threads use neighbouring cells."
}

# bats test_tags=task:1,points:2
@test "sweep keeps up with a simple kernel" { faster sweep copy; }

# bats test_tags=task:2,points:1
@test "change is right at every size, whatever d_sum contained before" { right change; }

# bats test_tags=task:2,points:1
@test "change makes no memory errors, no races, and every thread reaches its barriers" {
  clean change memcheck racecheck initcheck synccheck leakcheck
}

# bats test_tags=task:2,points:1
@test "change returns the error of any call that fails" { failures change; }

# bats test_tags=task:2,points:1
@test "change is computed on the device, and the host does not wait for it" {
  together change 107428
  spread change
  counter change 'launches > 0 && device_allocations <= stream_allocations && waits == 0' \
    "It made {launches} launches, {device_allocations - stream_allocations} allocations by cudaMalloc, and \
the host waited {waits} times: queue the work, the sum stays on the device."
  stays change
  counter change 'global_atomics <= 40286' \
    "Its kernels made {global_atomics} global atomics for 429713 cells: let each block add up its cells \
in shared memory or by shuffles, then let one of its threads call the atomic."
}

# bats test_tags=task:2,points:1
@test "change is no slower than two thirds of a copy" { faster change copy; }

# bats test_tags=task:3,points:2
@test "solve ends after the right number of sweeps with the right plate" { right solve; }

# bats test_tags=task:3,points:1
@test "solve makes no memory errors, no races, and frees what it allocates" {
  clean solve memcheck racecheck initcheck synccheck leakcheck
}

# bats test_tags=task:3,points:1
@test "solve returns the error of any call that fails" { failures solve; }

# bats test_tags=task:3,points:1
@test "the plates change places by their pointers" { stays_and_swaps solve 7680; }

# bats test_tags=task:3,points:1
@test "the host looks only at every check" { looks_seldom solve; }

# bats test_tags=task:3,points:1
@test "the plate stays on the device" { stays_on_the_device solve 7680; }

# bats test_tags=task:3,points:1
@test "solve keeps up with a simple solver" { faster solve simple-solve; }

# bats test_tags=task:4,points:1
@test "solve_float ends after the right number of sweeps with the right plate" { right solve_float; }

# bats test_tags=task:4,points:1
@test "solve_float makes no memory errors, no races, and frees what it allocates" {
  clean solve_float memcheck racecheck initcheck synccheck leakcheck
}

# bats test_tags=task:4,points:1
@test "solve_float keeps the rules of solve" {
  stays_and_swaps solve_float 3840
  looks_seldom solve_float
  stays_on_the_device solve_float 3840
}

# bats test_tags=task:4,points:1
@test "solve_float returns the error of any call that fails" { failures solve_float; }

# bats test_tags=task:0,points:1
@test "sweeps is right at every size, by work of its kernels" {
  right sweeps
  stays sweeps
  together sweeps 100000
  counter sweeps 'written_sectors >= 2000' \
    "Its kernels wrote {written_sectors} sectors of 32 bytes; 130 x 132 cells fill 2145. The work is \
done elsewhere."
}

# bats test_tags=task:0,points:1
@test "sweeps makes no memory errors, no races, and leaks nothing" {
  clean sweeps memcheck racecheck initcheck synccheck leakcheck
}

# bats test_tags=task:0,points:1
@test "sweeps returns the error of any call that fails" { failures sweeps; }

# bats test_tags=task:0,points:1
@test "sweeps reaches the limit of one sweep at a time" { faster sweeps copy; }

# bats test_tags=task:0,points:1
@test "sweeps keeps cells on the chip for several sweeps" { excellent sweeps copy; }
