#!/usr/bin/env bats
# What cucc says of sources that are wrong, or that ask for what the CPU backend lacks.

load helper

setup() {
  cd "$BATS_TEST_TMPDIR"
  small_programs
}

@test "a syntax error names the learner's file, line and column and ends with 1, by each compiler" {
  printf 'int main() {\n  int x = nonsense;\n}\n' >wrong.cu
  for cxx in $(compilers); do
    CUCC_CXX=$cxx run "$CUCC" -c wrong.cu
    ends_with 1
    shows 'wrong.cu:2:11: error:' 'nonsense'
    [ ! -e wrong.o ]
  done
}

@test "errors in each part of a launch point to that part and show no rewritten text" {
  printf '__global__ void k(float *p, int n) { p[n] = 0; }\nint main() {\n  float *p = 0;\n%s\n}\n' \
    '  k<<<blocks, 32>>>(p, size);' >wrong.cu
  for cxx in $(compilers); do
    CUCC_CXX=$cxx run "$CUCC" -c wrong.cu
    ends_with 1
    shows 'wrong.cu:4:7: error:' 'wrong.cu:4:24: error:' blocks size
    shows_not 'launch.h' 'lambda' '/tmp'
  done
  printf '__global__ void k(float *p, int n) { p[n] = 0; }\nint main() {\n  double *p = 0;\n%s\n}\n' \
    '  k<<<1, 32>>>(p, 3);' >wrong.cu
  for cxx in $(compilers); do
    CUCC_CXX=$cxx run "$CUCC" -c wrong.cu
    ends_with 1
    shows 'wrong.cu:4:' 'wrong.cu:1:' 'double'
    shows_not 'launch.h' 'lambda' 'cucc::launcher'
  done
}

@test "rejects an argument 0 from which a template would have to deduce a pointer type" {
  printf 'template <class T> __global__ void k(T *p, int n) { p[n] = 0; }
int main() {
%s
}
' '  k<<<1, 32>>>(0, 3);' >wrong.cu
  for cxx in $(compilers); do
    CUCC_CXX=$cxx run "$CUCC" -c wrong.cu
    ends_with 1
    shows 'wrong.cu:3:' 'error: no matching function for call to' "'int'"
    shows_not 'zero' 'lambda' 'cucc::'
    [ "$(grep -c 'error: ' <<<"$output")" -eq 1 ]
  done
}

# refused TEXT PLACE SENTENCE HINT...: nvcc refuses it, and so do we, by each compiler, in the learner's place
refused() {
  printf '%s\n' "$1" >wrong.cu
  for cxx in $(compilers); do
    CUCC_CXX=$cxx run "$CUCC" -c wrong.cu
    ends_with 1
    shows "wrong.cu:$2: error: $3" "${@:4}"
    shows_not 'cucc:' 'GCC error' 'Pragma' 'launch.h'
    [ "$(grep -c 'error: ' <<<"$output")" -eq 1 ]
  done
}

@test "a function without __global__ can't be launched" {
  refused $'void f() {}\nint main() {\n  f<<<1, 2>>>();\n}' 3:3 'a host function call cannot be configured' \
    '    3 |   f<<<1, 2>>>();' \
    "'f' is not a kernel: write __global__ in front of its declaration (wrong.cu:1)"
  refused $'__device__ void f() {}\nint main() {\n  f<<<1, 2>>>();\n}' 3:3 \
    'a __device__ function call cannot be configured'
}

@test "a kernel can't be called without a configuration, in a macro's argument neither" {
  local hint='launch the kernel with its numbers of blocks and threads: k<<<blocks, threads>>>(...)'
  refused $'__global__ void k(int *p) {}\nint main() {\n\tk(0);\n}' 3:2 \
    'a __global__ function call must be configured' "$hint"
  refused $'template <class T> __global__ void k(T p) {}\nint main() {\n  k<int>(0);\n}' 3:3 \
    'a __global__ function call must' "$hint"
  refused $'__global__ void k(int *p) {}\n#define CHECK(x) do { x; } while (0)\nint main() { CHECK(k(0)); }' \
    3:20 'a __global__ function call must'
  refused $'__global__ void k() {}\n__device__ void f() { k(); }' 2:23 'a __global__ function call must'
}

@test "a kernel returns nothing, takes no references to temporary values and is no member" {
  refused '__global__ int k(int *p) { return 1; }' 1:12 'a __global__ function must have a void return type'
  refused 'static float __global__ k(int *p);' 1:8 'a __global__ function must have a void return type'
  refused '__global__ void *k(int *p) { return p; }' 1:18 'a __global__ function must have a void return type'
  refused '__global__ void k(int &&p) {}' 1:23 \
    'a __global__ function cannot have a parameter with rvalue reference type'
  refused 'struct s { __global__ void k(int *p) {} };' 1:12 \
    'a __global__ function cannot be a member function'
}

@test "says that launches in device code are not supported" {
  refused $'__global__ void k() {}\n__global__ void q() {\n  k<<<1, 2>>>();\n}' 3:3 \
    'a launch in device code (dynamic parallelism) is not in the CPU backend'
}

@test "rejects host functions in kernels and device functions on the host" {
  refused $'float twice(float x) { return 2 * x; }\n__global__ void k(float *p) {\n  *p = twice(*p);\n}' 3:8 \
    "calling a __host__ function 'twice' from a __global__ function 'k' is not allowed" \
    "write __device__, or __host__ __device__, in front of the declaration of 'twice' (wrong.cu:1)"
  refused $'__device__ float twice(float x) { return 2 * x; }\nint main() {\n  float x = twice(1);\n}' 3:13 \
    "calling a __device__ function 'twice' from a __host__ function 'main' is not allowed"
  refused $'void add(int *p) {\n  atomicAdd(p, 1);\n}' 2:3 \
    "calling a __device__ function 'atomicAdd' from a __host__ function 'add'"
  refused $'void add(int *p) {\n  __shared__ int x;\n}' 2:3 \
    'a static __shared__ variable declaration is not allowed inside a host function'
  refused $'__global__ void add(int *p) {\n  __shared__ int x = 0;\n}' 2:20 \
    'initializer not allowed for __shared__ variable'
}

@test "knows the functions of headers and names the header in the message" {
  echo 'inline float twice(float x) { return 2 * x; }' >twice.h
  refused $'#include "twice.h"\n__global__ void k(float *p) {\n  *p = twice(*p);\n}' 3:8 \
    "calling a __host__ function 'twice'" 'twice.h:1)'
}

@test "accepts code that only looks like such a mistake" {
  cat >right.cu <<'CU'
#define DEVICE __device__
#define start(...) named<<<1, 1>>>(__VA_ARGS__)
__global__ void named(int *p);
__global__ void k(int *p) {}
__global__ void start_k(int *p) { (void)p; }
DEVICE int twice(int x) { return 2 * x; }
constexpr int three() { return 3; }
template <class T> __host__ __device__ T both(T x) { return x; }
int either(int x) { return x; }
__device__ int either(float x) { return (int)x; }
struct functor {
  __device__ int operator()(int x) const { return twice(x); }
  void k(int *) {}
  void call() { k(nullptr); }
};
namespace other { void k(int *) {} }
template <class K> void run(K k, int *p) { k<<<1, 1>>>(p); }
void run_pointer(void (*start_k)(int *), int *p) { start_k<<<1, 1>>>(p); }
void local(int *p) {
  auto k = [](int *) {};
  k(p);
  auto pointer = &start_k;
  pointer<<<1, 1>>>(p);
  (void)sizeof(k(p), 1);
}
__global__ void apply(int *p) {
  auto add = [=] __device__(int x) { return twice(x); };
  *p = add(three()) + both(1) + functor()(2) + either(1.f);
#ifdef NEVER
  k(p);
  k<<<1, 1>>>(p);
#endif
}
template <class F> __global__ void each(F f) { f(1); }
void lambda(int *p) { each<<<1, 1>>>([=] __device__(int i) { atomicAdd(p, twice(i)); }); }
extern int elsewhere(int);
#if 0
float wrong(float x) { return atomicAdd(&x, 1); }
#endif
void host(int *p) {
  other::k(p);
  start(p);
  run(k, p);
  run(start_k, p);
  cudaFuncSetCacheConfig(k, cudaFuncCachePreferL1);
  int n = elsewhere(3);
  (void)n;
}
CU
  for cxx in $(compilers); do
    CUCC_CXX=$cxx run "$CUCC" -c right.cu
    ends_with 0
    [ -z "$output" ]
  done
}

@test "names what the CPU backend lacks in one line, with the learner's line, by each compiler" {
  cat >miss.cu <<'CU'
__global__ void k(float *p) { *p = tex2D<float>(0, 1, 2); }
template <class T> __global__ void t(T *p) { *p = __viaddmax_s32(3, 4, 5); }
int main() {
  cudaGraphicsResource_t resource;
  float *p = nullptr;
  cudaGraphicsMapResources(1, &resource, 0);
  cudaGraphicsMapResources(1, &resource, 0);
  t<<<1, 2>>>(p);
}
CU
  for cxx in $(compilers); do
    CUCC_CXX=$cxx run "$CUCC" -c miss.cu
    ends_with 1
    [ "$(grep -v 'errors generated' <<<"$output")" = 'miss.cu:1: error: tex2D is not in the CPU backend
miss.cu:2: error: __viaddmax_s32 is not in the CPU backend
miss.cu:4: error: cudaGraphicsResource_t is not in the CPU backend'"$([ "$cxx" != g++ ] ||
  printf '\nmiss.cu:6: error: cudaGraphicsMapResources is not in the CPU backend')" ]
  done
}

@test "names inline PTX once, whatever the compiler or its assembler says of it, and clusters" {
  cat >ptx.cu <<'CU'
__global__ void k(unsigned *p) {
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(p[threadIdx.x]));
  asm volatile("bar.sync 0;");
}
int main() {}
CU
  printf '%s\n' '__global__ void k(float *p) {' '  asm("ex2.approx.f32 %0, %1;" : "=f"(p[0]) : "f"(p[1]));' \
    '}' 'int main() {}' >operands.cu
  printf '%s\n' '__global__ void k(long long *p) {' '  asm("mov.u64 %0, %clock64;" : "=l"(p[0]));' '}' \
    'int main() {}' >percent.cu
  printf '%s\n' '#include <cooperative_groups.h>' '__global__ void __cluster_dims__(2, 1, 1) k(float *p) {}' \
    '__global__ void m() { cooperative_groups::this_cluster().sync(); }' 'int main() {}' >cluster.cu
  local name
  for cxx in $(compilers); do
    for name in ptx operands percent; do
      CUCC_CXX=$cxx run "$CUCC" "$name.cu"
      ends_with 1
      [[ $output == "$name.cu:2: error: inline PTX is not in the CPU backend: use CUDA's functions"* ]]
      [ "$(grep -ciE ' error: |laneid|bar.sync' <<<"$output")" = 1 ]
    done
  done
  run "$CUCC" cluster.cu
  ends_with 1
  shows 'cluster.cu:2: error: __cluster_dims__ is not in the CPU backend'
  shows 'cluster.cu:3: error: this_cluster is not in the CPU backend'
}

@test "curand_kernel.h brings cuRAND's library for the host along, as the toolkit's does" {
  printf '%s\n' '#include <curand_kernel.h>' 'int main() { curandGenerator_t g; (void)g; }' >r.cu
  run "$CUCC" -c r.cu
  ends_with 0
}

@test "a misspelt name gets the compiler's suggestion, other errors stay as they are" {
  printf 'int main() {\n  float *p;\n  cudaMaloc(&p, 4);\n  return nonsense;\n}\n' >wrong.cu
  for cxx in $(compilers); do
    CUCC_CXX=$cxx run "$CUCC" -c wrong.cu
    ends_with 1
    shows 'wrong.cu:3:3: error:' "did you mean 'cudaMalloc'?" 'wrong.cu:4:10: error:' nonsense
    shows_not 'not in the CPU backend'
  done
}

@test "names a toolkit header that the CPU backend lacks, lists those it has; not the learner's own" {
  for cxx in $(compilers); do
    printf '\n#include <cusparse.h>\nint main() {}\n' >header.cu
    CUCC_CXX=$cxx run "$CUCC" -c header.cu
    ends_with 1
    shows 'header.cu:2: error: cusparse.h is not in the CPU backend (it has: ' 'cuda_runtime.h, '
    printf '#include <helper_cuda.h>\nint main() {}\n' >header.cu
    CUCC_CXX=$cxx run "$CUCC" -c header.cu
    shows 'header.cu:1: error: helper_cuda.h is a header of NVIDIA'
    printf '#include "cuda_utils.h"\nint main() {}\n' >header.cu
    CUCC_CXX=$cxx run "$CUCC" -c header.cu
    shows 'header.cu:1:10: fatal error:'
    shows_not 'not in the CPU backend'
  done
}

@test "a type named half is refused where the toolkit's headers bring half precision along" {
  local header
  for header in nccl.h cooperative_groups.h cuda_bf16.h cuda/atomic; do
    printf '#include <%s>\nstruct half {\n  float x;\n};\nint main() {}\n' "$header" >half.cu
    run "$CUCC" -c half.cu
    ends_with 1
    shows "half.cu:2:8: error: using typedef-name 'half' after 'struct'"
  done
}

@test "warnings after a launch of several lines have the learner's line numbers" {
  printf '__global__ void k(int n) {}\nint main() {\n  k<<<1,\n    2>>>(\n    3);\n  int unused;\n}\n' \
    >warn.cu
  run "$CUCC" -Wall -c warn.cu
  ends_with 0
  shows 'warn.cu:6:7: warning:' 'unused'
  run "$CUCC" -Wall -Werror -c warn.cu
  ends_with 1
}

@test "warns of an uninitialised variable without -Wall, as nvcc does; -w is silent" {
  printf '%s\n' '__global__ void k(int *p) {' '  int sum;' '  for (int i = 0; i < 4; i++)' \
    '    sum += p[i];' '  *p = sum;' '}' 'int main() {}' >sum.cu
  for cxx in $(compilers); do
    CUCC_CXX=$cxx run "$CUCC" -c sum.cu
    ends_with 0
    shows 'sum.cu:4:' 'warning:' 'uninitialized'
    CUCC_CXX=$cxx run "$CUCC" -w -c sum.cu
    ends_with 0
    [ -z "$output" ]
  done
}

@test "rejects more constant memory, or static shared memory of a kernel, than a device has" {
  constant() {
    printf '__constant__ float a[%s], b[8192];\n' "$1"
    printf '__global__ void k(float *p) { *p = a[0] + b[0]; }\nint main() {}\n'
  }
  constant 8192 >fits.cu
  constant 8193 >constant.cu
  printf '%s\n' 'template <class T> __global__ void k(T *p) {' '  __shared__ T a[64][64], b[64][64];' \
    '  a[0][0] = b[0][0] = 1;' '  *p = a[0][0] + b[0][0];' '}' \
    'int main() { k<<<1, 1>>>((double *)0); }' >shared.cu
  sed 's/(double/(float/' shared.cu >tile.cu
  for cxx in $(compilers); do
    CUCC_CXX=$cxx run "$CUCC" -c constant.cu
    ends_with 1
    shows 'constant.cu: error: too much __constant__ memory: 655' '65536 are possible' 'cudaMalloc'
    CUCC_CXX=$cxx run "$CUCC" -c shared.cu
    ends_with 1
    shows 'shared.cu: error: too much __shared__ memory in k<double>(double*)' \
      '(double*): 65536 bytes, 49152 are possible' \
      'extern __shared__'
    for good in fits.cu tile.cu; do
      CUCC_CXX=$cxx run "$CUCC" -c "$good"
      ends_with 0
    done
  done
}

@test "each kernel has its own limit of static shared memory, also in an unnamed namespace" {
  cat >apart.cu <<'END'
namespace {
template <int BYTES> __device__ int turned(int i) {
  __shared__ char a[BYTES];
  a[threadIdx.x] = i;
  __syncthreads();
  return a[i - threadIdx.x];
}
struct sum {
  template <class T> __device__ bool operator<(const T *p) const { return turned<1000>(*p); }
};
template <class T, class Op> __global__ void k(T *p, Op op) {
  const auto more = [=](int i) {
    __shared__ char a[SIZE - 32768];
    a[threadIdx.x] = i;
    __syncthreads();
    return a[i - threadIdx.x];
  };
  __shared__ char a[32768];
  a[threadIdx.x] = op < p;
  __syncthreads();
  *p = more(a[31 - threadIdx.x]);
}
__global__ void plain(int *p) { *p = turned<40000>(*p); }
} // namespace
int main() {
  void *p = 0;
  k<<<1, 32>>>((int *)p, sum());
  k<<<1, 32>>>((float *)p, sum());
  plain<<<1, 32>>>((int *)p);
}
END
  for cxx in $(compilers); do
    CUCC_CXX=$cxx run "$CUCC" -DSIZE=48000 -c apart.cu
    ends_with 0
    CUCC_CXX=$cxx run "$CUCC" -DSIZE=49153 -c apart.cu
    ends_with 1
    shows 'too much __shared__ memory in (anonymous namespace)::k<float, (anonymous namespace)::sum>' \
      ': 49153 bytes, 49152 are possible'
  done
}
