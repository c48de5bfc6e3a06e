#!/usr/bin/env bats
# How a program made by cucc behaves: order, laziness, error codes, exit statuses, environment, and what a
# harness sees.

load helper

setup_file() {
  export PROGRAMS=$BATS_FILE_TMPDIR
  cd "$BATS_TEST_DIRNAME/programs/behaviour" || return
  "$CUCC" --print-libs >/dev/null
  "$CUCC" --fast --print-libs >/dev/null
  printf '%s\n' error_codes sticky prints lazy two_faults |
    xargs -P 2 -I '{}' "$CUCC" -I .. '{}.cu' -o "$PROGRAMS/{}"
  "$CUCC" --fast -I .. lazy.cu -o "$PROGRAMS/lazy-fast"
  "$CUCC" learner.cu harness.c -o "$PROGRAMS/harness"
  "$CUCC" watched.cu -o "$PROGRAMS/watched"
  "$CUCC" failed.cu -o "$PROGRAMS/failed"
}

setup() { cd "$PROGRAMS" || return; }

# All of them: cpu.bats, slow.
@test "each eighth right program built with --fast gives the right answer, forward and at random" {
  printf '%s\n' "$BATS_TEST_DIRNAME"/programs/right/*.cu | awk 'NR % 8 == 0' |
    xargs -d '\n' -P 2 -I '{}' "$BATS_TEST_DIRNAME/try-program" fast '{}' g++ \
    "$BATS_TEST_TMPDIR" forward random:3
}

@test "streams, events and launches that end leave nothing on the heap" {
  "$CUCC" "$BATS_TEST_DIRNAME/programs/behaviour/own_records.cu" -o own_records
  run ./own_records
  ends_with 0
  [ "$output" = "a call keeps nothing" ]
}

@test "blocks and threads run forward, in reverse or at random, the same for the same seed" {
  export CUCC_WORKERS=1 # two blocks may print in either order where each has a core of its own
  CUCC_ORDER=forward run ./prints
  ends_with 0
  [ "${lines[0]}" = "block 0 thread 0" ]
  [ "${#lines[@]}" -eq 6 ]
  CUCC_ORDER=reverse run ./prints
  ends_with 0
  [ "${lines[0]##* }" = 2 ]
  [ "${#lines[@]}" -eq 6 ]
  CUCC_ORDER=random:5 run ./prints
  ends_with 0
  [ "$(sort <<<"$output")" = "$(./prints | sort)" ]
  local first=$output
  CUCC_ORDER=random:5 run ./prints
  [ "$output" = "$first" ]
}

@test "rejects an unknown order, check or kind of fast math with a message" {
  CUCC_ORDER=sideways run ./prints
  [ "$status" -ne 0 ]
  shows CUCC_ORDER sideways
  CUCC_CHECK=everything run ./prints
  [ "$status" -ne 0 ]
  shows CUCC_CHECK everything
  CUCC_FAST_MATH=fast run ./prints
  [ "$status" -ne 0 ]
  shows CUCC_FAST_MATH fast "gpu or exact"
}

@test "a value that is read too early is old every time, checked and fast" {
  for _ in 1 2 3 4 5; do
    # without checks: a report takes time, in which an idle device starts to work
    CUCC_CHECK=none run ./lazy
    ends_with 0
    [ "$output" = "1 2" ]
    run ./lazy-fast
    [ "$output" = "1 2" ]
  done
}

@test "error codes are those of CUDA 13 on a GPU" {
  run ./error_codes
  ends_with 0
  [ -z "$output" ]
}

@test "reports a kernel's fault at the next synchronise and in every call after it" {
  run ./sticky
  ends_with 86
  shows 'launch 0' 'synchronise 700' 'copy 700' 'allocate 700' 'last 700' 'memcheck:'
}

@test "CUCC_CHECK selects the checks; none switches them off" {
  run ./two_faults
  ends_with 86
  shows 'initcheck:' 'leakcheck:' 'cucc: 2 findings'
  CUCC_CHECK=leak run ./two_faults
  ends_with 86
  shows 'leakcheck:'
  shows_not 'initcheck:'
  CUCC_CHECK=mem,race run ./two_faults
  ends_with 0
  CUCC_CHECK=none run ./two_faults
  ends_with 0
  [ -z "$output" ]
}

@test "CUCC_FAIL makes the call that it names fail" {
  CUCC_FAIL=cudaMalloc:2 run ./two_faults
  ends_with 2
  shows 'cudaMalloc(&b, 4): out of memory'
}

@test "a program lets calls fail in turn, guards arrays, and sees what is left and what is not done" {
  run ./watched
  ends_with 0
  shows 'watched'
}

@test "a failed call is known by its name, its line, its launch's shape and the reason" {
  run ./failed
  shows named
}

@test "a harness in plain C, in a forked process, gets findings, counters and the timeline" {
  run ./harness
  ends_with 0
  output=$(grep '^{' <<<"$output")
  [ "$(wc -l <<<"$output")" -eq 3 ]
  good=$(sed -n 1p <<<"$output") bad=$(sed -n 2p <<<"$output") reset=$(sed -n 3p <<<"$output")
  is() { jq -e "$1" <<<"$2" >/dev/null || { printf 'not so: %s\n%s\n' "$1" "$2"; return 1; }; }
  is '.findings == []' "$good"
  is '.counters.launches == 1' "$good"
  is '.counters.kernels[0] | .name == "add_one" and .block == [128,1,1]' "$good"
  is '.counters.copies.h2d_pageable_bytes == 400 and .counters.copies.d2h_pageable_count == 1' "$good"
  is '.counters.device_allocations == 1 and .counters.live_device_bytes == 0' "$good"
  is '[.timeline[].kind] == [0, 4, 1] and .timeline[1].name == "add_one"' "$good"
  is '.timeline[0].end <= .timeline[1].start' "$good"
  line=$(grep -n "i <= n" "$BATS_TEST_DIRNAME/programs/behaviour/learner.cu")
  is ".findings[0] | .tool == \"memcheck\" and .kernel == \"add_one\"" "$bad"
  is ".findings[0] | (.file | endswith(\"learner.cu\")) and .line == ${line%%:*}" "$bad"
  is '.findings[0] | .severity == "error" and .thread == [100,0,0]' "$bad"
  is '.findings[0] | (.text | startswith("memcheck:")) and .cause != null' "$bad"
  is '[.findings[] | select(.tool == "leakcheck")] | length == 2' "$bad"
  is '.findings == [] and .counters.launches == 0 and .timeline == []' "$reset"
}

@test "the modelled timeline is the same in every run and every order" {
  first=$(./harness 2>/dev/null | jq -c .timeline)
  for order in forward reverse random:1 random:2; do
    [ "$(CUCC_ORDER=$order ./harness 2>/dev/null | jq -c .timeline)" = "$first" ]
  done
}

@test "ends a program whose threads deadlock, and says why" {
  "$CUCC" -I "$BATS_TEST_DIRNAME/programs" "$BATS_TEST_DIRNAME/programs/faulty/barrier_in_branch.cu" -o waits
  run timeout 20 ./waits
  ends_with 86
  shows 'synccheck:'
}

@test "allocates while kernels end, also where the host cannot access memory of the device" {
  "$CUCC" -I "$BATS_TEST_DIRNAME/programs" -o allocates \
    "$BATS_TEST_DIRNAME/programs/behaviour/without_host.cu"
  run ./allocates
  ends_with 0
}

@test "warns of __ldg from an element that the same thread writes" {
  "$CUCC" -I "$BATS_TEST_DIRNAME/programs" "$BATS_TEST_DIRNAME/programs/behaviour/read_only.cu" -o in_place
  run ./in_place
  ends_with 0
  shows 'warning' ', only warnings' \
    '__ldg reads what the same thread of the same kernel writes' 'read_only.cu:4'
}

@test "a few blocks at a size of gigabytes show an index in int, as a warning with its line" {
  "$CUCC" -I "$BATS_TEST_DIRNAME/programs" -o "$BATS_TEST_TMPDIR/sampled" \
    "$BATS_TEST_DIRNAME/programs/behaviour/sampled.cu"
  CUCC_CHECK=mem,race,init run timeout 60 "$BATS_TEST_TMPDIR/sampled" size_t
  ends_with 0
  [ "$output" = '4 0 []' ]
  CUCC_CHECK=mem,race,init run timeout 60 "$BATS_TEST_TMPDIR/sampled" int
  shows '"severity":"warning","sentence":"at a size of gigabytes, with 60000 rows: thread (' \
    '"line":21' 'in size_t'
  CUCC_CHECK=mem,race,init run timeout 60 "$BATS_TEST_TMPDIR/sampled" lost
  shows '4 1 [' '"severity":"warning"' '"line":60' \
    'with 60000 rows: the kernels touch nothing of m from element 2147483648 on'
  CUCC_CHECK=mem,race,init run timeout 60 "$BATS_TEST_TMPDIR/sampled" unsigned
  shows '4 1 [' '"severity":"warning"' '"line":60' \
    'with 60000 rows: the kernels touch nothing of m from element 4294967296 on'
  CUCC_CHECK=mem,race,init run timeout 60 "$BATS_TEST_TMPDIR/sampled" capped
  shows '4 1 [' '"severity":"warning"' 'the kernels touch nothing of m from element 1677' \
    'needs a loop over all'
  CUCC_CHECK=mem,race,init run timeout 60 "$BATS_TEST_TMPDIR/sampled" bytes
  shows '0 0 [' '"severity":"warning"' 'copies touch nothing of m from element 205032704 on' '"line":52'
  # the last blocks have nothing left in the last round, the one before them has
  CUCC_CHECK=mem,race,init run timeout 60 "$BATS_TEST_TMPDIR/sampled" rounds
  [ "$output" = '4 0 []' ]
  # the first blocks end below 2^31 in the last round, and what is beyond belongs to others
  CUCC_CHECK=mem,race,init run timeout 60 "$BATS_TEST_TMPDIR/sampled" 'two rounds'
  [ "$output" = '4 0 []' ]
}

@test "gaps of gigabytes between arrays take no room from others" {
  "$CUCC" -I "$BATS_TEST_DIRNAME/programs" -o "$BATS_TEST_TMPDIR/arrays" \
    "$BATS_TEST_DIRNAME/programs/behaviour/arrays_of_gigabytes.cu"
  CUCC_DEVICES=4 CUCC_CHECK=mem run timeout 60 "$BATS_TEST_TMPDIR/arrays"
  ends_with 0
  [ "$output" = 'all have a place' ]
}

@test "advice fits the access: float4 only where 16 bytes were meant, blockIdx for blocks that share" {
  "$CUCC" -I "$BATS_TEST_DIRNAME/programs" -o "$BATS_TEST_TMPDIR/causes" \
    "$BATS_TEST_DIRNAME/programs/behaviour/causes.cu"
  run timeout 20 "$BATS_TEST_TMPDIR/causes" odd
  shows 'a pointer cast to a wider type, at a place'
  [[ $output != *float4* ]]
  run timeout 20 "$BATS_TEST_TMPDIR/causes"
  shows 'an index without blockIdx'
}
