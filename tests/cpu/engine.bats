#!/usr/bin/env bats
# How kernels run: blocks and threads that wait for each other, kernels that never end or that fault,
# processes that fork.

load helper

setup_file() {
  export PROGRAMS=$BATS_FILE_TMPDIR
  cd "$BATS_TEST_DIRNAME/programs/behaviour" || return
  "$CUCC" --print-libs >/dev/null
  "$CUCC" --fast --print-libs >/dev/null
  printf '%s\n' spins forks | xargs -P 2 -I '{}' "$CUCC" -I .. '{}.cu' -o "$PROGRAMS/{}"
  "$CUCC" --fast -I .. spins.cu -o "$PROGRAMS/spins-fast"
  export CUCC_KERNEL_LIMIT=1
}

setup() { cd "$PROGRAMS" || return; }

@test "threads that wait for later threads or blocks, or for the host, make progress, checked and fast" {
  for program in ./spins ./spins-fast; do
    for waits in thread block host; do
      CUCC_KERNEL_LIMIT=30 CUCC_CHECK=mem,sync CUCC_WORKERS=1 run timeout 60 "$program" "$waits"
      ends_with 0
      [ "$output" = 0 ]
    done
  done
}

@test "stops an endless kernel and names its line, even without any access to memory, checked and fast" {
  for program in ./spins ./spins-fast; do
    run timeout 30 "$program" empty
    ends_with 86
    shows 'synccheck: the kernel does not end' 'no block has come to its end for 1 seconds' \
      'kernel      empty<<<(3,1,1), (32,1,1)>>>' 'spins.cu:3' $'\n702'
  done
}

@test "a kernel is not called endless while its process does not run" {
  for program in ./spins ./spins-fast; do
    $program stopped >stopped.out &
    until grep -q "State:.T" /proc/$!/status; do sleep 0.1; done
    sleep 2
    kill -CONT $!
    wait $!
    [ "$(cat stopped.out)" = 0 ]
  done
}

@test "CUCC_KERNEL_LIMIT must be a number" {
  CUCC_KERNEL_LIMIT=soon run ./spins thread
  [ "$status" -ne 0 ]
  shows CUCC_KERNEL_LIMIT soon
}

@test "reports a stack overflow as the kernel's error, without ending the program" {
  run ./spins overflow
  ends_with 86
  shows 'memcheck: stack overflow: thread (' 'recursion<<<(2,1,1), (64,1,1)>>>' $'\n700'
  run ./spins-fast overflow
  ends_with 0
  shows 'cucc: stack overflow: thread (' 'compiled without --fast' $'\n700'
}

@test "1024 threads with deep stacks work in two blocks at once" {
  for program in ./spins ./spins-fast; do
    CUCC_CHECK=mem,sync run "$program" deep
    ends_with 0
    [ "$output" = 0 ]
  done
}

@test "returns the memory of deep stacks to the system after a kernel, and gives it to the next one again" {
  run ./spins-fast rests
  ends_with 0
  [ "$(grep -c "^[0-9][0-9]\? MiB\$" <<<"$output")" -eq 2 ] || { echo "$output"; false; }
}

@test "an invalid access is the kernel's error in the fast build, too" {
  run ./spins-fast wild
  ends_with 0
  shows 'accesses address 0x8, where there is no memory' $'\n700'
}

# A library of late.c: who is woken begins before the one who woke it goes on.
late() {
  gcc -std=gnu11 -D_GNU_SOURCE -O1 -shared -fPIC -o late.so "$BATS_TEST_DIRNAME/late.c" -ldl
}

@test "handles the fault of a worker that starts before the engine's own thread" {
  late
  for what in wild overflow; do
    CUCC_WORKERS=2 LATE_US=0 LATE_WAKE=100000 LD_PRELOAD=$PWD/late.so run ./spins-fast "$what"
    ends_with 0
    shows 'compiled without --fast' $'\n700'
  done
}

@test "a worker that starts first keeps its stacks between kernels" {
  late
  "$CUCC" --fast -I "$BATS_TEST_DIRNAME/programs" \
    "$BATS_TEST_DIRNAME/programs/behaviour/in_turn.cu" -o in_turn
  CUCC_WORKERS=2 LATE_US=0 LATE_WAKE=45000 LD_PRELOAD=$PWD/late.so run ./in_turn
  ends_with 0
}

@test "fork before the first use works in both processes; after it the child gets an error" {
  run timeout 20 ./forks
  ends_with 0
  [ "$output" = $'before: child 0 parent 0\nafter: child 0 parent 0' ]
}

@test "signals go to the program's own threads, its handler of SIGSEGV gets the host's faults" {
  for options in '' --fast; do
    # shellcheck disable=SC2086 # none or one
    "$CUCC" $options -I "$BATS_TEST_DIRNAME/programs" \
      "$BATS_TEST_DIRNAME/programs/behaviour/signals.cu" -o signals
    run timeout 60 ./signals timer
    ends_with 0
    [ "$output" = 'ticks 1, on other threads 0' ]
    run timeout 20 ./signals waits
    ends_with 0
    [ "$output" = 'got 1' ]
    run timeout 20 ./signals blocked
    shows 'kernel 700'
    run timeout 20 ./signals fault
    shows 'caught 2, kernel 700'
  done
}

@test "exit in a callback, other programs started and exceptions of the host are as without a device" {
  "$CUCC" -I "$BATS_TEST_DIRNAME/programs" "$BATS_TEST_DIRNAME/programs/behaviour/signals.cu" -o signals
  run timeout 20 ./signals exit
  ends_with 5
  run timeout 20 ./signals children
  ends_with 0
  [ "$output" = 'system 3 popen good' ]
  run timeout 20 ./signals throws
  ends_with 0
  [ "$output" = 'caught an exception of the host' ]
}

@test "gdb stops in a kernel at a line, in one thread, and shows threadIdx and variables" {
  command -v gdb >/dev/null || skip "gdb is not installed"
  "$CUCC" -G "$BATS_TEST_DIRNAME/programs/behaviour/steps.cu" -o steps
  CUCC_WORKERS=1 CUCC_KERNEL_LIMIT=0 run timeout 60 gdb -q -batch \
    -ex 'break steps.cu:7 if cucc_self.block_idx.x == 1 && cucc_self.thread_idx.x == 5' \
    -ex run -ex 'p cucc_self.thread_idx' -ex 'p i' ./steps
  shows 'hit Breakpoint 1' '{x = 5, y = 0, z = 0}' '= 37'
}

# bats test_tags=slow
@test "fibers switch by Boost.Context, too, which other processors than x86-64 use" {
  export CUCC_RUNTIME_FLAGS=-DCUCC_BOOST_CONTEXT
  local program
  mkdir programs
  for program in right/{matmul_tiled,warp_votes,software_grid_barrier,heap_in_kernels} \
    faulty/{recursion_without_end,grid_sync_skipped}; do
    "$BATS_TEST_DIRNAME/try-program" "${program%/*}" \
      "$BATS_TEST_DIRNAME/programs/$program.cu" g++ programs forward
  done
}
