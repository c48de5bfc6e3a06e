# The checks of lesson09, elementwise. grader/README.md explains the verbs.
#
# Counters are recorded at the driver's trace size of 100003 elements: as floats 12501 sectors of 32 bytes to
# read and as many to write. Up to 1.6 times as many are allowed, for blocks that do not begin at a sector.

load ../lib/check

# once TASK SECTORS: kernels do the work on the arrays that are there, and each byte moves once. Where one
# launch writes all results, its loads are not counted: a compiler makes one of two loads of the same element.
once() {
  counter "$1" 'launches > 0' "No kernel was launched."
  together "$1" 12500
  spread "$1"
  counter "$1" 'device_allocations == 0 && copies == 0' \
    "It made {device_allocations} allocations and {copies} copies. The arrays are on the device already, and \
what is between two steps can stay in a register."
  as_asked "$1"
  counter "$1" "stored_sectors * 10 >= $2 * 9" \
    "Its kernels wrote {stored_sectors} sectors of 32 bytes; the results are $2. The work is done elsewhere."
  counter "$1" 'global_atomics <= 3125' \
    "Its kernels made {global_atomics} atomic operations: what is between two steps can stay in a register."
  counter "$1" "most_stored_sectors * 10 <= $2 * 16 || ideal_stored_sectors * 10 > $2 * 16" \
    "Its kernels wrote {stored_sectors} sectors of 32 bytes, where {ideal_stored_sectors} would be enough: \
thread x + 1 should write the element immediately after thread x's."
  counter "$1" "stored_sectors * 10 <= $2 * 16 &&
      (most_stored_sectors * 10 >= $2 * 9 || fetched_sectors * 10 <= $2 * 32)" \
    "In {launches} launches its kernels moved {fetched_sectors} sectors of 32 bytes, and wrote \
{stored_sectors} of them; the elements are $2 to read and $2 to write. Which bytes move twice?"
  # a vector at the end may begin in the one before it
  local most=$((32 * $2))
  counter "$1" "stored_bytes <= $most + 4096" \
    "Its kernels wrote {stored_bytes} bytes; the results take $most at most. Write each element once, \
from a register."
}

# bats test_tags=task:1,points:2
@test "sin_map_float is right at every size, for numbers of every size" { right sin_map_float; }

# bats test_tags=task:1,points:1
@test "sin_map_double is right at every size, for numbers of every size" { right sin_map_double; }

# bats test_tags=task:1,points:1
@test "sin_map_float and sin_map_double make no memory errors, no races" {
  clean sin_map_float memcheck racecheck initcheck leakcheck
  clean sin_map_double memcheck racecheck initcheck leakcheck
}

# bats test_tags=task:1,points:1
@test "sin_map_float and sin_map_double return the error of any call that fails" {
  failures sin_map_float
  failures sin_map_double
}

# bats test_tags=task:1,points:1
@test "each number is read once and written once" {
  once sin_map_float 12501
  once sin_map_double 25001
}

# bats test_tags=task:1,points:1
@test "sin_map_float computes in float" { in_float sin_map_float; }

# bats test_tags=task:1,points:1
@test "sin_map_float comes near a copy" { faster sin_map_float copy; }

# bats test_tags=task:1,points:1
@test "sin_map_float is nearly as fast as a copy" { excellent sin_map_float copy; }

# bats test_tags=task:1,points:1
@test "sin_map_double keeps up with a plain kernel" { faster sin_map_double plain; }

# bats test_tags=task:2,points:2
@test "selu is right at every size, for tiny numbers and NaN too, and in place" { right selu; }

# bats test_tags=task:2,points:1
@test "selu makes no memory errors, no races" { clean selu memcheck racecheck initcheck leakcheck; }

# bats test_tags=task:2,points:1
@test "selu returns the error of any call that fails" { failures selu; }

# bats test_tags=task:2,points:1
@test "selu reads each number once and writes it once" { once selu 12501; }

# bats test_tags=task:2,points:1
@test "selu computes in float: no double comes into its arithmetic" { in_float selu; }

# bats test_tags=task:2,points:1
@test "selu comes near a copy" { faster selu copy; }

# bats test_tags=task:2,points:1
@test "selu is nearly as fast as a copy" { excellent selu copy; }

# bats test_tags=task:3,points:2
@test "chain is right at every size" { right chain; }

# bats test_tags=task:3,points:1
@test "chain makes no memory errors, no races" { clean chain memcheck racecheck initcheck leakcheck; }

# bats test_tags=task:3,points:1
@test "chain returns the error of any call that fails" { failures chain; }

# bats test_tags=task:3,points:2
@test "nothing between the steps goes through memory" { once chain 12501; }

# bats test_tags=task:3,points:2
@test "chain is faster than the three kernels" { faster chain three-kernels; }

# bats test_tags=task:3,points:1
@test "chain gains what its bytes allow" { excellent chain three-kernels; }

# bats test_tags=task:4,points:3
@test "fast_sin is right at every size, within its stated error" { right fast_sin; }

# bats test_tags=task:4,points:1
@test "fast_sin makes no memory errors, no races" { clean fast_sin memcheck racecheck initcheck leakcheck; }

# bats test_tags=task:4,points:1
@test "fast_sin returns the error of any call that fails" { failures fast_sin; }

# bats test_tags=task:4,points:1
@test "fast_sin reads each number once and writes it once" { once fast_sin 12501; }

# bats test_tags=task:4,points:2
@test "fast_sin is faster than sinf where arithmetic decides" { faster fast_sin sinf; }

# bats test_tags=task:4,points:1
@test "fast_sin is much faster than sinf" { excellent fast_sin sinf; }

# bats test_tags=task:0,points:2
@test "crossing finds the size from which the GPU wins, and says when there is none" { right crossing; }

# bats test_tags=task:0,points:1
@test "crossing makes no memory errors and frees what it allocates" {
  clean crossing memcheck racecheck initcheck leakcheck
}

# bats test_tags=task:0,points:1
@test "crossing returns the error of any call that fails, and releases everything" { failures crossing; }

# 12 sizes up to 4095, 1 + 2 + 4 ... + 2048 floats of 4 bytes. The host wins at each of them.
# bats test_tags=task:0,points:1
@test "crossing measures copies and kernels at every size" {
  counter crossing 'launches >= 12 && h2d_count >= 12 && d2h_count >= 12' \
    "For 12 sizes it made {launches} launches, {h2d_count} copies to the device and {d2h_count} back: each \
measurement is a copy in, the kernel and a copy out."
  counter crossing 'h2d_bytes >= 16380 && d2h_bytes >= 16380' \
    "It copied {h2d_bytes} bytes in and {d2h_bytes} bytes out; 1, 2, 4 ... 2048 floats are 16380 bytes."
  counter crossing 'largest_h2d >= 8192 && largest_d2h >= 8192 && h2d_bytes <= 4096 * h2d_count' \
    "Its largest copies were {largest_h2d} bytes in and {largest_d2h} bytes out, and {h2d_count} copies \
brought {h2d_bytes} bytes in: n floats for each n, not fewer, and not all of them. 2048 floats are \
8192 bytes."
  counter crossing 'stored_sectors >= 512' \
    "Its kernels wrote {stored_sectors} sectors of 32 bytes; 1, 2, 4 ... 2048 floats fill 514: n sines for \
each n."
  counter crossing 'device_allocations <= 4' \
    "It allocated device memory {device_allocations} times: allocate before you measure, and keep it."
}
