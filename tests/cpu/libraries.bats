#!/usr/bin/env bats
# The toolkit's libraries: how programs are linked with them, and how they report wrong calls. What they
# compute is judged by the programs in programs/right, what they report by those in programs/faulty.

load helper

setup() {
  cd "$BATS_TEST_TMPDIR" || return
}

@test "a program is linked with OpenBLAS only when it asks for -lcublas" {
  run "$CUCC" --print-libs
  ends_with 0
  shows_not openblas cublas
  run "$CUCC" --print-libs -lcublas
  ends_with 0
  shows 'libcucc-cublas.a' '-lopenblas'
  run "$CUCC" --print-libs -lcublas_static -lcudart_static -lculibos
  shows 'libcucc-cublas.a'
  shows_not culibos cudart
}

@test "rejects a toolkit library that is not available by its name, with status 2" {
  for library in cublasLt cufft cusparse cusolver cudnn; do
    run "$CUCC" --print-libs "-l$library"
    ends_with 2
    shows "-l$library: this library is not in the CPU backend"
  done
}

@test "without OpenBLAS, -lcublas says what to install and ends with 3; other programs do not need it" {
  # A compiler that does not find the library.
  printf '#!/bin/sh\ncase "$*" in *-lopenblas*) exit 1 ;; esac\nexec g++ "$@"\n' >g++-bare
  chmod +x g++-bare
  echo 'int main() { return 0; }' >none.cu
  export CUCC_CC=gcc CUCC_CXX=$PWD/g++-bare CUCC_BUILD=$PWD/build
  run "$CUCC" -o none none.cu
  ends_with 0
  run "$CUCC" -o none none.cu -lcublas
  ends_with 3
  shows 'OpenBLAS, which is missing' 'apt-get install libopenblas-pthread-dev' 'dnf install openblas-devel'
}

@test "an error of cuBLAS on purpose is in its status, and is not the last error of the runtime" {
  cat >status.cu <<'TXT'
#include <cublas_v2.h>
#include <cstdio>
int main() {
  cublasHandle_t handle;
  const int made = cublasCreate(&handle);
  const int set = cublasSetMathMode(handle, CUBLAS_TF32_TENSOR_OP_MATH);
  std::printf("%d %d %d\n", made, set, cudaGetLastError());
  return cublasDestroy(handle);
}
TXT
  "$CUCC" -o status status.cu -lcublas
  CUCC_FAIL=cublasSetMathMode:1 run ./status
  ends_with 0
  [ "$output" = '0 1 0' ]
}

@test "numbers that count as 0 do so as factors of each form of gemm, and in no other work of cuBLAS" {
  "$CUCC" -I "$BATS_TEST_DIRNAME/programs" -o zeros "$BATS_TEST_DIRNAME/programs/behaviour/zeros.cu" -lcublas
  run ./zeros
  ends_with 0
  # by columns: A is 1 2 / 3 4, B is 5 -6 / 7 8
  [ "$output" = "usual 19 43 10 14
without 6 and 7 5 15 16 32
transposed 5 15 16 32
batch 5 0 0 32
with TF32 5 15 16 32
copied 5 7 -6 8
by a vector -13 31 -6 8
usual 19 43 10 14" ]
}

@test "a fault in a kernel that NVRTC compiled is reported at its own line, and at that of its launch" {
  "$CUCC" -o late "$BATS_TEST_DIRNAME/programs/behaviour/nvrtc_fault.cu" -lnvrtc -lcuda
  run ./late
  ends_with 86
  shows 'memcheck: thread (32,0,0) of block (0,0,0) writes 4 bytes, immediately past the end' \
    'at          late.cu:3' \
    'fill<<<(1,1,1), (64,1,1)>>>, launched at' 'nvrtc_fault.cu:27' $'\n700'
}

@test "kernels that NVRTC compiled are checked as others are; modules and programs must be given back" {
  local line
  "$CUCC" -o faults "$BATS_TEST_DIRNAME/programs/behaviour/nvrtc_faults.cu" -lnvrtc -lcuda
  line=$(awk '/cuLaunchKernel\(k,/ { print NR }' "$BATS_TEST_DIRNAME/programs/behaviour/nvrtc_faults.cu")
  while read -r fault words; do
    run ./faults "$fault"
    ends_with 86
    shows "$words" || { echo "$fault" && false; }
  done <<TXT
race at          text.cu:3
race racecheck
unset at          text.cu:2
unset initcheck
barrier synccheck
barrier text.cu:3
tile at          text.cu:3
value nvrtc_faults.cu:$line
value not a pointer to the argument
unloaded a kernel is used whose module was unloaded
unloaded nvrtc_faults.cu:$line
leak leakcheck: a module was never given back
leak leakcheck: an NVRTC program was never given back
TXT
}

@test "removes NVRTC's temporary files when the program ends" {
  mkdir temporary
  "$CUCC" -o late "$BATS_TEST_DIRNAME/programs/behaviour/nvrtc_fault.cu" -lnvrtc -lcuda
  TMPDIR=$PWD/temporary run ./late
  ends_with 86
  [ -z "$(ls temporary)" ]
}

@test "a program that was carried to another machine compiles its texts there with CUCC_HOME and CUCC_TOOLS" {
  "$CUCC" -o late "$BATS_TEST_DIRNAME/programs/behaviour/nvrtc_fault.cu" -lnvrtc -lcuda
  CUCC_HOME=$PWD/nowhere run ./late
  ends_with 1
  ln -s "$ROOT/common/cpu" elsewhere
  mkdir tools
  local built=("$CUCC_BUILD"/*/rewrite) # one for each compiler that was used
  cp "${built[0]%/*}"/{rewrite,gaps} tools/
  CUCC_HOME=$PWD/elsewhere CUCC_TOOLS=$PWD/tools run ./late
  ends_with 86
  shows 'at          late.cu:3'
  CUCC_HOME=$PWD/elsewhere CUCC_TOOLS=/dev/null/none run ./late
  ends_with 1
}
