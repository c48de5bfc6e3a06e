# The CPU backend, the harness and a lesson for aarch64: built here by a cross compiler, run by qemu. It
# emulates no seccomp: a program's own filter (common/harness/worker/sandbox.c) is compiled, but not tried.
# bats file_tags=long

bats_require_minimum_version 1.5.0
load helper

setup_file() {
  local missing
  missing=$("$ROOT/tests/cpu/aarch64/works") || skip "$missing"
  export WORK=$BATS_FILE_TMPDIR/work
  mkdir "$WORK"
}

setup() {
  export CROSS_COMPILE=aarch64-linux-gnu- GRADER_EMULATOR=qemu-aarch64 CUCC_BUILD=$WORK/build/cucc
  cd "$BATS_TEST_TMPDIR" || exit
}

# A kernel with pages of 64 KiB, as clusters of GH200 often have one.
with_large_pages() {
  aarch64-linux-gnu-gcc -O2 -Wall -Wextra -Werror -shared -fPIC -o pages.so "$ROOT/tests/cpu/aarch64/pages.c"
  run qemu-aarch64 -E LD_PRELOAD="$PWD/pages.so" "$@"
}

# bats test_tags=slow
@test "on aarch64 the solution of lesson02 loses no point" {
  run "$ROOT/grader/check" --solution lesson02 --keep kept
  ends_with 0
  shows '18 of 25 points, all that could be measured here'
  aarch64-linux-gnu-readelf -h "$WORK/build/cpu/common/harness/run/main.o" | grep -q 'Machine: *AArch64'
  jq -e '.isolated == false' kept/run-cpu.json # qemu knows no seccomp; see the head of this file
}

# bats test_tags=slow
@test "on aarch64 a missing bounds check is found, with its line and its cause" {
  mkdir submission
  cp "$ROOT/solutions/lesson02/kernels.cu" submission
  patch -s submission/kernels.cu "$ROOT/tests/lessons/bugs/lesson02/missing-guard-of-sum.patch"
  run "$ROOT/grader/check" lesson02 --task 2 --submission submission
  ends_with 1
  shows 'immediately past the end of' 'no guard like' 'kernels.cu:'
}

# bats test_tags=slow
@test "on aarch64 races, faults, full stacks, endless kernels and divisions by zero are found" {
  local name
  # try-program runs a program under `timeout -k 1 30`
  printf '#!/bin/bash\nshift 3\nexec %q -k 1 100 qemu-aarch64 "$@"\n' "$(command -v timeout)" >timeout
  chmod +x timeout
  for name in division_by_zero recursion_without_end null_pointer endless_kernel reduction_without_barrier; do
    PATH=$PWD:$PATH "$ROOT/tests/cpu/try-program" faulty "$ROOT/tests/cpu/programs/faulty/$name.cu" \
      aarch64-linux-gnu-g++ "$PWD" forward
  done
}

# bats test_tags=slow
@test "on aarch64 pages may have 64 KiB" {
  make -s -C "$ROOT" BACKEND=cpu NVCC= solution02
  with_large_pages "$WORK/build/cpu/solution02" --task 1
  ends_with 0
  shows 'right for n = 0, 1, 255'
}
