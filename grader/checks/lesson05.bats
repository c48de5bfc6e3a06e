# The checks of lesson05, streams. grader/README.md explains the verbs.
#
# Counters and timelines are recorded at the driver's trace size: 1000003 elements in chunks of 131072, so 8
# chunks. A quarter of the kernel time separates overlap from no overlap: without it the figure is 0, with it
# nearly all of the time.

load ../lib/check

# Each element crosses the link once in each direction, and every kernel and copy works on one chunk: copies
# and kernels for show, beside one that does everything, don't pass.
by_chunks() { # task
  together "$1" 125000
  spread "$1"
  counter "$1" 'bytes_in <= 5200000 && bytes_out <= 5200000' \
    "{bytes_in} bytes went to the device and {bytes_out} came back; the array has 4000012."
  counter "$1" 'working_launches >= 8 && 6 * most_stored_sectors <= stored_sectors' \
    "{working_launches} of {launches} launches wrote something, one of them {most_stored_sectors} of all \
{stored_sectors} sectors of 32 bytes; a chunk is an eighth. Launch a kernel for each of the 8 chunks."
  counter "$1" 'largest_h2d <= 524288 && largest_d2h <= 524288' \
    "The largest copy in has {largest_h2d} bytes, the largest copy out {largest_d2h}; a chunk has 524288."
}

# The default stream waits for all blocking streams, and they for it.
no_default_stream() { # task
  counter "$1" 'default_stream_operations == 0 || blocking_stream_operations == 0' \
    "It queued {default_stream_operations} of {operations} copies and launches in the default stream, which \
waits for its other streams, and they for it: give every launch and every copy a stream."
}

# A tail of its own may be queued after a wait for everything.
never_drained() { # task
  counter "$1" '2 * longest_run > launches' \
    "After {longest_run} of {launches} launches, at most, the host waited for all that it had queued: then \
no engine works until it queues more. Wait only for the stream or event whose memory is needed next."
}

# bats test_tags=task:1,points:2
@test "process_chunks is right at every size" { right process_chunks; }

# bats test_tags=task:1,points:1
@test "process_chunks makes no memory errors, no races, and leaks nothing" {
  clean process_chunks memcheck racecheck initcheck synccheck leakcheck
}

# bats test_tags=task:1,points:1
@test "process_chunks returns the error of any call that fails, and releases everything" {
  failures process_chunks
}

# bats test_tags=task:1,points:1
@test "each chunk is copied in, worked on and copied out by itself, from pinned memory" {
  counter process_chunks 'h2d_pageable_bytes == 0 && d2h_pageable_bytes == 0' \
    "For 8 chunks it made {launches} launches, {h2d_count} copies in and {d2h_count} copies out, some of \
them with pageable memory: copy between h_in, h_out and d_work themselves, they are pinned."
  counter process_chunks 'launches >= 8 && h2d_pinned_count >= 8 && d2h_pinned_count >= 8' \
    "For 8 chunks it made {launches} launches, {h2d_count} copies in and {d2h_count} copies out: one of \
each for every chunk."
  by_chunks process_chunks
  no_default_stream process_chunks
}

# bats test_tags=task:1,points:1
@test "all chunks are queued before the one wait" {
  counter process_chunks 'synchronisations + blocking_copies < 8' \
    "The host waited {synchronisations + blocking_copies} times for 8 chunks: there is a wait, or a \
cudaMemcpy without Async, inside the loop. Queue all chunks, then wait once."
  as_asked process_chunks
}

# bats test_tags=task:1,points:1
@test "process_chunks keeps up with one stream of the harness" { faster process_chunks one-stream; }

# bats test_tags=task:2,points:2
@test "process_streams is right at every size, for one stream and for many" { right process_streams; }

# bats test_tags=task:2,points:1
@test "process_streams makes no memory errors, no races between streams" {
  clean process_streams memcheck racecheck initcheck synccheck
}

# bats test_tags=task:2,points:1
@test "process_streams returns the error of any call that fails, and releases everything" {
  failures process_streams
}

# bats test_tags=task:2,points:1
@test "process_streams destroys what it creates" { clean process_streams leakcheck; }

# bats test_tags=task:2,points:1
@test "copies overlap kernels" {
  by_chunks process_streams
  overlaps process_streams 25
  never_drained process_streams
  no_default_stream process_streams
  as_asked process_streams 'A stream runs its chunks one after another: fewer of them overlap less.'
}

# bats test_tags=task:2,points:2
@test "several streams are faster than one" { faster process_streams one-stream; }

# bats test_tags=task:2,points:1
@test "several streams are much faster than one" { excellent process_streams one-stream; }

# bats test_tags=task:2,points:1
@test "process_streams is within 1.15 × of the overlap limit" { excellent process_streams overlap-limit; }

# bats test_tags=task:3,points:2
@test "process_batches is right at every size, for one buffer and for many" { right process_batches; }

# bats test_tags=task:3,points:1
@test "process_batches makes no memory errors, and no buffer is reused too early" {
  clean process_batches memcheck racecheck initcheck synccheck
}

# bats test_tags=task:3,points:1
@test "process_batches returns the error of any call that fails, and releases everything" {
  failures process_batches
}

# bats test_tags=task:3,points:1
@test "process_batches frees its buffers, streams and events" { clean process_batches leakcheck; }

# bats test_tags=task:3,points:1
@test "every copy goes through pinned staging buffers" {
  counter process_batches 'pinned_bytes >= 524288 && h2d_pageable_bytes == 0 && d2h_pageable_bytes == 0' \
    "{h2d_pageable_bytes} bytes went in and {d2h_pageable_bytes} bytes came out straight from pageable \
memory, and it allocated {pinned_allocations} pinned buffers: the host waits during a pageable copy."
  counter process_batches 'registrations <= 8 && largest_registration <= 2200000' \
    "It registered memory {registrations} times, at most {largest_registration} bytes at once; 4 buffers of \
one batch are 2097152. h_in and h_out are too large to pin: copy each batch into a staging buffer."
  counter process_batches 'pinned_bytes <= 4400000' \
    "It pinned {pinned_bytes} bytes. 4 buffers of one batch are 2097152: a staging buffer holds one batch."
  as_asked process_batches 'Batches go through pinned staging buffers, a single one too.'
  by_chunks process_batches
}

# bats test_tags=task:3,points:1
@test "the device copies one batch while it works on another" {
  counter process_batches 'device_synchronisations <= 2' \
    "It called cudaDeviceSynchronize {device_synchronisations} times for 8 batches: that waits for all \
streams, the host waits for one part of the work before it queues the next. Wait for the event of one buffer."
  overlaps process_batches 25 modelled # on a GPU the host's own copying decides how often both meet
  never_drained process_batches
  no_default_stream process_batches
}

# bats test_tags=task:3,points:1
@test "the pipeline keeps up with the one of the harness" { faster process_batches staged; }

# bats test_tags=task:0,points:1
@test "process_tuned is right at every size, by work of its kernels" {
  right process_tuned
  together process_tuned 125000
  spread process_tuned
  counter process_tuned 'stored_sectors >= 120000 && bytes_in >= 4000012 && bytes_out >= 4000012' \
    "Its kernels wrote {stored_sectors} sectors of 32 bytes, {bytes_in} bytes went to the device and \
{bytes_out} came back; the array has 125001 sectors, 4000012 bytes. The work is done elsewhere."
  counter process_tuned 'bytes_in <= 5200000 && bytes_out <= 5200000' \
    "{bytes_in} bytes went to the device and {bytes_out} came back; the array has 4000012. Let each cross \
once."
}

# bats test_tags=task:0,points:1
@test "process_tuned makes no memory errors, no races, and leaks nothing" {
  clean process_tuned memcheck racecheck initcheck synccheck leakcheck
}

# bats test_tags=task:0,points:1
@test "process_tuned returns the error of any call that fails, and releases everything" {
  failures process_tuned
}

# bats test_tags=task:0,points:1
@test "process_tuned comes near the limit with the best chunk" { faster process_tuned overlap-limit; }

# bats test_tags=task:0,points:1
@test "process_tuned is within 1.2 × of that limit" { excellent process_tuned overlap-limit; }
