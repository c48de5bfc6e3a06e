/* Arithmetic and conversions with a rounding mode: the exact value must lie between the two directions, which
 * are neighbours unless the result is exact; to zero and to nearest are one of the two. */
#include "program.h"
#define N 512

struct directions {
  double nearest, zero, up, down;
};
#define KINDS 17
#define ALL(INTRINSIC, ...)                                                                                  \
  directions {                                                                                               \
    INTRINSIC##_rn(__VA_ARGS__), INTRINSIC##_rz(__VA_ARGS__), INTRINSIC##_ru(__VA_ARGS__),                   \
        INTRINSIC##_rd(__VA_ARGS__)                                                                          \
  }

__host__ __device__ double operand(int i, int which) {
  const unsigned r = ((unsigned)i * 2654435761u) ^ ((unsigned)which * 0x9e3779b9u),
                 q = r * 747796405u + 2891336453u;
  const double digits = 1.0 + q / 4294967296.0 + (r & 0xffffu) / 281474976710656.0;
  return (q & 1u ? -1 : 1) * digits * exp2((double)(int)(r % 13u) - 6);
}

__global__ void compute(directions *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double a = operand(i, 0), b = operand(i, 1), c = operand(i, 2), p = fabs(a);
  const float fa = (float)a, fb = (float)b, fc = (float)c, fp = fabsf(fa);
  const long long l = (long long)(a * 1e17) + i;
  directions *o = out + i * KINDS;
  o[0] = ALL(__fadd, fa, fb);
  o[1] = ALL(__fsub, fa, fb);
  o[2] = ALL(__fmul, fa, fb);
  o[3] = ALL(__fdiv, fa, fb);
  o[4] = ALL(__frcp, fb);
  o[5] = ALL(__fsqrt, fp);
  o[6] = ALL(__fmaf, fa, fb, fc);
  o[7] = ALL(__double2float, a);
  o[8] = ALL(__int2float, (int)(a * 1e7));
  o[9] = ALL(__ll2float, l);
  o[10] = ALL(__dadd, a, b);
  o[11] = ALL(__dsub, a, b);
  o[12] = ALL(__dmul, a, b);
  o[13] = ALL(__ddiv, a, b);
  o[14] = ALL(__dsqrt, p);
  o[15] = ALL(__fma, a, b, c);
  o[16] = ALL(__ll2double, l);
}

static long double exact(int i, int kind) {
  const double a = operand(i, 0), b = operand(i, 1), c = operand(i, 2);
  const float fa = (float)a, fb = (float)b, fc = (float)c;
  switch (kind) {
  case 0:
    return (long double)fa + fb;
  case 1:
    return (long double)fa - fb;
  case 2:
    return (long double)fa * fb;
  case 3:
    return (long double)fa / fb;
  case 4:
    return 1.0L / fb;
  case 5:
    return sqrtl(fabsf(fa));
  case 6:
    return (long double)fa * fb + fc;
  case 7:
    return a;
  case 8:
    return (int)(a * 1e7);
  case 10:
    return (long double)a + b;
  case 11:
    return (long double)a - b;
  case 12:
    return (long double)a * b;
  case 13:
    return (long double)a / b;
  case 14:
    return sqrtl(fabs(a));
  case 15:
    return (long double)a * b + c;
  default:
    return (long double)((long long)(a * 1e17) + i);
  }
}

__global__ void whole(int *out, long long *wide) {
  const float h = 2.5f, big = 3e9f;
  out[0] = __float2int_rn(h);
  out[1] = __float2int_rz(-h);
  out[2] = __float2int_ru(h);
  out[3] = __float2int_rd(-h);
  out[4] = __float2int_rn(big);
  out[5] = __float2int_rz(-big);
  out[6] = __float2int_rz(NAN);
  out[7] = (int)__float2uint_rn(-h);
  out[8] = (int)(__float2uint_rn(1e20f) - 0xffffffffu);
  out[9] = __double2int_rn(3.5);
  out[10] = __double2hiint(1.0);
  out[11] = __double2loint(__hiloint2double(5, 7));
  wide[0] = __float2ll_rd(-1e10f - 0.5f);
  wide[1] = __double2ll_rn(4503599627370497.5);
  wide[2] = __double2ll_rz(1e30);
  wide[3] = (long long)(__double2ull_ru(1e19) - 10000000000000000000ull);
  wide[4] = __double_as_longlong(__longlong_as_double(0x4000000000000000ll));
  wide[5] = __float_as_int(__int_as_float(0x3fc00000)) + __float_as_uint(-0.0f);
}

int main() {
  static directions h[N * KINDS];
  directions *d;
  CHECK(cudaMalloc(&d, sizeof h));
  compute<<<N / 64, 64>>>(d);
  CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d));
  for (int i = 0; i < N * KINDS; i++) {
    const directions r = h[i];
    const int kind = i % KINDS;
    const long double want = exact(i / KINDS, kind);
    const bool single = kind < 10;
    /* long double has 64 bits: sums and products of doubles may be inexact there, at most by this */
    const long double blur = single ? 0 : fabsl(want) * 0x1p-60L;
    const double next = single ? nextafterf((float)r.down, INFINITY) : nextafter(r.down, INFINITY);
    const bool between = (long double)r.down <= want + blur && want - blur <= (long double)r.up;
    const bool neighbours = r.up == r.down || r.up == next;
    const bool zero = r.zero == (want > 0 ? r.down : r.up);
    const bool nearest = (r.nearest == r.up || r.nearest == r.down) &&
                         fabsl(r.nearest - want) <= fminl(fabsl(r.up - want), fabsl(r.down - want)) + blur;
    expect("between", i, between, 1);
    expect("neighbours", i, neighbours, 1);
    expect("to zero", i, zero, 1);
    expect("to nearest", i, nearest, 1);
  }
  int out[12], *d_out;
  long long wide[6], *d_wide;
  const int want[] = {2, -2, 3, -3, 2147483647, -2147483647 - 1, 0, 0, 0, 4, 0x3ff00000, 7};
  const double want_wide[] = {-10000000000.0, 4503599627370498.0,       9223372036854775807.0, 0,
                              0x1p62,         0x3fc00000 + 2147483648.0};
  CHECK(cudaMalloc(&d_out, sizeof out));
  CHECK(cudaMalloc(&d_wide, sizeof wide));
  whole<<<1, 1>>>(d_out, d_wide);
  CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(wide, d_wide, sizeof wide, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 12; i++) expect("whole", i, out[i], want[i]);
  for (int i = 0; i < 6; i++) expect("wide", i, (double)wide[i], want_wide[i]);
  CHECK(cudaFree(d_out));
  CHECK(cudaFree(d_wide));
}
