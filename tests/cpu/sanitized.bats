#!/usr/bin/env bats
# The CPU backend's runtime itself under gcc's address and undefined sanitizers, leaks included, and under
# valgrind. The programs' own code is compiled as always; what is examined is the runtime that they are linked
# with.

load helper

SANITIZERS='-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer'

setup() {
  mkdir "$BATS_TEST_TMPDIR/programs"
}

# sanitized KIND FILE...: tries programs, forward with two workers, with a runtime that is built with the
# sanitizers. A finding of theirs ends the program with an exit status that try-program does not expect.
sanitized() {
  export CUCC_RUNTIME_FLAGS=$SANITIZERS
  "$CUCC" --print-libs >/dev/null
  printf '%s\0' "${@:2}" |
    xargs -0 -P 2 -I '{}' "$BATS_TEST_DIRNAME/try-program" "$1" '{}' g++ \
    "$BATS_TEST_TMPDIR/programs" forward@2
}

# bats test_tags=slow
@test "the runtime is clean under the sanitizers where fibers switch, end early and run over their stacks" {
  cd "$BATS_TEST_DIRNAME/programs"
  sanitized right \
    "$PWD"/right/{matmul_tiled,warp_votes,software_grid_barrier,graph_capture,heap_in_kernels}.cu
  sanitized faulty "$PWD"/faulty/{recursion_without_end,grid_sync_skipped,missing_guard}.cu
}

# bats test_tags=slow
@test "the sanitizers see the runtime, and what a program does not free" {
  printf '%s\n' '#include <cuda_runtime.h>' '#include <stdlib.h>' 'int main(int n, char **) {' \
    '  void *device;' \
    '  cudaMalloc(&device, 4);' '  cudaFree(device);' '  void *volatile leaked = malloc(77);' \
    '  leaked = nullptr;' \
    '  char bytes[4] = {};' '  if (n > 1) cudaMemcpy(malloc(8), bytes, 16, cudaMemcpyHostToHost);' \
    '}' >"$BATS_TEST_TMPDIR/leaks.cu"
  export CUCC_RUNTIME_FLAGS=$SANITIZERS
  "$CUCC" -o "$BATS_TEST_TMPDIR/leaks" "$BATS_TEST_TMPDIR/leaks.cu"
  run "$BATS_TEST_TMPDIR/leaks"
  ends_with 1
  shows 'Direct leak of 77 byte'
  run "$BATS_TEST_TMPDIR/leaks" copies
  ends_with 1
  shows 'heap-buffer-overflow' 'runtime/engine/copy'
}

# bats test_tags=slow
@test "all right programs run clean with the runtime under the address and undefined sanitizers" {
  sanitized right "$BATS_TEST_DIRNAME"/programs/right/*.cu
}

# bats test_tags=slow
@test "all faulty programs are reported, and nothing of the runtime, under the sanitizers" {
  sanitized faulty "$BATS_TEST_DIRNAME"/programs/faulty/*.cu
}

# bats test_tags=slow
@test "valgrind finds nothing in programs without checks" {
  command -v valgrind >/dev/null || skip "valgrind is not installed"
  cd "$BATS_TEST_DIRNAME/programs/right"
  for name in matmul_tiled last_block_reduction graph_capture; do
    "$CUCC" --fast -I .. -o "$BATS_TEST_TMPDIR/$name" "$name.cu"
    CUCC_WORKERS=1 run valgrind -q --error-exitcode=9 "$BATS_TEST_TMPDIR/$name"
    ends_with 0
    [ -z "$output" ]
  done
}

# bats test_tags=slow
@test "valgrind on a checked program: one line says that it cannot be, and what can" {
  command -v valgrind >/dev/null || skip "valgrind is not installed"
  [ -e /usr/include/valgrind/valgrind.h ] || skip "valgrind's header is not installed"
  "$CUCC" -I "$BATS_TEST_DIRNAME/programs" -o "$BATS_TEST_TMPDIR/checked" \
    "$BATS_TEST_DIRNAME/programs/right/vector_add.cu"
  run valgrind -q "$BATS_TEST_TMPDIR/checked"
  ends_with 2
  [ "${#lines[@]}" -eq 1 ]
  shows valgrind 'cucc --fast' CUCC_RUNTIME_FLAGS
}
