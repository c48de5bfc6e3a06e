#!/usr/bin/env bats
# CUDA's kernel language on the CPU: what programs in programs/right cannot show, because they are silent and
# compile.

load helper

# builds NAME [FLAGS...]: compiles programs/behaviour/NAME.cu to $BATS_TEST_TMPDIR/NAME.
builds() {
  "$CUCC" "${@:2}" -o "$BATS_TEST_TMPDIR/$1" "$BATS_TEST_DIRNAME/programs/behaviour/$1.cu"
}

@test "rejects a shuffle without _sync and names the one to use" {
  run builds old_shuffle
  ends_with 1
  shows 'old_shuffle.cu:2:' '__shfl_down is gone from CUDA: use __shfl_down_sync'
}

@test "a failed assertion prints file, line, function, block and thread as CUDA does, and gives error 710" {
  builds assertion --fast
  run "$BATS_TEST_TMPDIR/assertion"
  shows 'all hold: 0' 'one fails: 710' \
    'assertion.cu:5: void check(int): block: [0,0,0], thread: [3,0,0] Assertion `threadIdx.x < limit` failed.'
}

@test "a file that includes <cmath> has the special functions of C++, and another does not compile them" {
  cd "$BATS_TEST_TMPDIR"
  printf '%s\n' '#include <cmath>' '#include <cstdio>' \
    'int main() { printf("%.6f %g\n", std::cyl_bessel_j(0., 1.), std::hypot(1., 2., 2.)); }' >bessel.cu
  "$CUCC" -o bessel bessel.cu
  run ./bessel
  shows '0.765198 3'
  printf '#include <math.h>\n__global__ void k(float *p) { *p = std::hypot(3.0f, 4.0f); }\n' >k.cu
  run "$CUCC" -E k.cu
  ends_with 0
  shows 'hypot(' && shows_not assoc_laguerre
}
