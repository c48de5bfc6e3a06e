# helper.bash: what the tests of the CPU backend share.
# shellcheck shell=bash

ROOT=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
CUCC=$ROOT/common/cpu/cucc
export ROOT CUCC LC_ALL=C
unset CUCC_CXX CUCC_CC CUCC_RUNTIME_FLAGS CUCC_CHECK CUCC_ORDER CUCC_FAIL CUCC_DEVICES CUCC_PROFILE NO_COLOR
# One build of the runtime for all test files of a run, kept for the next.
export CUCC_BUILD=${CUCC_BUILD:-${WORK:-$ROOT}/build/tests/cucc}

# shows TEXT...: fails, and shows the output, unless it holds each TEXT.
shows() {
  local text
  for text; do
    if [[ $output != *"$text"* ]]; then
      printf 'not shown: %s\n--- output (status %s):\n%s\n' "$text" "$status" "$output"
      return 1
    fi
  done
}

shows_not() {
  local text
  for text; do
    if [[ $output == *"$text"* ]]; then
      printf 'shown, and should not be: %s\n--- output (status %s):\n%s\n' "$text" "$status" "$output"
      return 1
    fi
  done
}

# ends_with STATUS
ends_with() {
  [ "$status" -eq "$1" ] && return
  printf "exit status %s, expected %s\n--- output:\n%s\n" "$status" "$1" "$(head -n 20 <<<"$output")"
  return 1
}

# Small programs in the current directory: add.cu, a whole one, and k.cu, which compiles only, and quickly.
small_programs() {
  cat >add.cu <<'CU'
#include <cstdio>
__global__ void add(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] += STEP;
}
int main() {
  int *d, h[100] = {0};
  cudaMalloc(&d, sizeof h);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  add<<<4, 32>>>(d, 100);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(d);
  printf("%d %d\n", h[0], h[99]);
}
CU
  echo '__global__ void k(float *p, int n) { p[n] = 0; }' >k.cu
}

# Both, or g++ alone where slow tests are left out.
compilers() {
  echo g++
  if [ "${WITHOUT_SLOW-}" ]; then return; fi
  if command -v clang++ >/dev/null; then echo clang++; fi
}

