#!/usr/bin/env bats
# Memory: where it ends, that it comes back, and that many allocations stay fast. What calls do and what is
# found about them, programs/right and programs/faulty show (cpu.bats).

load helper

setup_file() {
  export PROGRAMS=$BATS_FILE_TMPDIR
  "$CUCC" --print-libs >/dev/null
  "$CUCC" --fast --print-libs >/dev/null
}

# build NAME [OPTION...]: a program of programs/behaviour.
build() {
  cd "$BATS_TEST_DIRNAME/programs/behaviour" || return
  "$CUCC" -I .. "${@:2}" "$1.cu" -o "$PROGRAMS/$1"
  cd "$PROGRAMS" || return
}

@test "exhausted device memory gives cudaErrorMemoryAllocation, and the program continues" {
  build exhausted
  run ./exhausted
  ends_with 0
  [[ $output =~ ^'pieces '([0-9]+)' error 2 last 2 then 0 0'$ ]] || { echo "$output"; false; }
  [ "${BASH_REMATCH[1]}" -ge 8 ]
}

@test "an exhausted address space gives cudaErrorMemoryAllocation" {
  build exhausted --fast
  run bash -c 'ulimit -v 1500000; exec ./exhausted'
  ends_with 0
  [[ $output =~ ^'pieces '([0-9]+)' error 2 last 2 then 0 0'$ ]] || { echo "$output"; false; }
  [ "${BASH_REMATCH[1]}" -ge 3 ]
  [ "${BASH_REMATCH[1]}" -le 15 ]
}

@test "without memory for a record, a launch fails and the program ends with a message" {
  for flags in "" --fast; do
    build no_records ${flags:+"$flags"}
    run ./no_records
    ends_with 2
    shows "launch 2" "cucc: out of memory" "ulimit -v" "smaller problem"
    shows_not "second launch"
  done
}

@test "when no thread can be created, the first call returns cudaErrorMemoryAllocation and nothing hangs" {
  "$CUCC" --fast -I "$BATS_TEST_DIRNAME/programs" \
    "$BATS_TEST_DIRNAME/programs/right/vector_add.cu" -o "$PROGRAMS/starved"
  run timeout 20 bash -c "ulimit -v 10000; exec $PROGRAMS/starved"
  ends_with 2
  shows 'cudaMalloc' 'out of memory'
  build exhausted --fast
  run timeout 20 bash -c 'ulimit -v 400000; exec ./exhausted'
  ends_with 0
  shows 'error 2 last 2 then 0 0'
}

@test "the checked build reports its needs where the address space is limited" {
  build exhausted
  run bash -c 'ulimit -v 1500000; exec ./exhausted'
  ends_with 2
  shows 'cannot reserve addresses for checking' 'ulimit -v' '--fast'
}

@test "a hundred thousand allocations take seconds, and 40000 fit at once" {
  build many_allocations --fast
  run timeout 120 ./many_allocations
  ends_with 0
  awk -v s="$output" 'BEGIN { exit !(s < 15) }' || { echo "$output s of processor time"; false; }
}

# bats test_tags=slow
@test "a hundred thousand checked allocations take seconds, too" {
  build many_allocations
  run timeout 300 ./many_allocations
  ends_with 0
  awk -v s="$output" 'BEGIN { exit !(s < 60) }' || { echo "$output s of processor time"; false; }
}

@test "a variable's initial value reaches each device, a stripped program's too" {
  cat >"$PROGRAMS/initial.cu" <<'CU'
#include "program.h"
__device__ int numbers[3] = {1, 2, 3};
__constant__ double ratio = 0.5;
__global__ void twice(double *sum) { *sum = ratio * (numbers[0] + numbers[1] + numbers[2]); numbers[0]++; }
int main() {
  double *sum, h;
  for (int d = 0; d < 2; d++) {
    CHECK(cudaSetDevice(d));
    CHECK(cudaMalloc(&sum, sizeof h));
    for (int i = 0; i < 2; i++) {
      twice<<<1, 1>>>(sum);
      CHECK(cudaMemcpy(&h, sum, sizeof h, cudaMemcpyDeviceToHost));
      expect("sum", i, h, 3 + 0.5 * i);
    }
    CHECK(cudaFree(sum));
  }
}
CU
  cd "$PROGRAMS"
  "$CUCC" -I "$BATS_TEST_DIRNAME/programs" initial.cu -o initial
  CUCC_DEVICES=2 run ./initial
  ends_with 0
  strip initial
  CUCC_DEVICES=2 run ./initial
  ends_with 0
}

# bats test_tags=slow
@test "three arrays of 1 GiB work; their shadow is at most four times as large and is released with them" {
  [ "$(awk '/^MemAvailable/ { print int($2 / 1048576) }' /proc/meminfo)" -ge 14 ] ||
    skip "less than 14 GiB of memory are free"
  build three_gigabytes
  run timeout 900 ./three_gigabytes
  ends_with 0
  [[ $output =~ ^'most '([0-9]+)' left '([0-9]+)$ ]] || { echo "$output"; false; }
  [ "${BASH_REMATCH[1]}" -lt $((5 * 3072)) ]
  [ "${BASH_REMATCH[2]}" -lt 300 ]
}

# says_growth MIB: an array of so many MiB, touched as floats and as bytes, and what the checker keeps of it.
says_growth() {
  build bytes_and_floats
  run timeout 600 ./bytes_and_floats "$1"
  ends_with 0
  [[ $output =~ ^'grown '([0-9]+)$ ]] || { echo "$output"; false; }
  [ "${BASH_REMATCH[1]}" -gt $((4 * $1)) ] # or the program did not touch it in parts
  [ "${BASH_REMATCH[1]}" -lt $((5 * $1 + 16)) ]
}

@test "the shadow is at most four times as large as memory that is accessed both as floats and as bytes" {
  says_growth 32
}

# bats test_tags=slow
@test "the same holds for 256 MiB" {
  [ "$(awk '/^MemAvailable/ { print int($2 / 1048576) }' /proc/meminfo)" -ge 2 ] ||
    skip "less than 2 GiB of memory are free"
  says_growth 256
}
