# The checks of lesson08, jacobi. grader/README.md explains the verbs.
#
# Counters of solve are recorded for 50 sweeps of a 24 x 40 plate with a check after every 16: four checks.

load ../lib/check

# bats test_tags=task:1,points:2
@test "sweep is right at every size, wide and tall" { right sweep; }

# bats test_tags=task:1,points:1
@test "sweep makes no memory errors, no races" { clean sweep memcheck racecheck initcheck; }

# bats test_tags=task:1,points:1
@test "sweep goes through the plate once, from one array into the other" {
  counter sweep 'launches > 0 && launches <= 4 && device_allocations == 0 && copies == 0' \
    "It made {launches} launches, {device_allocations} allocations and {copies} copies. \
One kernel reads d_p and writes d_next: nothing is copied."
}

# bats test_tags=task:1,points:2
@test "sweep keeps up with a simple kernel" { faster sweep copy; }

# bats test_tags=task:2,points:2
@test "change is right at every size, whatever d_sum contained before" { right change; }

# bats test_tags=task:2,points:1
@test "change makes no memory errors, no races, and every thread reaches its barriers" {
  clean change memcheck racecheck initcheck synccheck
}

# bats test_tags=task:2,points:1
@test "change is computed on the device, and the host does not wait for it" {
  counter change 'launches > 0 && device_allocations == 0 && waits == 0' \
    "It made {launches} launches, {device_allocations} allocations, and the host waited {waits} times: \
queue the work, the sum stays on the device."
}

# bats test_tags=task:2,points:1
@test "change is no slower than two thirds of a copy" { faster change copy; }

# bats test_tags=task:3,points:3
@test "solve ends after the right number of sweeps with the right plate" { right solve; }

# bats test_tags=task:3,points:1
@test "solve makes no memory errors, no races, and frees what it allocates" {
  clean solve memcheck racecheck initcheck synccheck leakcheck
}

# bats test_tags=task:3,points:1
@test "the plates change places by their pointers" {
  counter solve 'launches > 0 && d2d_count <= 1' \
    "In 50 sweeps {d2d_count} copies went from device to device, {d2d_bytes} bytes in all: \
swap the two pointers instead; one copy at the very end is enough."
}

# bats test_tags=task:3,points:1
@test "the host looks only at every check" {
  counter solve 'launches > 0 && waits <= 14' \
    "For 4 checks in 50 sweeps the host waited {waits} times: there is a wait, or a copy to the host, inside \
the loop over the sweeps. Look at the sum after every check_every-th sweep only."
}

# bats test_tags=task:3,points:1
@test "the plate stays on the device" {
  counter solve 'launches > 0 && d2h_bytes < 1000' \
    "{d2h_bytes} bytes came to the host; the plate has 7680. A check needs one number."
}

# bats test_tags=task:3,points:1
@test "solve keeps up with a simple solver" { faster solve simple-solve; }

# bats test_tags=task:4,points:1
@test "solve_float ends where float must, and is clean" {
  right solve_float
  clean solve_float memcheck racecheck initcheck synccheck leakcheck
}

# bats test_tags=task:0,points:2
@test "sweeps is right at every size, and clean" {
  right sweeps
  clean sweeps memcheck racecheck initcheck synccheck leakcheck
}

# bats test_tags=task:0,points:1
@test "sweeps reaches the limit of one sweep at a time" { faster sweeps copy; }

# bats test_tags=task:0,points:1
@test "sweeps keeps cells on the chip for several sweeps" { excellent sweeps copy; }
