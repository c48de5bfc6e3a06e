#!/usr/bin/env bats
# cucc as a compiler: its options and exit statuses. What it says of wrong sources is in messages.bats,
# what compiled programs find in cpu.bats.

load helper

setup() {
  cd "$BATS_TEST_TMPDIR"
  small_programs
}

@test "a program is compiled, linked and run, checked and fast, by each compiler" {
  for cxx in $(compilers); do
    for kind in '' --fast; do
      # shellcheck disable=SC2086 # no kind is no argument
      CUCC_CXX=$cxx run "$CUCC" $kind -DSTEP=3 -Wall -Wextra -o "add-$cxx" add.cu
      ends_with 0
      [ -z "$output" ]
      run "./add-$cxx"
      ends_with 0
      [ "$output" = "3 3" ]
    done
  done
}

@test "warns of no structure with a member of an anonymous namespace in a program's main file" {
  printf '%s\n' 'namespace { struct key { int a; }; }' 'struct cache { key first; };' \
    'int main() { cache c = {}; return c.first.a; }' >cache.cu
  run "$CUCC" -Wall -Wextra -o cache cache.cu
  ends_with 0
  [ -z "$output" ]
}

@test "precompiles the header that precedes every file, and includes its text where the flags differ" {
  [[ $("${CUCC_CXX:-g++}" --version) == *"Free Software"* ]] || skip "clang++ reads the header each time"
  local flags
  sed -i '1i #include <cuda_runtime.h>' add.cu
  for flags in -DSTEP=1 '--fast -DSTEP=1' '-DSTEP=3 -Wall -g'; do
    # shellcheck disable=SC2086
    run "$CUCC" $flags -Xcompiler -H -c add.cu
    ends_with 0
    shows '! ' '/first.h.gch'
  done
  for flags in '-DSTEP=1 -std=c++20' '-DSTEP=1 -default-stream per-thread' '-DSTEP=1 -DM_PI=3'; do
    # shellcheck disable=SC2086
    run "$CUCC" $flags -Xcompiler -H -c add.cu
    ends_with 0
    shows 'x ' '/first.h.gch'
  done
}

@test "checked code has the lines of its source, and describes variables only with -g" {
  "$CUCC" -c -DSTEP=1 -o lines.o add.cu
  "$CUCC" -c -DSTEP=1 -g -o all.o add.cu
  run objdump --dwarf=info,decodedline lines.o
  shows 'add.cu'
  shows_not DW_TAG_formal_parameter DW_TAG_imported_declaration
  run objdump --dwarf=info all.o
  shows DW_TAG_formal_parameter
}

@test "the bits of a number are read without a call" {
  echo '__global__ void bits(float *x) { *x = __uint_as_float(0x3f800000u + __float_as_uint(*x)); }' >bits.cu
  "$CUCC" -c bits.cu
  run objdump -t bits.o
  shows_not memcpy
}

@test "without -o writes a.out, or an object named after the source" {
  run "$CUCC" -DSTEP=1 add.cu
  ends_with 0
  [ -x a.out ]
  run "$CUCC" -DSTEP=1 -c add.cu
  ends_with 0
  [ -s add.o ]
}

@test "accepts blanks and quotes in the paths of source, header, object, program and folder" {
  mkdir "it's a place" "more headers"
  mv add.cu "it's a place/the sum.cu"
  echo '#define STEP 7' >"more headers/my step.h"
  sed -i '1i #include "my step.h"' "it's a place/the sum.cu"
  run "$CUCC" -I "more headers" -MMD -MF "it's a place/the sum.d" -c "it's a place/the sum.cu" \
    -o "it's a place/the sum.o"
  ends_with 0
  run "$CUCC" "it's a place/the sum.o" -o "it's a place/the sum"
  ends_with 0
  run "./it's a place/the sum"
  [ "$output" = "7 7" ]
  sed -z "s/ \\\\\n//g" "it's a place/the sum.d" | # as make reads it
    grep -q "the\\\\ sum.o: it's\\\\ a\\\\ place/the\\\\ sum.cu"
}

@test "accepts nvcc's everyday options" {
  run "$CUCC" -c -O3 -std=c++17 -std c++14 -arch=sm_80 -arch native -gencode arch=compute_80,code=sm_80 \
    --generate-code=arch=compute_90,code=sm_90 -code=sm_80 -lineinfo --use_fast_math -rdc=true -Xptxas -v \
    --ptxas-options=-v -maxrregcount=32 --extended-lambda --expt-relaxed-constexpr -Xcompiler -Wall,-Wextra \
    -Xcompiler=-fopenmp -Wall -Wno-unused -Werror all-warnings -U NOTHING -D A -DB=2 --define-macro C=3 -I. \
    -I . -t 2 -x cu \
    -diag-suppress 177 -m64 -cudart static -ftz=true -L . -lm -w -g --output-file k.o k.cu
  ends_with 0
  [ -s k.o ]
}

@test "accepts the architectures that nvcc accepts, and rejects others" {
  local -a good=(-arch=native -arch=all -arch=all-major -arch=sm_90a '-arch sm_80' '-code=sm_80,compute_80' \
    '-gencode=arch=compute_80,code=sm_80'
    '-gencode arch=compute_90a,code=[sm_90a,compute_90a]' \
      '-gencode arch=compute_80,code="sm_80,compute_80" -gencode arch=compute_90,code=compute_90')
  local -a bad=(-arch=sm_foo -arch=80 '-arch=sm_80,sm_90' \
    '-gencode arch=compute_80' -arch=ampere -code=native '-gencode arch=sm_80,code=sm_80' \
    '-gencode compute_80' '-gencode arch=compute_80,code=x' -arch=)
  for option in "${good[@]}"; do
    # shellcheck disable=SC2086 # two words are two arguments
    run "$CUCC" --dryrun -c $option k.cu
    ends_with 0
  done
  for option in "${bad[@]}"; do
    # shellcheck disable=SC2086
    run "$CUCC" --dryrun -c $option k.cu
    ends_with 2
    shows 'arch'
  done
}

@test "names an unknown option, and how to pass it to the host compiler" {
  run "$CUCC" --frobnicate k.cu
  ends_with 2
  shows 'cucc: unknown option --frobnicate' 'cucc --help'
  run "$CUCC" -fopenmp k.cu
  ends_with 2
  shows 'cucc: unknown option -fopenmp' '-Xcompiler -fopenmp'
  run "$CUCC" k.cu -o
  ends_with 2
  shows '-o needs a value'
}

@test "rejects nvcc's options for GPU code and other kinds of library, and says what to do instead" {
  local option
  for option in -ptx -cubin -fatbin -dlink -ltoir -optix-ir; do
    run "$CUCC" "$option" k.cu
    ends_with 2
    shows "cucc: $option asks for a GPU's code" '-c makes an object'
  done
  run "$CUCC" -lib k.cu
  ends_with 2
  shows 'ar rcs'
  run "$CUCC" --shared k.cu
  ends_with 2
  shows '-shared is not in the CPU backend'
}

@test "accepts nvcc's options that have no effect here, with their values" {
  run "$CUCC" -c -dopt on --compress-mode=size -e k --no-device-link --sanitize memcheck -brief-diag \
    -ftemplate-depth 500 -o k.o k.cu
  ends_with 0
  [ -s k.o ]
  run "$CUCC" -c --forward-unknown-to-host-compiler -funroll-loops -o k.o k.cu
  ends_with 0
}

@test "wrong usage ends with 2 and one message: no file, missing file, unknown kind, -o with several" {
  run "$CUCC"
  ends_with 2
  shows 'no input file'
  run "$CUCC" missing.cu
  ends_with 2
  shows 'no such file: missing.cu'
  echo >notes.txt
  run "$CUCC" notes.txt
  ends_with 2
  shows "unknown kind of file: 'notes.txt'"
  cp k.cu l.cu
  run "$CUCC" -c k.cu l.cu -o both.o
  ends_with 2
  shows '-o both.o with -c takes one source file, not 2'
  run "$CUCC" -std=c++77 k.cu
  ends_with 2
  shows 'c++77'
}

@test "--help and --version print and end with 0" {
  run "$CUCC" --help
  ends_with 0
  shows 'usage: cucc' 'CUCC_CXX' 'exit status'
  run "$CUCC" --version
  ends_with 0
  shows 'cucc'
}

@test "--source-name names the source in messages" {
  printf 'int main() {\n  int x = nonsense;\n}\n' >copy-of-it.cu
  run "$CUCC" --source-name lessons/lesson05/streams.cu -c copy-of-it.cu
  ends_with 1
  shows 'lessons/lesson05/streams.cu:2:11: error:'
  shows_not 'copy-of-it'
}

@test "a link error ends with 1 and names what is missing" {
  run "$CUCC" -c k.cu
  ends_with 0
  run "$CUCC" k.o -o k
  ends_with 1
  shows 'main'
}

@test "several sources of several kinds make one program" {
  echo '__device__ int twice(int x) { return 2 * x; }' >part.cu
  echo 'int from_c(void) { int a[] = {[1] = 21}; return a[1]; }' >part.c
  echo '#include <cuda_runtime.h>
  int from_cpp() { int n = 0; cudaGetDeviceCount(&n); return n; }' >part.cpp
  cat >main.cu <<'CU'
#include <stdio.h>
__device__ int twice(int x);
extern "C" int from_c(void);
int from_cpp();
__global__ void k(int *p) { *p = twice(*p); }
int main() {
  int *p, h = from_c();
  cudaMalloc(&p, sizeof *p);
  cudaMemcpy(p, &h, sizeof h, cudaMemcpyHostToDevice);
  k<<<1, 1>>>(p);
  cudaMemcpy(&h, p, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %d\n", h, from_cpp());
  cudaFree(p);
}
CU
  run "$CUCC" -c part.cu
  ends_with 0
  ar rcs libpart.a part.o
  run "$CUCC" main.cu part.c part.cpp libpart.a -o program
  ends_with 0
  run ./program
  ends_with 0
  [ "$output" = "42 1" ]
}

@test "dependency files name the .cu, its headers and the target, nothing of the backend's" {
  mkdir -p sub
  echo '#include "second.h"' >sub/first.h
  echo '#define STEP 1' >sub/second.h
  sed -i '1i #include "sub/first.h"' add.cu
  run "$CUCC" -MMD -MP -MF add.d -MT objects/add.o -c add.cu -o add.o
  ends_with 0
  run cat add.d
  shows 'objects/add.o: add.cu' 'sub/first.h' 'sub/second.h'
  shows_not /tmp/cucc .cpp cuda_runtime.h
  run "$CUCC" -MD -c add.cu -o other.o
  ends_with 0
  run cat other.d
  shows 'other.o:' 'add.cu' 'cuda_runtime.h'
  run "$CUCC" -MM add.cu
  ends_with 0
  shows 'add.o: add.cu' 'sub/second.h'
  printf 'objects/add.o:\n\techo made from $<\ninclude add.d\n' >Makefile
  mkdir objects
  : >objects/add.o
  run make
  shows "is up to date"
  run make -n -W sub/second.h
  shows 'made from add.cu'
}

@test "a launch in a header is compiled, and the dependency file names the header" {
  echo 'static void go(int *p) { add<<<4, 32>>>(p, 100); }' >go.cuh
  sed -i 's/  add<<<.*/  go(d);/; /^int main/i #include "go.cuh"' add.cu
  run "$CUCC" -DSTEP=5 -MMD -MF add.d add.cu -o add
  ends_with 0
  run ./add
  [ "$output" = "5 5" ]
  run cat add.d
  shows 'add.cu' "$BATS_TEST_TMPDIR/go.cuh"
  shows_not /cucc.
}

@test "-E shows the text after preprocessing, --dryrun and -v the commands" {
  run "$CUCC" -E k.cu
  ends_with 0
  shows 'void k(float *p, int n)'
  run "$CUCC" --dryrun -c k.cu
  ends_with 0
  shows '#$ ' 'k.cu'
  [ ! -e k.o ]
  run "$CUCC" -v -c k.cu
  ends_with 0
  shows '#$ '
  [ -s k.o ]
  run "$CUCC" --keep -c k.cu
  grep -q '#line 1 "k.cu"' k.cu.cpp
}

@test "--print-include and --print-libs let another compiler build the other files" {
  echo '#include <cucc.h>
  #include <cuda_runtime.h>
  int main(void) { int n = 0; cudaGetDeviceCount(&n); cucc_reset(); return n - 1; }' >plain.c
  run "$CUCC" --print-include
  ends_with 0
  [ -e "$output/cuda_runtime.h" ]
  gcc -Wall -Wextra -Werror -c -isystem "$output" plain.c
  for kind in '' --fast; do
    # shellcheck disable=SC2086
    run "$CUCC" --print-libs $kind
    ends_with 0
    # shellcheck disable=SC2086
    gcc plain.o $output -o plain
    run ./plain
    ends_with 0
  done
}

@test "the libraries define only CUDA's names and their own" {
  "$CUCC" --print-libs -lcublas -lnccl >/dev/null
  "$CUCC" --print-libs --fast >/dev/null
  run nm -g --defined-only "$CUCC_BUILD"/g++/libcucc-{checked,fast,cublas,nccl}.a
  ends_with 0
  shows cucc_launch cublasCreate ncclAllReduce
  run awk 'NF == 3 && $3 !~ /^(cucc_|cucc$|cuda|cublas|nccl|__|_Z)/' <<<"$output"
  [ -z "$output" ]
}

@test "without a C++ compiler says what to install and ends with 3" {
  mkdir bin
  for tool in bash env cat dirname realpath cksum mktemp rm awk; do ln -s "$(command -v "$tool")" bin/; done
  CUCC_BUILD=$PWD/build PATH=$PWD/bin run "$CUCC" -c k.cu
  ends_with 3
  shows "no C++ compiler: 'g++' was not found" 'apt-get install g++'
  CUCC_CXX=clang++-77 run "$CUCC" -c k.cu
  ends_with 3
  shows "'clang++-77'"
}

@test "without Boost.Context says what to install and ends with 3" {
  # a compiler that can't find the library
  printf '#!/bin/sh\nfor a; do [ "$a" = -lboost_context ] && exit 1; done\nexec g++ "$@"\n' >g++-without-boost
  chmod +x g++-without-boost
  CUCC_BUILD=$PWD/build CUCC_CXX=$PWD/g++-without-boost run "$CUCC" -c k.cu
  ends_with 3
  shows 'Boost.Context is missing' 'libboost-context-dev'
  CUCC_BUILD=$PWD/build CUCC_CXX=$PWD/g++-without-boost run "$CUCC" --print-libs
  ends_with 3
}

@test "rejects a compiler that is too old or unknown, with status 4" {
  printf '#!/bin/sh\necho gcc 9\n' >g++-9
  printf '#!/bin/sh\necho hello\n' >not-a-compiler
  chmod +x g++-9 not-a-compiler
  CUCC_BUILD=$PWD/build CUCC_CXX=$PWD/g++-9 run "$CUCC" -c k.cu
  ends_with 4
  shows 'is g++ 9; g++ 11 or newer is needed'
  CUCC_BUILD=$PWD/build CUCC_CXX=$PWD/not-a-compiler run "$CUCC" -c k.cu
  ends_with 4
  shows 'neither g++ nor clang++'
}

@test "ends with 4 where the library cannot be written" {
  : >file
  CUCC_BUILD=$PWD/file run "$CUCC" -c k.cu
  ends_with 4
  shows 'cannot write' 'CUCC_BUILD'
}

@test "two simultaneous calls build the library once, and both succeed" {
  export CUCC_BUILD=$PWD/build
  "$CUCC" --fast -DSTEP=1 -o one add.cu &
  "$CUCC" --fast -DSTEP=2 -o two add.cu
  wait $!
  [ "$(./one) $(./two)" = "1 1 2 2" ]
  [ -z "$(find build -name 'new.*')" ]
}

@test "leaves nothing in the temporary directory, after errors too" {
  mkdir scratch
  echo 'int x = nonsense;' >wrong.cu
  TMPDIR=$PWD/scratch run "$CUCC" -c k.cu
  ends_with 0
  TMPDIR=$PWD/scratch run "$CUCC" -c wrong.cu
  ends_with 1
  [ -z "$(ls scratch)" ]
}

@test "accepts /dev/null as the output" {
  for kind in '' --fast; do
    # shellcheck disable=SC2086 # no kind is no argument
    run "$CUCC" $kind -DSTEP=1 -c -o /dev/null add.cu
    ends_with 0
    [ -z "$output" ]
  done
}

@test "a cache of compilations is left out where it cannot help: a rewritten file has a new name each time" {
  printf '#!/bin/sh\necho "${CCACHE_DISABLE-no}" >>"%s/log"\nexec "$@"\n' "$PWD" >wrapper
  chmod +x wrapper
  echo 'int one(void) { return 1; }' >one.c
  "$CUCC" -c -Xcompiler -wrapper,"$PWD/wrapper" k.cu
  [ "$(sort -u log)" = 1 ]
  rm log
  # ccache, in front of the compiler on the PATH, sets the variable for what it starts.
  PATH=$(getconf PATH) "$CUCC" -c -Xcompiler -wrapper,"$PWD/wrapper" one.c
  [ "$(sort -u log)" = no ]
}

@test "builds the library again when cucc has changed" {
  mkdir build
  cp -a "${CUCC%/*}" cpu
  touch build/{rewrite,gaps,libcucc-checked.a} && chmod +x build/{rewrite,gaps}
  # shellcheck disable=SC2016
  run bash -c 'here=$PWD/cpu build=$PWD/build kind=checked cxx=(g++)
    source cpu/cucc.d/build-runtime.bash
    runtime_is_current || true
    echo "$source_list" >build/checked.stamp
    ! runtime_is_current || echo current
    touch -d "1 minute" cpu/cucc
    runtime_is_current || echo stale'
  shows current stale
}
