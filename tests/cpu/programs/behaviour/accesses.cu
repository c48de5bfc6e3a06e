/*
 * Each case makes one access immediately past the end of an array of the device: `accesses` prints their
 * names, `accesses NAME` runs one. The checker must see each of them, in whatever way the compiler or a
 * library makes it. p is past the end, q is not, and zero is 0.
 */
#include <algorithm>
#include <array>
#include <bit>
#include <complex>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <new>
#include <numeric>
#include <optional>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#define NOINLINE __device__ __attribute__((noinline))
struct S {
  float v[16];
};
struct F {
  unsigned a, b;
  void *c, *d;
};
struct Odd {
  char v[7];
};
struct Bits {
  unsigned a : 3, b : 7, c : 22;
  unsigned d : 30;
};
struct Ctor {
  float v[16];
  Ctor() = default;
  Ctor(const Ctor &o) {
    for (int i = 0; i < 16; i++) v[i] = o.v[i];
  }
};
struct Virt {
  int x;
  NOINLINE virtual int f() { return 1; }
};
struct Pair {
  int head;
  S s;
};
struct Half2 {
  float a, b;
};
struct D2 {
  double a, b;
};
struct Copying {
  S s;
  int k;
  Copying(const S &x) : s(x), k(1) {}
};
template <class T> NOINLINE T make(float x) {
  T t;
  for (unsigned i = 0; i < sizeof t; i++) ((char *)&t)[i] = (char)x;
  return t;
}
template <> NOINLINE S make<S>(float x) {
  S s;
  for (float &f : s.v) f = x;
  return s;
}
NOINLINE S make_list(float x) { return S{{x, x}}; }
NOINLINE static float sum(S s) {
  float t = 0;
  for (float f : s.v) t += f;
  return t;
}
NOINLINE static float half(Half2 s) { return s.a + s.b; }
NOINLINE static float d2(D2 s) { return s.a + s.b; }
NOINLINE static float odd(Odd s) { return s.v[0] + s.v[6]; }
NOINLINE static unsigned bits(Bits s) { return s.a + s.b; }
NOINLINE static float ctor(Ctor s) { return s.v[3]; }
NOINLINE static S get(const S *p) { return *p; }
NOINLINE static Half2 get_half(const Half2 *p) { return *p; }
NOINLINE static Pair get_pair(const S *p) { return Pair{1, *p}; }
NOINLINE static float pair(Pair p) { return p.s.v[1]; }
NOINLINE static float list(std::initializer_list<S> l) {
  float t = 0;
  for (const S &s : l) t += s.v[0] + s.v[3];
  return t;
}
typedef float v8 __attribute__((vector_size(32)));
typedef float v4 __attribute__((vector_size(16)));
NOINLINE static float vec(v8 s) { return s[0] + s[5]; }
NOINLINE static float vecv4(v4 s) { return s[0] + s[3]; }
NOINLINE static float ld(long double s) { return (float)s; }
NOINLINE static float i128(__int128 s) { return (float)s; }
NOINLINE static float cf(std::complex<float> s) { return s.real(); }
NOINLINE static float cd(std::complex<double> s) { return s.real(); }
NOINLINE static float ccf(_Complex float s) { return __real__ s; }
template <class F> NOINLINE float call(F f) { return f(); }
template <class... A> NOINLINE float tuple_first(std::tuple<A...> t) { return std::get<0>(t).v[0]; }

// clang-format off
#define CASES(X) \
  X(read_plain, *out = p->v[0]) \
  X(by_value, *out = sum(*p)) \
  X(by_value_small, *out = half(*(Half2 *)p)) \
  X(by_value_d2, *out = d2(*(D2 *)p)) \
  X(by_value_odd, *out = odd(*(Odd *)p)) \
  X(by_value_bits, *out = bits(*(Bits *)p)) \
  X(by_value_ctor, *out = ctor(*(Ctor *)p)) \
  X(by_value_pair, *out = pair(*(Pair *)p)) \
  X(by_value_member, *out = sum(((Pair *)p)->s)) \
  X(by_value_const_ref, const S &r = *p; *out = sum(r)) \
  X(by_value_cond, *out = sum(zero ? *q : *p)) \
  X(by_value_comma, *out = sum((zero, *p))) \
  X(by_value_move, *out = sum(std::move(*p))) \
  X(by_value_index, *out = sum(p[zero])) \
  X(by_pointer_fn, float (*volatile f)(S) = sum; *out = f(*p)) \
  X(by_std_function, std::function<float(S)> f = sum; *out = f(*p)) \
  X(by_invoke, *out = std::invoke(sum, *p)) \
  X(returned, *out = get(p).v[3]) \
  X(returned_kept, S s = get(p); *out = s.v[zero]) \
  X(returned_half, *out = get_half((Half2 *)p).a) \
  X(returned_passed, *out = sum(get(p))) \
  X(returned_pair, *out = get_pair(p).s.v[2]) \
  X(assigned_ref, S s; S &r = *p; s = r; *out = sum(s)) \
  X(initialised, S s = *p; *out = s.v[zero]) \
  X(initialised_auto, auto s = *p; *out = s.v[3]) \
  X(array_init, S s[2] = {*p, *p}; *out = s[zero].v[zero]) \
  X(member_init, Pair s = {1, *p}; *out = s.s.v[zero]) \
  X(ctor_init, Copying s(*p); *out = s.s.v[zero]) \
  X(structured, auto [v] = *p; *out = v[zero]) \
  X(init_list, *out = list({*p, *q})) \
  X(lambda_copy, *out = call([s = *p] { return s.v[3]; })) \
  X(lambda_ref_value, S &r = *p; *out = call([r] { return r.v[3]; })) \
  X(lambda_eq, S &r = *p; *out = call([=] { return r.v[3]; })) \
  X(bits_read, *out = ((Bits *)p)->b) \
  X(bits_write, ((Bits *)p)->b = 3) \
  X(bits_write_whole, ((Bits *)p)->d = 3) \
  X(vol_scalar, *out = ((volatile S *)p)->v[0]) \
  X(vol_copy, volatile Half2 *h = (Half2 *)p; Half2 x; x.a = h->a; *out = x.a) \
  X(vol_bits, *out = ((volatile Bits *)p)->b) \
  X(vol_bits_write, ((volatile Bits *)p)->b = 2) \
  X(vector32, *out = vec(*(v8 *)p)) \
  X(vector16, *out = vecv4(*(v4 *)p)) \
  X(vector_element, *out = (*(v8 *)p)[zero]) \
  X(vector_write, *(v8 *)p = v8{1,2}) \
  X(vector_element_write, (*(v8 *)p)[zero] = 1) \
  X(long_double, *out = ld(*(long double *)p)) \
  X(int128, *out = i128(*(__int128 *)p)) \
  X(cplxf, *out = cf(*(std::complex<float> *)p)) \
  X(cplxd, *out = cd(*(std::complex<double> *)p)) \
  X(ccplxf, *out = ccf(*(_Complex float *)p)) \
  X(cplx_write, *(_Complex float *)p = 1.f) \
  X(cplx_real_write, __real__ *(_Complex float *)p = 1.f) \
  X(virtual, *out = ((Virt *)p)->f()) \
  X(std_copy, S s; std::copy(p, p + 1, &s); *out = s.v[zero]) \
  X(std_copy_n, float s[4]; std::copy_n((float *)p, 4, s); *out = s[zero]) \
  X(std_copy_to, std::copy(q, q + 1, p)) \
  X(std_fill, std::fill_n((float *)p, 4, 1.f)) \
  X(std_fill_c, std::fill_n((char *)p, 64, 1)) \
  X(std_swap, S s = {}; std::swap(*p, s); *out = s.v[zero]) \
  X(std_equal, *out = std::equal((char *)p, (char *)p + 64, (char *)q)) \
  X(std_equal_i, *out = std::equal((int *)p, (int *)p + 16, (int *)q)) \
  X(std_lex, const auto a = (unsigned char *)p, b = (unsigned char *)q; \
    *out = std::lexicographical_compare(a, a + 64, b, b + 64)) \
  X(std_find_c, *out = *std::find((char *)p, (char *)p + 1, 'x')) \
  X(std_array, std::array<float, 16> s = *(std::array<float, 16> *)p; *out = s[zero]) \
  X(std_tuple, *out = tuple_first(std::tuple<S>(*p))) \
  X(std_tuple2, *out = tuple_first(*(std::tuple<S, S> *)p)) \
  X(std_pair, auto s = std::make_pair(*p, 1); *out = s.first.v[zero]) \
  X(std_optional, std::optional<S> s(*p); *out = s->v[zero]) \
  X(std_variant, std::variant<int, S> s(*p); *out = std::get<1>(s).v[zero]) \
  X(time, time((time_t *)p)) \
  X(clock_gettime, clock_gettime(CLOCK_MONOTONIC, (timespec *)p)) \
  X(timespec_get, timespec_get((timespec *)p, TIME_UTC)) \
  X(gettimeofday, gettimeofday((timeval *)p, nullptr)) \
  X(posix_memalign, *out = posix_memalign((void **)p, 64, 64)) \
  X(puts, puts((char *)p)) \
  X(fwrite, fwrite(p, 4, 1, stdout)) \
  X(std_accumulate, *out = std::accumulate((float *)p, (float *)p + 4, 0.f)) \
  X(std_exchange, *out = std::exchange(*p, *q).v[3]) \
  X(memcpy_in, S s; memcpy(&s, p, sizeof s); *out = s.v[zero]) \
  X(memcpy_in4, float s; memcpy(&s, p, 4); *out = s) \
  X(memcpy_out, memcpy(p, q, sizeof *p)) \
  X(memcpy_out4, float s = zero; memcpy(p, &s, 4)) \
  X(memset, memset(p, 0, sizeof *p)) \
  X(memset4, memset(p, 0, 4)) \
  X(memcmp, *out = memcmp(p, q, sizeof *p)) \
  X(memcmp4, *out = memcmp(p, q, 4) == 0) \
  X(memcmp1, *out = memcmp(p, q, 1)) \
  X(memchr, *out = memchr(p, 1, 64) != nullptr) \
  X(strlen, *out = strlen((char *)p)) \
  X(strcmp, *out = strcmp((char *)p, "ab")) \
  X(strcmp1, *out = strcmp((char *)p, "") == 0) \
  X(strncmp, *out = strncmp((char *)p, "abc", 3)) \
  X(strchr, *out = strchr((char *)p, 'x') != nullptr) \
  X(strrchr, *out = strrchr((char *)p, 'x') != nullptr) \
  X(strstr, *out = strstr((char *)p, "xy") != nullptr) \
  X(strstr1, *out = strstr((char *)p, "x") != nullptr) \
  X(strcpy, char s[99]; strcpy(s, (char *)p); *out = s[zero]) \
  X(strncpy, char s[99]; strncpy(s, (char *)p, 9); *out = s[zero]) \
  X(atoi, *out = atoi((char *)p)) \
  X(strtol, *out = strtol((char *)p, 0, 10)) \
  X(strtol_36, ((char *)p)[-1] = 'z'; *out = strtol((char *)p - 1, 0, 36)) \
  X(strtof, *out = strtof((char *)p, 0)) \
  X(snprintf_s, char s[99]; snprintf(s, 99, "%s", (char *)p); *out = s[zero]) \
  X(snprintf_f_s, char s[99]; snprintf(s, 99, "%.2f %s", 1., (char *)p); *out = s[zero]) \
  X(snprintf_s_f, char s[99]; snprintf(s, 99, "%s%8.2Lf%%", (char *)p, 1.L); *out = s[zero]) \
  X(snprintf_5s, char s[99]; snprintf(s, 99, "%-9.5s", (char *)p); *out = s[zero]) \
  X(snprintf_5s_end, char s[99]; ((char *)p)[-4] = ((char *)p)[-3] = ((char *)p)[-2] = ((char *)p)[-1] = 120; \
    snprintf(s, 99, "%.5s", (char *)p - 4); *out = s[zero]) \
  X(snprintf_star, char s[99]; snprintf(s, 99, "%*d%.*s", 3, 4, 1 + (int)zero, (char *)p); *out = s[zero]) \
  X(snprintf_negative, char s[99]; snprintf(s, 99, "%.*s", -1, (char *)p); *out = s[zero]) \
  X(snprintf_place, char s[99]; snprintf(s, 99, "%2$.2f%3$.*1$s", 4, .5, (char *)p); *out = s[zero]) \
  X(builtin_isnan, *out = __builtin_isnan(p->v[0])) \
  X(modff, float i; *out = modff(1.5f, (float *)p)) \
  X(remquo, *out = remquof(1.5f, .4f, (int *)p)) \
  X(sincosf, sincosf(1.5f, (float *)p, (float *)q)) \
  X(frexp, *out = frexp(1.5, (int *)p)) \
  X(add_overflow, *out = __builtin_add_overflow(zero, 1, (int *)p)) \
  X(mul_overflow, *out = __builtin_mul_overflow(zero, 1, (long *)p)) \
  X(atomic_load, *out = __atomic_load_n((int *)p, 0)) \
  X(atomic_store, __atomic_store_n((int *)p, 1, 0)) \
  X(atomic_expected, __atomic_compare_exchange_n((int *)q, (int *)p, 1, 0, 0, 0)) \
  X(atomic_test_set, *out = __atomic_test_and_set((char *)p, 0)) \
  X(atomic_clear, __atomic_clear((char *)p, 0)) \
  X(sync_add, *out = __sync_fetch_and_add((int *)p, 1)) \
  X(sync_release, __sync_lock_release((int *)p)) \
  X(sync_nand, *out = __sync_fetch_and_nand((int *)p, 1)) \
  X(made_into, *p = make<S>(1.f)) \
  X(made_into_list, *p = make_list(1.f)) \
  X(made_new_list, new (p) S{{1.f, 2.f}}) \
  X(made_half, *(Half2 *)p = make<Half2>(1.f)) \
  X(made_d2, *(D2 *)p = make<D2>(1.f)) \
  X(made_odd, *(Odd *)p = make<Odd>(1.f)) \
  X(made_member, ((Pair *)p)->s = make<S>(1.f)) \
  X(made_new_member, new (p) Copying(make<S>(1.f))) \
  X(assign_zero, *p = S{}) \
  X(assign_new_zero, new (p) S()) \
  X(assign_struct, *p = *q) \
  X(assign_braces, *p = {{1.f, 2.f}}) \
  X(new_copy, new (p) S(*q)) \
  X(new_array, new (p) S[1]{*q}) \
  X(inc, p->v[zero]++) \
  X(char_write, ((char *)p)[zero] = 1) \
  X(valist, F l{48, 176, p, p}; *out = va_arg(*(va_list *)&l, double)) \
  X(valist_struct, F l{48, 176, p, p}; *out = sum(va_arg(*(va_list *)&l, S))) \
  X(valist_save, F l{0, 48, p, p}; *out = va_arg(*(va_list *)&l, int)) \
  X(vla, float a[zero + 4]; memcpy(a, p, sizeof a); *out = a[zero]) \
  X(ptr_to_member, float(S::*m)[16] = &S::v; *out = (p->*m)[zero]) \
  X(std_vector, std::vector<float> v((float *)p, (float *)p + 4); *out = v[zero]) \
  X(std_bit_cast, struct A { int v[16]; }; *out = __builtin_bit_cast(A, *p).v[zero]) \
  X(compare_eq, struct A { int v[16]; bool operator==(const A &) const = default; }; \
    *out = *(A *)p == *(A *)q) \
  X(switched, switch (*(int *)p) { case 1: *out = 2; break; case 2: *out = 8; break; \
    case 3: *out = 1; break; case 4: *out = 5; break; case 5: *out = 11; break; default: *out = 4; }) \
  X(called, ((void (*)())*(void **)p)()) \
  X(discarded, (void)*(volatile int *)p) \
  X(nested_call, *out = sum(get(p)) + sum(*q)) \
  X(ternary_ref, S &r = zero ? *q : *p; S s = r; *out = s.v[zero]) \
  X(range_for, for (S s : *(S (*)[1])p) *out = s.v[zero]) \
  X(pointer_kept, static const S *volatile g; g = p; *out = sum(*g)) \
  X(qsort, qsort(p, 4, 4, [](const void *a, const void *b) { return *(int *)a - *(int *)b; })) \
  X(bsearch, const auto order = [](const void *a, const void *b) { return *(int *)a - *(int *)b; }; \
    int k = 3; *out = bsearch(&k, p, 4, 4, order) != nullptr)
// clang-format on

#define KERNEL(name, ...)                                                                                    \
  __global__ void name##_kernel(S *p, S *q, float *out, int zero) {                                          \
    (void)q, (void)out, (void)zero;                                                                          \
    __VA_ARGS__;                                                                                             \
  }
CASES(KERNEL)

#define ENTRY(name, ...) {#name, name##_kernel},
static const struct {
  const char *name;
  void (*kernel)(S *, S *, float *, int);
} cases[] = {CASES(ENTRY)};

int main(int count, char **arguments) {
  if (count < 2) {
    for (auto &c : cases) puts(c.name);
    return 0;
  }
  S *p, *q;
  float *out;
  const size_t bytes = 1024;
  cudaMalloc(&p, bytes);
  cudaMalloc(&q, bytes);
  cudaMalloc(&out, sizeof *out);
  cudaMemset(p, 0, bytes);
  cudaMemset(q, 0, bytes);
  for (auto &c : cases) {
    if (strcmp(c.name, arguments[1])) continue;
    c.kernel<<<1, 1>>>(p + bytes / sizeof *p, q, out, 0);
    cudaDeviceSynchronize();
  }
}
