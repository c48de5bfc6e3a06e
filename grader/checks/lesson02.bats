# The checks of lesson02, kernels. grader/README.md explains the verbs.

load ../lib/check

# in_kernels TASK BYTES: kernels compute the 250007 answers, from inputs of BYTES bytes. Both cross the
# link, by copies or by kernels that use the host's memory; 250007 numbers are 31251 sectors of 32 bytes.
in_kernels() {
  counter "$1" 'working_launches > 0' "Its kernels wrote nothing to global memory: the work is done \
elsewhere."
  together "$1" 31250
  spread "$1"
  counter "$1" 'stored_sectors > 25000' \
    "Its kernels wrote {stored_sectors} sectors of 32 bytes; 250007 numbers are 31251. The work is done \
elsewhere."
  counter "$1" "bytes_in >= $2 && bytes_out >= 1000028" \
    "{bytes_in} bytes went to the device and {bytes_out} came back; the inputs have $2 and the answer has \
1000028. The work is done elsewhere."
  counter "$1" "10 * bytes_in <= 13 * $2 && bytes_out <= 1300000" \
    "{bytes_in} bytes went to the device and {bytes_out} came back; the inputs have $2 and the answer has \
1000028. Let each cross once."
  counter "$1" 'host_functions == 0' \
    "It queued {host_functions} functions for the host: let kernels do the work."
}

# bats test_tags=task:1,points:2
@test "scale_array is right at every size" { right scale_array; }

# bats test_tags=task:1,points:1
@test "a kernel does the scaling" {
  counter scale_array 'launches > 0' "No kernel was launched: let a kernel do the scaling."
  in_kernels scale_array 1000028
}

# bats test_tags=task:1,points:1
@test "scale_array makes no memory errors and frees what it allocates" {
  clean scale_array memcheck initcheck racecheck leakcheck
}

# bats test_tags=task:1,points:1
@test "scale_array returns the error of any call that fails" { failures scale_array; }

# bats test_tags=task:2,points:2
@test "vector_add_device is right at every size" { right vector_add_device; }

# bats test_tags=task:2,points:1
@test "vector_add_device makes no memory errors, no races" {
  clean vector_add_device memcheck initcheck racecheck leakcheck
}

# bats test_tags=task:2,points:1
@test "vector_add_device returns the error of any call that fails" { failures vector_add_device; }

# bats test_tags=task:2,points:1
@test "vector_add_device launches a kernel and copies nothing" {
  together vector_add_device 31250
  spread vector_add_device
  counter vector_add_device 'launches > 0 && device_allocations == 0 && copies == 0' \
    "It made {launches} launches, {device_allocations} allocations and {copies} copies. \
The arrays are on the device already: one launch is all."
  stays vector_add_device
  counter vector_add_device 'stored_sectors > 25000' \
    "Its kernels wrote {stored_sectors} sectors of 32 bytes; 250007 numbers are 31251. The work is done \
elsewhere."
}

# bats test_tags=task:2,points:2
@test "vector_add_device keeps up with the memory" { faster vector_add_device copy; }

# bats test_tags=task:2,points:1
@test "vector_add_device comes close to the limit of the memory" { excellent vector_add_device copy; }

# bats test_tags=task:3,points:1
@test "vector_add is right at every size and returns the error of a bad launch" { right vector_add; }

# bats test_tags=task:3,points:1
@test "a kernel adds the two arrays" {
  in_kernels vector_add 2000056
  as_asked vector_add 'Use the number of threads that the caller gives at every size.'
  counter vector_add '4 * writing_threads >= 256 * writing_blocks' \
    "Only {writing_threads} of the {256 * writing_blocks} threads of its working blocks wrote a number: \
let all threads of a block work."
}

# bats test_tags=task:3,points:1
@test "vector_add makes no memory errors" { clean vector_add memcheck initcheck racecheck; }

# bats test_tags=task:3,points:1
@test "vector_add returns the error of any call that fails, and releases everything" { failures vector_add; }

# bats test_tags=task:3,points:1
@test "vector_add frees what it allocates, after an error too" { clean vector_add leakcheck; }

# bats test_tags=task:3,points:1
@test "vector_add keeps up with the five steps of the harness" { faster vector_add five-steps; }

# bats test_tags=task:3,points:1
@test "vector_add equals the five steps of the harness" { excellent vector_add five-steps; }

# bats test_tags=task:0,points:1
@test "vector_add_wide is right at every size, by work of its kernels" {
  right vector_add_wide
  stays vector_add_wide
  together vector_add_wide 31250
  spread vector_add_wide
  counter vector_add_wide 'stored_sectors > 25000' \
    "Its kernels wrote {stored_sectors} sectors of 32 bytes; 250007 numbers are 31251. The work is done \
elsewhere."
}

# bats test_tags=task:0,points:1
@test "vector_add_wide makes no memory errors, no races" {
  clean vector_add_wide memcheck initcheck racecheck leakcheck
}

# bats test_tags=task:0,points:1
@test "vector_add_wide returns the error of any call that fails" { failures vector_add_wide; }

# bats test_tags=task:0,points:1
@test "vector_add_wide comes near the speed of a copy" { faster vector_add_wide copy; }

# bats test_tags=task:0,points:1
@test "vector_add_wide reaches the speed of a copy" { excellent vector_add_wide copy; }
