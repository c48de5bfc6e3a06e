# The checks of lesson04, transfers. grader/README.md explains the verbs.
#
# Counters are recorded at the driver's trace sizes: 6 trips; 4096 keys of a table of 1000003; 4096 new
# samples in a window of 1000003; 4099 records.

load ../lib/check

# For tasks that copies can do: where a kernel does the work, all its threads share it.
shares() { # task most
  counter "$1" "lone_accesses <= $2" \
    "{lone_accesses} accesses to global memory were made by fewer than four threads of a warp at a time: \
some threads do the work of all."
}

# bats test_tags=task:1,points:2
@test "round_trips is right at every size, for one trip and for many" { right round_trips; }

# bats test_tags=task:1,points:1
@test "round_trips makes no memory errors, and the host never looks too early" {
  clean round_trips memcheck racecheck initcheck synccheck
}

# bats test_tags=task:1,points:1
@test "round_trips returns the error of any call that fails, and releases everything" {
  failures round_trips
}

# bats test_tags=task:1,points:1
@test "round_trips gives the memory back as it was" { clean round_trips leakcheck; }

# bats test_tags=task:1,points:1
@test "the device takes every step, and no copy is from or to pageable memory" {
  together round_trips 75000
  spread round_trips
  counter round_trips 'h2d_pageable_bytes == 0 || pinned_bytes == 0 || pinned_bytes >= 400012' \
    "It pinned {pinned_bytes} bytes, and h_x has 400012: cudaHostRegister takes a number of bytes. A copy \
from memory of which a part is pinned is a copy from pageable memory."
  counter round_trips 'launches >= 6 && h2d_pageable_bytes == 0 && d2h_pageable_bytes == 0' \
    "In 6 trips it made {launches} launches, {h2d_pageable_count} copies from pageable memory and \
{d2h_pageable_count} copies to it. The copy engine can only access pinned memory by itself."
  counter round_trips 'stored_sectors >= 70000' \
    "Its kernels wrote {stored_sectors} sectors of 32 bytes; 6 steps of 100003 numbers are 75006. The steps \
are made elsewhere."
  counter round_trips 'bytes_in <= 3200000 && bytes_out <= 3200000' \
    "In 6 trips {bytes_in} bytes went to the device and {bytes_out} came back; 6 times the array are 2400072."
}

# bats test_tags=task:1,points:1
@test "memory is pinned once, not once a trip" {
  counter round_trips 'pinned_allocations > 0 || h2d_pageable_bytes == 0' \
    "It pinned nothing: pin h_x before the loop."
  counter round_trips 'pinned_allocations <= 3' \
    "It pinned memory {pinned_allocations} times in 6 trips. That costs more than a copy: do it before the \
loop."
}

# bats test_tags=task:1,points:1
@test "round_trips is faster than pageable copies" { faster round_trips pageable; }

# bats test_tags=task:1,points:2
@test "round_trips is nearly as fast as the link" { faster round_trips link; }

# bats test_tags=task:1,points:1
@test "round_trips loses almost no time compared with the link" { excellent round_trips link; }

# bats test_tags=task:2,points:2
@test "gather_sparse is right at every size, for few keys and for many" { right gather_sparse; }

# bats test_tags=task:2,points:1
@test "gather_sparse makes no memory errors, no races, and leaks nothing" {
  clean gather_sparse memcheck racecheck initcheck synccheck leakcheck
}

# bats test_tags=task:2,points:1
@test "gather_sparse returns the error of any call that fails, and releases everything" {
  failures gather_sparse
}

# bats test_tags=task:2,points:2
@test "a kernel fetches what is asked for, and nothing else crosses the link" {
  together gather_sparse 512
  spread gather_sparse
  counter gather_sparse 'launches > 0 && h2d_bytes + d2h_bytes == 0' \
    "It made {launches} launches, and copied {h2d_bytes} bytes in and {d2h_bytes} bytes out for 4096 \
elements of 4 bytes. A kernel can read pinned memory where it is."
  counter gather_sparse 'bytes_in <= 160000 && bytes_out == 0' \
    "Its kernels read {bytes_in} bytes in the host's memory and wrote {bytes_out} there; 4096 elements, each \
in a sector of 32 bytes, are 131072."
}

# bats test_tags=task:2,points:2
@test "gather_sparse is faster than copying the whole table" { faster gather_sparse copy-all; }

# bats test_tags=task:2,points:1
@test "gather_sparse is much faster than copying the whole table" { excellent gather_sparse copy-all; }

# bats test_tags=task:3,points:2
@test "slide_window is right at every size, and refuses more samples than the window holds" {
  right slide_window
}

# bats test_tags=task:3,points:1
@test "slide_window makes no memory errors, no races, and leaks nothing" {
  clean slide_window memcheck racecheck initcheck synccheck leakcheck
}

# bats test_tags=task:3,points:1
@test "slide_window returns the error of any call that fails, and releases everything" {
  failures slide_window
}

# bats test_tags=task:3,points:2
@test "only the new samples cross the link" {
  counter slide_window 'h2d_bytes + d2h_bytes > 0 || bytes_in + bytes_out <= 24576' \
    "Its kernels read {bytes_in} bytes in the host's memory and wrote {bytes_out} there; the 4096 new \
samples are 16384 bytes. A sector of 32 bytes crosses the link again for each request of a warp that touches \
it."
  counter slide_window 'bytes_out == 0 && bytes_in <= 24576' \
    "It copied {bytes_out} bytes out and {bytes_in} bytes in; the 4096 new samples are 16384 bytes. \
The old window is on the device already: copy it there."
  shares slide_window 125000
}

# bats test_tags=task:3,points:2
@test "slide_window keeps up with a copy on the device" { faster slide_window copy; }

# bats test_tags=task:3,points:1
@test "slide_window comes close to a copy on the device" { excellent slide_window copy; }

# bats test_tags=task:0,points:1
@test "upload_records is right at every size" { right upload_records; }

# bats test_tags=task:0,points:1
@test "upload_records makes no memory errors, no races, and leaks nothing" {
  clean upload_records memcheck racecheck initcheck synccheck leakcheck
  counter upload_records 'freed_while_copied == 0' \
    "It freed pinned memory {freed_while_copied} times before it had waited for the last copy from it or to \
it: wait for all copies before cudaFreeHost."
}

# bats test_tags=task:0,points:1
@test "upload_records returns the error of any call that fails, and releases everything" {
  failures upload_records
}

# bats test_tags=task:0,points:1
@test "many records travel in one copy, from pinned memory" {
  counter upload_records 'pinned_allocations > 0 && h2d_count <= 256 &&
      h2d_pageable_bytes <= 32768' \
    "It made {h2d_count} copies for 4099 records, {h2d_pageable_count} of them from pageable memory, and \
pinned {pinned_allocations} buffers. Starting a copy takes longer than moving a record of 256 bytes."
  counter upload_records 'bytes_in <= 1200000 && bytes_out <= 16384' \
    "{bytes_in} bytes went to the device and {bytes_out} came back; the records have 1049344."
  shares upload_records 32792
}

# bats test_tags=task:0,points:1
@test "upload_records is faster than a copy for each record" { faster upload_records one-by-one; }

# bats test_tags=task:0,points:1
@test "upload_records is much faster than a copy for each record" { excellent upload_records one-by-one; }
