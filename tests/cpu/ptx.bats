#!/usr/bin/env bats
# What a compiler makes of kernels (common/cpu/ptx): counts of instructions by class. Only classes are
# compared, since the numbers differ from one version of clang to the next.

bats_require_minimum_version 1.5.0
load helper

setup() {
  command -v clang++ >/dev/null || skip "clang is not installed"
  PTX=${CUCC%/*}/ptx
}

# kernels TEXT: leaves the counts of the kernels in TEXT in $output.
kernels() {
  run --separate-stderr -0 "$PTX" - <<<"$1"
}

# holds CONDITION: of the only kernel, where its counts are variables: $loops
holds() {
  jq -e ".kernels | length == 1 and (.[0] as {counts: \$c, \$double_lines, \$library} | $1)" \
    <<<"$output" >/dev/null || { jq . <<<"$output" && false; }
}

@test "a float kernel has no operation in double, where exact constants are written as doubles, too" {
  kernels '__global__ void k(float *x) {
    float v = x[threadIdx.x];
    if (v > 0.0) v = 0.5 * v;
    x[threadIdx.x] = 1.05f * v + exp(v) + sqrt(v);
  }'
  holds '$c.double_operations == 0 and $c.double_conversions == 0 and $double_lines == []'
  holds '$c.loads_global == 1 and $c.stores_global == 1 and $c.float_operations > 2'
  holds '$library | has("__nv_expf") and (has("__nv_exp") | not)'
}

@test "a file that uses cuBLAS, NCCL and shared pointers is counted, too" {
  kernels "#include <cublas_v2.h>
    #include <memory>
    #include <nccl.h>
    __global__ void k(float *x) { x[threadIdx.x] *= 2; }
    cublasStatus_t f(cublasHandle_t h) { return cublasSetStream(h, 0); }"
  holds "\$c.loads_global == 1"
}

@test "double constants, macros, functions and comparisons are operations in double, with their line" {
  local line
  for line in 'v = 1.05 * v;' 'v = SCALE * v;' 'v = exp(1.0 * v);' 'v = sqrt((double)v);' \
    'v = fmax(v, 0.1);' \
    'if (v > 0.1) v = 0;' 'v = twice(v);' 'double d = v; v = d * d + d;'; do
    kernels "#define SCALE 1.0507009873554805
      static __device__ __noinline__ double twice(double a) { return a + a; }
      __global__ void k(float *x) {
        float v = x[threadIdx.x];
        $line
        x[threadIdx.x] = v;
      }"
    holds '$c.double_operations > 0' || { echo "$line" && false; }
    if [[ $line == *twice* ]]; then holds '$double_lines == [2]'; else holds '$double_lines == [5]'; fi
  done
}

@test "a kernel of doubles has operations in double, copying doubles is none" {
  kernels '__global__ void k(double *x) { x[threadIdx.x] *= 3; }'
  holds '$c.double_operations == 1 and $c.double_conversions == 0'
  kernels '__global__ void k(const double *x, double *y) { y[threadIdx.x] = x[threadIdx.x]; }'
  holds '$c.double_operations == 0'
}

@test "a loop is gone where its length is known, and counts where it is not" {
  kernels '__global__ void k(const float *a, float *y, int n) {
    float s = 0, x = y[threadIdx.x];
    for (int i = 0; i < n; i++) s = s * x + a[i];
    y[threadIdx.x] = s;
  }'
  holds '$c.loops > 0 and $c.branches > 1'
  kernels '__global__ void k(float *y) {
    const float a[] = {1, 2, 3, 4};
    float s = 0, x = y[threadIdx.x];
    for (int i = 0; i < 4; i++) s = s * x + a[i];
    y[threadIdx.x] = s;
  }'
  holds '$c.loops == 0 and $c.branches == 0 and $c.fma >= 3 and $c.loads_global == 1'
}

@test "functions that call themselves count as a loop, functions that are called twice do not" {
  kernels '__device__ __noinline__ float step(int k, float v) { return k > 5 ? v : step(k + 1, v) * v + k; }
  __global__ void k(float *y) { y[threadIdx.x] = step(0, y[threadIdx.x]); }'
  holds '$c.loops > 0'
  kernels '__device__ __noinline__ float other(int k, float v);
  __device__ __noinline__ float step(int k, float v) { return k > 5 ? v : other(k + 1, v) * v + k; }
  __device__ __noinline__ float other(int k, float v) { return k > 7 ? v : step(k + 1, v) + v * k; }
  __global__ void k(float *y) { y[threadIdx.x] = step(0, y[threadIdx.x]); }'
  holds '$c.loops > 0'
  kernels '__device__ __noinline__ float twice(float v) { return v * v + 1; }
  __global__ void k(float *y) { y[threadIdx.x] = twice(twice(y[threadIdx.x])); }'
  holds '$c.loops == 0'
}

@test "multiply-adds that a branch leads around, or that only a loop repeats, are not certain" {
  kernels '__global__ void k(const float *a, float *y, int n) {
    float s = y[0], x = y[threadIdx.x];
    for (int i = 0; i < n; i++) {
      s = s * x + a[i];
      if (n == 12345) s = (s * x + 2) * x + 3;
    }
    if (s > 100) s = s * x + 1;
    y[threadIdx.x] = s;
  }'
  holds '$c.loops > 0 and $c.fma >= 4 and $c.certain_fma <= 1'
  kernels '__global__ void k(const float *x, float *y, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = (x[i] * x[i] + 2) * x[i] + 3;
  }'
  holds '$c.loops > 0 and $c.fma == 2 and $c.certain_fma == 2'
}

@test "multiply-adds of a function count once, where each way to a store calls it" {
  kernels '__device__ __noinline__ float twice(float v) { return v * v + 1; }
  __device__ __noinline__ void put(float *y, float v) { *y = v * v + 3; }
  __device__ __noinline__ float seldom(float v) { return v * v + 2; }
  __global__ void k(float *y, int n) {
    float v = twice(twice(y[threadIdx.x]));
    if (n == 5) v = seldom(v);
    if (threadIdx.x < n) put(y + threadIdx.x, v);
  }'
  holds '$c.fma == 3 and $c.certain_fma == 2'
}

@test "a branch forward, and one to a block that lies before it, are no loops" {
  kernels '__global__ void k(float *y) {
    float v = y[threadIdx.x];
    if (v > 0) v = logf(v); else if (v < -1) v = expf(v); else v = sinf(v);
    y[threadIdx.x] = v;
  }'
  holds '$c.loops == 0 and $c.branches > 0'
}

@test "a kernel of a thousand blocks that lead to each other is counted, and its loop" {
  {
    printf '%s\n' '.visible .entry k(' ')'
    echo '{'
    seq -f '$B%g:' 1000
    printf '%s\n' '@%p1 bra $B1;' 'ret;' '}'
  } >"$BATS_TEST_TMPDIR/ptx"
  run -0 awk -v source=k.cu -v classes='branches loops' -f "$PTX.d/count.awk" "$BATS_TEST_TMPDIR"/{ptx,ptx}
  [[ $output == *$'branches\t1'* && $output == *$'loops\t1'* ]]
}

@test "shared memory, barriers, atomics and special functions have classes of their own" {
  kernels '__global__ void k(const int *x, float *y, int *sum) {
    __shared__ float tile[256];
    tile[threadIdx.x] = y[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = __sinf(tile[255 - threadIdx.x]);
    atomicAdd(sum, x[threadIdx.x]);
  }'
  holds '$c.stores_shared == 1 and $c.loads_shared == 1 and $c.barriers == 1'
  holds '$c.atomics == 1 and $c.special == 1'
}

@test "each instance of a template counts by itself, with the functions that launch it" {
  kernels 'template <class T> __global__ void scale(T *x) { x[threadIdx.x] *= 3; }
    template <class T> static void run(T *x) { scale<<<1, 32>>>(x); }
    extern "C" void floats(float *x) { run(x); }
    extern "C" void doubles(double *x) { run(x); }
    void by_address(float *x) { void *a[] = {&x}; cudaLaunchKernel(scale<float>, 1, 32, a); }'
  jq -e '[.kernels[] | [.name, .launched_by, .counts.double_operations]] | sort_by(.[2])
    == [["scale", ["_Z10by_addressPf", "floats"], 0], ["scale", ["doubles"], 1]]' <<<"$output"
}

@test "make profile counts the kernels of the file and of a text that was compiled at run time" {
  cd "${CUCC%/*}/../.."
  mkdir -p "$BATS_TEST_TMPDIR/build/cpu"
  local program=$BATS_TEST_TMPDIR/build/cpu/lesson02
  jq -n '{tasks: [{name: "poly", what: "a text", counters: {launches: 1, kernels: []}, timeline: null,
    compiled: "extern \"C\" __global__ void map(float *y) { y[0] = fmaf(y[0], 2, 3); }"}]}' >"$program.json"
  printf '#!/bin/sh\ncat "$0.json"\n' >"$program"
  chmod +x "$program"
  echo '__global__ void twice(float *x) { x[threadIdx.x] *= 2; }' >"$BATS_TEST_TMPDIR/kernels.cu"
  run -0 common/tools/profile lesson02 "$BATS_TEST_TMPDIR/build" "$BATS_TEST_TMPDIR/kernels.cu"
  [[ $output == *'launches '*1*'made of the kernels'*'twice '*'float_operations'*1* ]]
  [[ $output == *'twice '*'in the text of poly:'*'map '*'fma '*1* ]]
  run -0 env CLANG=/nowhere/clang++ common/tools/profile lesson02 "$BATS_TEST_TMPDIR/build" \
    "$BATS_TEST_TMPDIR/kernels.cu"
  [[ $output == *'not measured: clang is not installed'*'in the text of poly:'*'not measured: '* ]]
}

@test "names clang's first error, the time limit and a missing clang; the status is 1" {
  run --separate-stderr -1 "$PTX" - <<<'__global__ void k(float *x) { x[0] = unknown; }'
  jq -e '.kernels == null and .reason == "not_compiled"
    and (.message | contains("kernel.cu:1:") and contains("unknown"))' <<<"$output"
  run --separate-stderr -1 env PTX_SECONDS=0.01 "$PTX" - <<<'__global__ void k(float *x) { x[0] = 1; }'
  jq -e '.kernels == null and .reason == "stopped"' <<<"$output"
  run --separate-stderr -1 env CLANG=/nowhere/clang++ "$PTX" - <<<'__global__ void k() {}'
  jq -e '.kernels == null and .reason == "no_clang" and (.message | contains("clang"))' <<<"$output"
  run --separate-stderr -2 "$PTX" --unknown
  run --separate-stderr -2 "$PTX" /nowhere.cu
}

# bats test_tags=slow
@test "all solutions and unusual right answers compile, and the table names their kernels" {
  local file lesson
  cd "${CUCC%/*}/../.."
  for file in solutions/lesson*/*.cu tests/lessons/right/lesson*/*.cu; do
    ! grep -qE '(mma|nvrtc)\.h|jit\.h' "$file" || continue # clang has no such headers
    lesson=${file%/*} lesson=${lesson##*/}
    printf '%s\0%s\0' "$lesson" "$file"
  done | xargs -0 -n 2 -P 2 bash -c '
    "$0" -I common -I "lessons/$1" "$2" | jq -e ".kernels | length > 0" >/dev/null || echo "$2"' "$PTX" \
    >"$BATS_TEST_TMPDIR/bad"
  diff /dev/null "$BATS_TEST_TMPDIR/bad"
  run --separate-stderr -0 "$PTX" --text -I lessons/lesson09 solutions/lesson09/elementwise.cu
  [[ $output == *"squash_kernel"*"loads_global"* ]]
}
