#!/usr/bin/env bats
# The rewriter alone: declarations of shared memory, kernels and variables, and what it leaves alone of them.

load rewrite_helper

@test "dynamic shared memory becomes a pointer in a function and the runtime's array at file scope" {
  becomes 'extern __shared__ float t[];' 'float *const t = static_cast<float *>(::cucc::dynamic_shared()) ;'
  run rewrite <<<'extern __shared__ float t[];'
  [ "$output" = 'extern __thread float t[] asm("cucc_shared") ;' ]
  run rewrite <<<'namespace n { extern "C" { struct s { int a; }; extern __shared__ int t[]; } }'
  shows 'extern __thread int t[] asm("cucc_shared")'
  run rewrite <<<'struct s { template <class T> static __global__ void k() { extern __shared__ T t[]; } };'
  shows 'T *const t = static_cast<T *>'
}

@test "understands alignment, qualifiers, several arrays and inner dimensions of dynamic shared memory" {
  local value='(::cucc::dynamic_shared())'
  becomes 'extern __shared__ __align__(16) unsigned char t[];' \
    "unsigned char *const t = static_cast<unsigned char *>$value ;"
  becomes 'extern __shared__ alignas(double) int t[];' "int *const t = static_cast<int *>$value ;"
  becomes '__shared__ extern volatile float t[];' \
    "volatile float *const t = static_cast<volatile float *>$value ;"
  becomes 'extern __shared__ float a[], b[];' \
    "float *const a = static_cast<float *>$value; float *const b = static_cast<float *>$value ;"
  becomes 'extern __shared__ float t[][32];' "float (*const t)[32] = static_cast<float (*)[32]>$value ;"
  becomes 'extern __attribute__((aligned(8))) __shared__ ns::pair<int, float> t[];' \
    "ns :: pair < int , float > *const t = static_cast<ns :: pair < int , float > *>$value ;"
}

@test "leaves static shared memory and other extern declarations unchanged" {
  unchanged '__device__ void f() { __shared__ float t[32][33]; __shared__ int n; }'
  unchanged 'extern float t[]; extern "C" void f(int t[]); extern int n;'
  unchanged 'extern __shared__ int n;'
}

@test "an #if with a brace in both branches does not confuse the scope" {
  run rewrite <<<$'#ifdef A\nvoid f() {\n#else\nvoid g() {\n#endif\n}\nextern __shared__ int t[];'
  shows 'extern __thread int t[] asm("cucc_shared")'
}

# registers NAME TEXT [PARAMETERS]: the kernel is registered after its body, by its type
registers() {
  run rewrite_raw <<<"$2"
  shows "#line 1 \"<cucc>\"
static const ::cucc::kernel_registration<static_cast<void (*)(${3-})>($1)> \
cucc_kernel_$1_1(\"$1\", \"in.cu\", 1); CUCC_REGISTERED(cucc_kernel_$1_1)"
}

@test "registers a kernel after its body, and continues the line at its column" {
  run rewrite_raw <<<$'__global__ void k(float *p) {\n} int after;'
  ends_with 0
  [ "$output" = $'__global__ void k(float *p) {\n}
#line 1 "<cucc>"
static const ::cucc::kernel_registration<static_cast<void (*)(float * p )>(k)> '"\
cucc_kernel_k_1(\"k\", \"in.cu\", 1); CUCC_REGISTERED(cucc_kernel_k_1)
#line 2 \"in.cu\"
  int after;" ]
}

@test "recognises kernels with specifiers, bounds and attributes in any order, in namespaces and extern C" {
  registers k '__global__ void k() {}'
  registers k 'static __global__ void k(int *p = f(1, 2)) {}' 'int * p '
  registers k '__global__ static void __launch_bounds__(256, 2) k() {}'
  registers k 'void __global__ __launch_bounds__(N) k() {}'
  registers k '__global__ inline void k(std::array<int, (3 > 2)> a) {}' 'std :: array < int , (3 > 2) > a '
  registers k 'extern "C" __global__ void k() {}'
  registers k 'extern "C" { __global__ void k() {} }'
  registers k 'namespace a { namespace { [[maybe_unused]] __global__ void k() {} } }'
  registers k 'namespace a::b { __attribute__((noinline)) __global__ void k() {} }'
  registers k 'struct s { int x{1}; s(int a) : x{a}, y(2) {} int y; }; __global__ void k() {}'
  registers k 'static const int t[] = {1, 2}; enum class e : int { a }; __global__ void k() {}'
  registers k 'bool operator<(a, b) { return 0; } __global__ void k() {}'
}

@test "registers an overloaded kernel by its parameters, without their defaults" {
  registers k '__global__ void k(int *p, int n = f(1, 2), int m = 3) {} void k(float *p);' \
    'int * p , int n , int m '
}

@test "registers the kernels of a template, of a specialisation and of another namespace in their bodies" {
  run rewrite_raw <<<$'template <class... T> static __global__ void k(int n = 1, T *...p) {\n} int after;'
  ends_with 0
  [ "$output" = $'template <class... T> static __global__ void k(int n = 1, T *...p) {\n
#line 1 "<cucc>"
__attribute__((used)) static const ::cucc::kernel_instance<void (*)(int n , T * ...p )> '"\
cucc_instance(\"k\", \"in.cu\", 1);
#line 2 \"in.cu\"
} int after;" ]
  run rewrite_raw <<<'template <> __global__ void k<pair<int, int>>(int *p) {}'
  shows '::cucc::kernel_instance<void (*)(int * p )> cucc_instance("k", "in.cu", 1);'
  run rewrite_raw <<<'__global__ void n::k(int *p) {}'
  shows '::cucc::kernel_instance<void (*)(int * p )> cucc_instance("k", "in.cu", 1);'
}

@test "registers the kernels that a macro writes in their bodies, but for default arguments" {
  run rewrite_raw <<<'#define KERNEL(name) __global__ void name(float *p) {}'
  shows ' name(float *p) { __attribute__((used)) static const ::cucc::kernel_instance<void (*)(float *p)> '"\
cucc_instance(__func__, __FILE__, __LINE__);}"
  run rewrite_raw <<<'#define K(n,T) template <class U> __global__ void __launch_bounds__(9) n(T *p, U q) {}'
  shows ' n(T *p, U q) { __attribute__((used)) static const ::cucc::kernel_instance<void (*)(T *p, U q)> '
  unchanged '#define KERNEL(name) __global__ void name(float *p, int n = 1) {}'
  unchanged '#define KERNEL(name) __global__ void name(float *p);'
}

@test "registers kernels whose template comes from a macro in their bodies" {
  run rewrite_raw <<<'#define GENERIC template <class T>
GENERIC __global__ void k(T *p) {}'
  shows 'static const ::cucc::kernel_instance<void (*)(T * p )> cucc_instance("k", "in.cu", 2);'
  run rewrite_raw <<<'#define GENERIC(...) template <__VA_ARGS__>
GENERIC(class T, int N) __global__ void k(T *p) {}'
  shows 'static const ::cucc::kernel_instance<void (*)(T * p )> cucc_instance("k", "in.cu", 2);'
  run rewrite_raw <<<'#define KERNEL template <class T> __global__ void
KERNEL k(T *p) {}'
  shows 'static const ::cucc::kernel_instance<void (*)(T * p )> cucc_instance("k", "in.cu", 2);'
}

@test "a macro that instantiates a template is no part of what follows it" {
  run rewrite_raw <<<'#define INSTANCE(T) template __global__ void k<T>(T *);
INSTANCE(float)
__device__ int x;
INSTANCE(double)
int main() {}'
  shows 'CUCC_DEVICE_VARIABLE'
  shows 'int main() {}'
}

@test "declarations and member functions are not registered" {
  unchanged '__global__ void k(float *p);'
  unchanged 'template __global__ void k<float>(float *p);'
  unchanged 'void __device__ f() {} __host__ __device__ int g() { return 1; }'
}

# variable MACRO REST TEXT
variable() {
  run rewrite <<<"$3"
  if [ "$output" != "$1 $2" ]; then
    printf '%s\n' "text: $3" "got:  $output"
    return 1
  fi
}

@test "variables of the device are marked for the runtime, each by its kind of memory" {
  variable CUCC_DEVICE_VARIABLE 'int x;' '__device__ int x;'
  variable CUCC_DEVICE_VARIABLE 'int x = 3, y;' '__device__ int x = 3, y;'
  variable CUCC_DEVICE_VARIABLE 'float x[2][3] = {{1}};' '__device__ float x[2][3] = {{1}};'
  variable CUCC_CONSTANT_VARIABLE 'float x[16];' '__constant__ float x[16];'
  variable 'static CUCC_DEVICE_VARIABLE' 'int x;' 'static __device__ int x;'
  variable '__device__ CUCC_MANAGED_VARIABLE' 'int x;' '__device__ __managed__ int x;'
  variable CUCC_MANAGED_VARIABLE '__device__ int x;' '__managed__ __device__ int x;'
  variable 'extern CUCC_DEVICE_VARIABLE' 'int x;' 'extern __device__ int x;'
  variable CUCC_DEVICE_VARIABLE 'float (*f)(float) = g;' '__device__ float (*f)(float) = g;'
  variable CUCC_DEVICE_VARIABLE 'const char *names[2];' '__device__ const char *names[2];'
  variable CUCC_DEVICE_VARIABLE 'a::b<int, (3)> x{1};' '__device__ a::b<int, (3)> x{1};'
  variable CUCC_CONSTANT_VARIABLE 'struct { int a; } x;' '__constant__ struct { int a; } x;'
  variable 'namespace n { CUCC_DEVICE_VARIABLE' 'int x; }' 'namespace n { __device__ int x; }'
  variable '__device__ int f() { static CUCC_DEVICE_VARIABLE' 'int x; }' \
    '__device__ int f() { static __device__ int x; }'
}

@test "a variable template is announced to the runtime; internal inline variables are marked" {
  variable 'static const ::cucc::variable_template cucc_template_x("x", 1);' \
    'template <class T> __constant__ T x;' 'template <class T> __constant__ T x;'
  variable 'static inline CUCC_DEVICE_VARIABLE' 'int y;' 'static inline __device__ int y;'
}

@test "removes static next to __shared__, which implies it" {
  variable '__device__ void f() { __shared__' 'int a[4]; __shared__ int b; static int c; }' \
    '__device__ void f() { static __shared__ int a[4]; __shared__ static int b; static int c; }'
}

@test "constants, functions, members, lambdas and parameters are no variables of the device" {
  unchanged '__device__ const int x = 3; static __constant__ const float a[] = {1};'
  unchanged 'constexpr __device__ int c = 1;'
  unchanged '__device__ int *const x = 0;'
  unchanged '__device__ int f(); __device__ auto g() -> int { return 1; } __device__ bool operator==(a, b);'
  unchanged '__host__ __device__ a::b<int>::c(int x) {} __device__ T operator()(int i) const { return i; }'
  unchanged 'struct s { __device__ s(int x) : y{x} {} __device__ ~s() {} static __device__ int z; };'
  unchanged 'inline __device__ int y; template <class T> __device__ const T x;'
  unchanged 'auto f = [] __device__ (int i) { return i; };'
  unchanged 'void g() { h([=] __host__ __device__ { return 1; }); }'
}
