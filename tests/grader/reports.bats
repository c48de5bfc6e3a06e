#!/usr/bin/env bats
# What a report says about wrong answers: the cause, the place and the way out, and what explains it first.

bats_require_minimum_version 1.5.0
load grader_helper

# Two answers with a mistake in each task. The first has no guard, launches nothing, copies in the wrong
# direction, and uses float4 at an odd address.
setup_file() {
  export WORK=$BATS_FILE_TMPDIR/work KEPT=$BATS_FILE_TMPDIR/kept
  new_work "$WORK"
  mkdir -p "$KEPT/one" "$KEPT/two"
  local solution=$ROOT/solutions/lesson02/kernels.cu
  sed -e 's/if (i < n) d_x\[i\]/d_x[i]/' \
    -e '/^cudaError_t vector_add_device/,/^}/{/<<</d;}' \
    -e '/d_b, h_b, size_bytes/s/HostToDevice/DeviceToHost/' \
    -e 's/(const float4 \*)d_a,/(const float4 *)(d_a + 1),/' "$solution" >"$KEPT/one/kernels.cu"
  sed -e '/^cudaError_t scale_array/,/^}/s/return error;/return cudaErrorInvalidValue;/' \
    -e '/^cudaError_t vector_add_device/,/^}/s/if (n == 0) return cudaSuccess;//' \
    -e '/^cudaError_t vector_add(/,/^}/s/error = cudaGetLastError();.*//' \
    -e '/^cudaError_t vector_add_wide/,/^}/s/return cudaGetLastError();/return (cudaError_t)-1;/' \
    "$solution" >"$KEPT/two/kernels.cu"
  local name
  for name in one two; do
    check lesson02 --backend cpu --keep "$KEPT/$name" --submission "$KEPT/$name" >"$KEPT/$name/text" || true
  done
}

setup() { load grader_helper; }

# line_of WORDS: the number of the line of lesson02's answer that contains the words.
line_of() { grep -nF "$1" "$KEPT/$2/kernels.cu" | head -n 1 | cut -d: -f1; }

# message N NAME: the message of check N, in one line.
message() { jq -r --argjson n "$1" '.checks[$n - 1].message | gsub("\n"; " ")' "$KEPT/$2/grade.json"; }

@test "an error names the call, its line and its reason" {
  output=$(message 11 one)
  shows "returned 1 cudaErrorInvalidValue (invalid argument), from cudaMemcpy at kernels.cu:" \
    "$(line_of 'd_b, h_b, size_bytes, cudaMemcpyDeviceToHost' one) " "the direction contradicts the pointers"
  shows_not "Usual cause"
}

@test "an error names the launch by address that was of no kernel" {
  mkdir "$BATS_TEST_TMPDIR/three"
  sed -e '/^cudaError_t vector_add_device/,/^}/{/return cudaGetLastError/d;s/ vector_add_kernel<<<.*/\
  return cudaLaunchKernel((const void *)scale_array, dim3(1), dim3(1), NULL, 0, 0);/;}' \
    "$ROOT/solutions/lesson02/kernels.cu" >"$BATS_TEST_TMPDIR/three/kernels.cu"
  run -1 check lesson02 --backend cpu --task 2 --submission "$BATS_TEST_TMPDIR/three"
  shows "returned 400" "from cudaLaunchKernel at kernels.cu" "a launch of what is no kernel"
}

@test "a fault names the kernel, its launch's shape and the line" {
  output=$(message 1 one)
  shows "from kernel scale_kernel<<<(1,1,1), (256,1,1)>>>" \
    "launched at kernels.cu:$(line_of 'scale_kernel<<<' one) " \
    "kernels.cu:$(line_of 'd_x[i] *= factor' one): thread (1,0,0) of block (0,0,0)"
  output=$(message 18 one)
  shows cudaErrorMisalignedAddress 'as float4' "kernels.cu:$(line_of 'a4[i], b' one)"
}

@test "a refused launch names its shape and what to change" {
  output=$(message 5 two)
  shows "n = 0: it returned 1 cudaErrorInvalidValue" \
    "the launch of vector_add_kernel<<<(0,1,1), (256,1,1)>>>" \
    'launch nothing where there is nothing to do (n = 0), and make no part of the work that has no elements'
  output=$(message 11 two)
  shows 'cudaErrorInvalidValue was not checked, from the launch of vector_add_kernel<<<(2,1,1), (2048,1,1)>>>'
}

@test "a value that no call failed with is said to come from the function's own return" {
  output=$(message 1 two)
  shows 'but no CUDA call failed with it: this value comes from its own `return`'
  output=$(message 18 two)
  shows 'it returned -1, which is no CUDA error'
}

@test "a finding that explains a wrong answer stands first, and next points at its line" {
  output=$(sed -n '/task 1/,/task 2/p' "$KEPT/one/text")
  [[ $output == *"✗ scale_array makes no memory errors"*"✗ scale_array is right at every size"* ]]
  grep -q "Next: look at kernels.cu:$(line_of 'd_x[i] *= factor' one)" "$KEPT/one/text"
  holds "$KEPT/one/grade.json" \
    '[.checks[] | select(.task == 1 and .state == "fail") | .tool] == [null, "memcheck"]'
}

@test "a missing launch is named where the answer is wrong; a refused one is not said to be missing" {
  output=$(message 8 one)
  shows 'No kernel was launched'
  holds "$KEPT/two/grade.json" '.checks[7].reason == "task_wrong"' '.checks[1].reason == "task_wrong"'
}

@test "warnings of gcc and of nvcc are shown, one for each line of the file" {
  if [ -z "$("$ROOT/common/make/find-cuda")" ]; then skip "nvcc is not installed"; fi
  local nvcc TMP=$BATS_TEST_TMPDIR NAME=kernels.cu WARNINGS
  read -r nvcc _ < <("$ROOT/common/make/find-cuda")
  printf '%s\n' '__global__ void scale(float *x, unsigned n) {' '  unsigned i = threadIdx.x;' \
    '  if (i >= 0 && i < n) x[i] *= 2;' '}' 'int run() {' '  int sum;' '  return sum;' '}' >"$TMP/$NAME"
  (cd "$TMP" && "$nvcc" -arch=sm_90 -Xcompiler -Wall -O2 -c "$NAME" -o k.o) >"$TMP/build-cuda.log" 2>&1
  tame() { cat; }
  # shellcheck source=grader/lib/build.bash
  source "$ROOT/grader/lib/build.bash"
  read_warnings
  [ "$WARNINGS" = 'kernels.cu:3: pointless comparison of unsigned integer with zero
kernels.cu:7: variable "sum" is used before its value is set' ]
}
