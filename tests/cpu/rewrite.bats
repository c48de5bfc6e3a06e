#!/usr/bin/env bats
# The rewriter alone: what it changes, and above all what it leaves alone. That the result compiles and runs
# is shown by cucc.bats and cpu.bats.

load rewrite_helper

# launch NAME CONFIGURATION [ARGUMENT...]: a launch, whose arguments are names; without any it lacks its `)`.
launch() {
  local name=$1 configuration=$2 arguments
  shift 2
  printf '::cucc::launch_at(__FILE__, 1, "%s", ::cucc::launch_config( %s ))' "$name" "$configuration"
  (($#)) || { printf '([=](auto... cucc_a) { %s (cucc_a...); }' "$name" && return; }
  printf '.converting(CUCC_TYPE(%s), [=](auto... cucc_a) { %s (cucc_a...); })' "$name" "$name"
  arguments=$(printf ' , ::cucc::passed( %s)' "$@")
  printf '(%s )' "${arguments# ,}"
}

# pointer NAME CONFIGURATION: how a launch by pointer begins.
pointer() { printf '::cucc::by_pointer(__FILE__, 1, "%s", %s, ::cucc::launch_config( %s)) ' "$1" "$1" "$2"; }

@test "a launch becomes a call with its name, configuration, kernel and arguments" {
  becomes 'k<<<1, 2>>>(a, b);' "$(launch k '1, 2' a b);"
}

@test "a launch without arguments passes none" {
  becomes 'k<<<1, 2>>>();' "$(launch k '1, 2') );"
  becomes 'k<<<1, 2>>>( /* none */ );' "$(launch k '1, 2') /* none */ );"
}

@test "all four parts of a configuration are kept" {
  becomes 'k<<<dim3(1, 2), dim3{3, 4}, n * sizeof(float), streams[i]>>>(a);' \
    "$(launch k 'dim3(1, 2), dim3{3, 4}, n * sizeof(float), streams[i]' a);"
}

@test "template arguments and namespaces belong to the kernel's name" {
  becomes 'k<float, 16><<<g, b>>>(a);' "$(launch 'k<float, 16>' 'g, b' a);"
  becomes 'ns::deep::k<T><<<g, b>>>(a);' "$(launch 'ns::deep::k<T>' 'g, b' a);"
  becomes '::k<<<g, b>>>(a);' "$(launch '::k' 'g, b' a);"
  becomes 'S<int>::k<<<g, b>>>(a);' "$(launch 'S<int>::k' 'g, b' a);"
  becomes 'k<(3 > 2)><<<g, b>>>(a);' "$(launch 'k<(3 > 2)>' 'g, b' a);"
  becomes 'k<A<B>><<<g, b>>>(a);' "$(launch 'k<A<B>>' 'g, b' a);"
}

@test "kernels in variables, tables and members can be launched" {
  becomes 'table[i + 1]<<<g, b>>>(a);' "$(pointer 'table[i + 1]' 'g, b')(a);"
  becomes 'v.kernel<<<g, b>>>(a);' "$(pointer 'v.kernel' 'g, b')(a);"
  becomes 'v->kernel<<<g, b>>>(a);' "$(pointer 'v->kernel' 'g, b')(a);"
  becomes '(*p)<<<g, b>>>(a);' "$(pointer '(*p)' 'g, b')(a);"
  becomes 'void (*p)(int) = pick(i); p<<<g, b>>>(0);' "void (*p)(int) = pick(i); $(pointer p 'g, b')(0);"
  becomes 'pick(i)<<<g, b>>>({1, 2});' "$(pointer 'pick(i)' 'g, b')({1, 2});"
  becomes 'if (x) (k)<<<g, b>>>(a);' "if (x) $(launch '(k)' 'g, b' a);"
  becomes 'if (x) k<<<g, b>>>(a); else q<<<g, b>>>(c);' \
    "if (x) $(launch k 'g, b' a); else $(launch q 'g, b' c);"
}

@test "templates that close with >> or >>> inside a configuration do not end it" {
  becomes 'k<<<f<A<B>>(n), 256>>>(x);' "$(launch k 'f<A<B>>(n), 256' x);"
  becomes 'k<<<f<A<B<C>>>(n), 256>>>(x);' "$(launch k 'f<A<B<C>>>(n), 256' x);"
  becomes 'k<<<1, size<A<B>>>>>(x);' "$(launch k '1, size<A<B>>' x);"
}

@test "comparisons and shifts inside a configuration do not end it" {
  becomes 'k<<<n < 5 ? 1 : n >> 2, 1 << 8>>>(x);' "$(launch k 'n < 5 ? 1 : n >> 2, 1 << 8' x);"
  becomes 'k<<<n > 5, p->size>>>(x);' "$(launch k 'n > 5, p->size' x);"
}

@test "marks the arguments NULL, 0, 0L and macros, which may become pointers, and no others" {
  local zeros='::cucc::launch_at(__FILE__, 1, "k", ::cucc::launch_config( 1, 2 ))'
  zeros+='(::cucc::with_zeros([=](auto... cucc_a) { k (cucc_a...); }, '
  zeros+='[=](auto... cucc_a) -> decltype(void(k(cucc_a...))) {})'
  for zero in NULL 0 0L 0ull 0x0; do
    becomes "k<<<1, 2>>>($zero, a, f(NULL), 10, 0.f, 0x01, (($zero)));" \
      "$zeros, ::cucc::given( $zero) , a, f(NULL), 10, 0.f, 0x01, ::cucc::given( (($zero))) );"
  done
  becomes 'k<<<1, 2>>>(x == NULL);' "$(launch k '1, 2'), x == NULL);"
  for none in NONE '(NONE)' 'NONE_OF(int)'; do
    run rewrite <<<"#define NONE 0
#define NONE_OF(type) 0
void f() { k<<<1, 2>>>($none, a, NONE + 1, NEVER); }"
    shows "${zeros/__FILE__, 1/__FILE__, 3}, ::cucc::given( $none) , a, NONE + 1, NEVER);"
  done
}

@test "a launch inside another launch's arguments is rewritten too" {
  run rewrite <<<'void f() { k<<<1, 1>>>([] { q<<<2, 2>>>(); return 0; }()); }'
  shows '"k"' '"q"'
  shows_not '<<<'
}

@test "shifts, nested templates and operators are not launches" {
  unchanged 'int a = b << 3; a <<= 2; c = d >> 1; s << x << y;'
  unchanged 'std::vector<std::vector<std::vector<int>>> v; f<a<b<c>>>(x);'
  unchanged 'auto p = &operator<<<int>; operator<<<char>(out, 3);'
  unchanged 'a <<<< b >>>> (c);'
  unchanged 'x = a < b; y = (c > d);'
}

@test "leaves launches in comments and strings unchanged" {
  unchanged '// k<<<1, 1>>>(a);'
  unchanged '// a comment that goes on \
k<<<1, 1>>>(a);'
  unchanged '/* k<<<1, 1>>>(a); // */'
  unchanged 'const char *s = "k<<<1, 1>>>(a) \" k<<<1, 1>>>(a)";'
  unchanged 'const char *s = u8R"x(k<<<1, 1>>>(a) )" k<<<1, 1>>>(a))x";'
  unchanged 'const char *s = "//"; char c = '\''"'\''; const char *t = "k<<<1, 1>>>(a)";'
}

@test "a quote in a comment, an apostrophe in a number or in #error does not hide a launch" {
  for before in "// don't" "/* don't \" */" "int n = 1'000'000;" "#error don't" $'#if 0\ndon\'t "\n#endif' \
    "char q = '\\'';" \
    'auto r = R"(\)";' "#include <it's>"; do
    run rewrite <<<"$before"$'\n''void f() { k<<<1, 1>>>(a); }'
    shows '::cucc::launch_at('
    shows_not '<<<'
  done
}

@test "a launch in a macro's body is rewritten on the macro's lines" {
  run rewrite_raw <<<$'#define RUN(k, n) \\\n  k<<<1, \\\n  n>>>(1)\nint after;'
  ends_with 0
  shows 'CUCC_NAME(k)' '__LINE__' 'int after;'
  shows_not '<<<' '#line'
  [ "$(wc -l <<<"$output")" -eq 4 ]
}

@test "a macro's variable arguments may be empty" {
  run rewrite <<<'#define RUN(k, ...) k<<<1, 1>>>(__VA_ARGS__)'
  shows '.of(CUCC_TYPE(k), [=](auto... cucc_a) { k(cucc_a...); })(__VA_ARGS__)'
}

@test "a name that a macro pastes together is launched as a whole" {
  run rewrite <<<'#define RUN(T) ns::kernel_##T<<<1, 1>>>(x)'
  shows 'CUCC_NAME(ns::kernel_##T)' 'CUCC_TYPE(ns::kernel_##T)' '{ ns::kernel_##T(cucc_a...); })(x)'
}

@test "a bracket that was closed before #else is not open again after it" {
  run rewrite <<<$'namespace n {\n#if A\n}\nf(g(1));\n#else\n}
extern __shared__ float t[];\n#endif\nint after[3];'
  shows 'extern __thread float t[] asm("cucc_shared") ;' '#else' 'int after[3];'
}

@test "a macro may hold the first half of a launch, or the configuration alone" {
  run rewrite <<<'#define RUN(k, n) k<<<n, 1>>>'
  shows '::cucc::launch_at(__FILE__, __LINE__, CUCC_NAME(k), ::cucc::launch_config(n, 1))'"\
.of(CUCC_TYPE(k), [=](auto... cucc_a) { k(cucc_a...); })"
  run rewrite <<<'#define SHAPE <<<1, 2>>>'
  shows '#define SHAPE ->*::cucc::launch_with(__FILE__, __LINE__, ::cucc::launch_config(1, 2))'
  run rewrite <<<'#define SHAPE(n) <<<n, 2>>>(1)'
  shows '#define SHAPE(n) ->*::cucc::launch_with(__FILE__, __LINE__, ::cucc::launch_config(n, 2))(1)'
}

@test "a group of functions of the device that asks for __CUDA_ARCH__ is answered as for the device" {
  run rewrite <<<$'#if __CUDA_ARCH__ >= 700\n__device__ int f() { return 1; }\n__device__ int g();\n#endif'
  shows '#define __CUDA_ARCH__ 800 #endif #if __CUDA_ARCH__ >= 700 __device__ int f()' \
    'int g(); #endif #undef __CUDA_ARCH__'
  run rewrite <<<$'#ifdef __CUDA_ARCH__\ntemplate <class T> __device__ T f(T x);\n#else\n'"
__device__ int f(int);
#endif"
  shows '#define __CUDA_ARCH__ 800 #endif #ifdef __CUDA_ARCH__ template' \
    'int f(int); #endif #undef __CUDA_ARCH__'
  for text in 'int f();' '__host__ __device__ int f();' '__global__ void f() ;' '#include "f.h"' \
    $'__device__ int f();\nint n;' $'__device__ int f();\n#elif 1\n__device__ int g();' ''; do
    unchanged "#if __CUDA_ARCH__ >= 700
$text
#endif"
  done
}

@test "a body that asks for __CUDA_ARCH__ has it in device code, and is there twice for host and device" {
  run rewrite <<<$'__device__ int f() {\n#ifdef __CUDA_ARCH__\n  return 1;\n#endif\n}'
  [ "$output" = \
    '__device__ int f() { #ifdef CUCC_ARCH #define __CUDA_ARCH__ CUCC_ARCH #else '"\
#define __CUDA_ARCH__ 800 #endif #ifdef __CUDA_ARCH__ return 1; #endif \
#undef __CUDA_ARCH__ }" ]
  run rewrite <<<$'__host__ __device__ int f() {\n#ifdef __CUDA_ARCH__\n  return 1;\n#endif\n}'
  shows '{ if (cucc_on_device()) { #ifdef CUCC_ARCH #define' '#define __CUDA_ARCH__ 800 #endif #ifdef' \
    '#undef __CUDA_ARCH__ } else { #ifdef __CUDA_ARCH__ return 1; #endif } }'
  unchanged $'int f() {\n#ifdef __CUDA_ARCH__\n  return 1;\n#endif\n}\n#ifdef __CUDA_ARCH__\n#endif'
}

@test "each part of a launch stands on the learner's line and column" {
  run rewrite_raw <<<$'void f() {\n\tns::k<<<g,\n\t        b>>>(a,\n\t   c); rest;\n}'
  # after `#line N "in.cu"`, the text at its own column
  for expected in $'#line 2 "in.cu"\n\t        g,\n\t        b' $'#line 2 "in.cu"\n\tns::k' \
    $'#line 3 "in.cu"\n\t             a)' $'#line 4 "in.cu"\n\t   c)' \
    $'#line 4 "in.cu"\n\t    ); rest;\n}'; do
    shows "$expected"
  done
}

@test "inside parentheses, which may be a macro's, no #line is written and lines are kept" {
  run rewrite_raw <<<$'void f() {\n  CHECK((k<<<1,\n    2>>>\n    (a)));\n  after;\n}'
  shows_not '#line' '<<<'
  [ "$(sed -n 5p <<<"$output")" = '  after;' ]
}

@test "Windows line ends, tabs and a missing last newline are kept" {
  run rewrite_raw < <(printf '#define A \\\r\n 1\r\nint x;\t// a\r\nint y;')
  [ "$output" = "$(printf '#define A \\\r\n 1\r\nint x;\t// a\r\nint y;')" ]
}

@test "half a launch, half a string and an empty file do not crash it" {
  for text in '' 'k<<<' 'k<<<1,1>>>' 'k<<<1,1>>>(' '<<<1,1>>>()' '"k<<<' 'R"x(' '/*' '#' '#define' \
    'k<<<>>>()' '))}}]>>>(' \
    'extern __shared__' 'extern __shared__ int' 'a>>><<<1>>>()' '\' '#if' "'" '1e+' 'k<<<(1>>>(2)' \
    '}k<<<1,1>>>(}' \
    $'__global__ void k(\n#if A\n#else\n int b[\n#endif\n) { }'; do
    run rewrite_raw <<<"$text"
    ends_with 0
    run rewrite_raw < <(printf '%s' "$text")
    ends_with 0
  done
}

@test "the backend's own sources, which hold no launch, come out unchanged" {
  local file count=0
  for file in "$ROOT"/common/cpu/rewrite/*.c "$ROOT"/common/cpu/runtime/*/*.c \
    "$ROOT"/common/cpu/include/cucc/*.h; do
    [ -e "$file" ] || continue
    "$REWRITE" "$file" "$BATS_TEST_TMPDIR/out"
    tail -n +2 "$BATS_TEST_TMPDIR/out" | cmp - "$file"
    count=$((count + 1))
  done
  [ "$count" -ge 20 ]
}

@test "an included file with a launch is rewritten, also where it is included by another" {
  cd "$BATS_TEST_TMPDIR"
  mkdir sub out
  echo 'void f() { k<<<1, 1>>>(); }' >sub/launch.cuh
  printf '#include "launch.cuh"\n#include "plain.h"\n' >sub/middle.h
  echo 'int plain;' >sub/plain.h
  echo '#include "middle.h"' >main.cu
  run "$REWRITE" --headers out -I sub main.cu main.cpp
  ends_with 0
  shows "$BATS_TEST_TMPDIR/sub/middle.h" "$BATS_TEST_TMPDIR/sub/launch.cuh"
  shows_not plain.h
  grep -q '::cucc::launch_at' out/*.h
  grep -q "#line 1 \"$BATS_TEST_TMPDIR/sub/launch.cuh\"" out/*.h
  grep -q "#include \"$BATS_TEST_TMPDIR/sub/plain.h\"" out/*.h
}

@test "a file that includes itself ends" {
  cd "$BATS_TEST_TMPDIR"
  mkdir out
  printf '#include "self.h"\nvoid f() { k<<<1, 1>>>(); }\n' >self.h
  echo '#include "self.h"' >main.cu
  run timeout 10 "$REWRITE" --headers out main.cu main.cpp
  ends_with 0
}

@test "wrong arguments end with 2, a file that can't be read or written with 1" {
  run "$REWRITE"
  ends_with 2
  run "$REWRITE" --nonsense a b
  ends_with 2
  run "$REWRITE" "$BATS_TEST_TMPDIR/missing.cu" "$BATS_TEST_TMPDIR/out"
  ends_with 1
  shows 'missing.cu'
  : >"$BATS_TEST_TMPDIR/empty.cu"
  run "$REWRITE" "$BATS_TEST_TMPDIR/empty.cu" "$BATS_TEST_TMPDIR/no/such/out"
  ends_with 1
}

@test "blanks a UTF-8 byte order mark, which compilers reject mid-file" {
  run rewrite < <(printf '\xef\xbb\xbfint x;\n')
  [ "$output" = " int x;" ]
}
