/* Half and half2: operators and intrinsics, every result rounded once. Each of the 65536 values is combined
 * with others; the reference computes in double, where sums and products of halves are exact. */
#include "../rounding.h"
#include "program.h"
#include <cuda_fp16.h>
#define N 65536

struct results {
  __half sum, difference, product, quotient, root, fused, saturated, minus, absolute, largest, smallest;
  __half2 pair, fused_pair, swapped;
  short less, equal, unordered, both;
};

__device__ __half other(unsigned i) { return __ushort_as_half((unsigned short)(i * 40503u + 12345u)); }
static double other_value(unsigned i) { return value_of_bits((i * 40503u + 12345u) & 0xffffu, 10); }

__global__ void combine(results *out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const __half a = __ushort_as_half((unsigned short)i), b = other(i), c = other(i + 1);
  const __half2 p = __halves2half2(a, b), q = __half2half2(c);
  results r;
  r.sum = a + b;
  r.difference = __hsub(a, b);
  r.product = a;
  r.product *= b;
  r.quotient = a / b;
  r.root = hsqrt(__habs(a));
  r.fused = __hfma(a, b, c);
  r.saturated = __hadd_sat(a, b);
  r.minus = -a;
  r.absolute = __habs(a);
  r.largest = __hmax(a, b);
  r.smallest = __hmin(a, b);
  r.pair = __hmul2(p, q);
  r.fused_pair = __hfma2(p, q, p);
  r.swapped = __lowhigh2highlow(p);
  r.less = a < b;
  r.equal = __heq(a, a);
  r.unordered = __hltu(a, b);
  r.both = __hbge2(p, q);
  out[i] = r;
}

static const struct format half_format = {11, -13, 16};

static void same(const char *what, long i, __half got_half, double exact) {
  const double got = (double)__half2float(got_half), want = rounded(exact, half_format, NEAREST);
  if (isnan(want) ? !isnan(got) : got != want) expect(what, i, got, want), expect(what, i, 1, 2);
}

/* Is a * b + c exact in double? Then nothing is lost by adding in either order. */
static bool exact_sum(double p, double c) {
  const double s = p + c, t = s - p;
  return (p - (s - t)) + (c - t) == 0;
}

int main() {
  static results h[N];
  results *d;
  CHECK(cudaMalloc(&d, sizeof h));
  combine<<<N / 128, 128>>>(d);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  for (unsigned i = 0; i < N; i++) {
    const double a = value_of_bits(i, 10), b = other_value(i), c = other_value(i + 1);
    const double sum = rounded(a + b, half_format, NEAREST);
    same("sum", i, h[i].sum, a + b);
    same("difference", i, h[i].difference, a - b);
    same("product", i, h[i].product, a * b);
    same("quotient", i, h[i].quotient, a / b);
    same("root", i, h[i].root, sqrt(fabs(a)));
    if (exact_sum(a * b, c) || !isfinite(a * b + c)) same("fused", i, h[i].fused, a * b + c);
    same("saturated", i, h[i].saturated, isnan(sum) ? 0 : fmin(fmax(sum, 0), 1));
    same("minus", i, h[i].minus, -a);
    same("absolute", i, h[i].absolute, fabs(a));
    same("largest", i, h[i].largest, fmax(a, b));
    same("smallest", i, h[i].smallest, fmin(a, b));
    same("pair", i, __low2half(h[i].pair), a * c);
    same("pair", i, __high2half(h[i].pair), b * c);
    if (exact_sum(b * c, b) || !isfinite(b * c + b))
      same("fused pair", i, __high2half(h[i].fused_pair), b * c + b);
    same("swapped", i, __low2half(h[i].swapped), b);
    expect("less", i, h[i].less, a < b);
    expect("equal", i, h[i].equal, a == a);
    expect("unordered", i, h[i].unordered, isnan(a) || isnan(b) || a < b);
    expect("both", i, h[i].both, a >= c && b >= c);
  }
  CHECK(cudaFree(d));
}
