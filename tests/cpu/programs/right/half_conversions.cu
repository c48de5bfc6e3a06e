/* All 65536 half-precision values to float and back, and floats and doubles at, halfway between, and right
 * next to neighbouring halves, rounded in all four directions. The
 * reference works by scaling, without bits. */
#include "../rounding.h"
#include "program.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#define N 65536

struct narrowed {
  unsigned short nearest, zero, up, down, of_double;
};

__global__ void widen(float *out, unsigned short *back) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const __half h = __ushort_as_half((unsigned short)i);
  out[i] = __half2float(h);
  back[i] = __half_as_ushort(__float2half(out[i]));
}

__global__ void narrow(const double *in, narrowed *out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float f = (float)in[i];
  out[i].nearest = __half_as_ushort(__float2half_rn(f));
  out[i].zero = __half_as_ushort(__float2half_rz(f));
  out[i].up = __half_as_ushort(__float2half_ru(f));
  out[i].down = __half_as_ushort(__float2half_rd(f));
  out[i].of_double = __half_as_ushort(__double2half(in[i]));
}

static const struct format half_format = {11, -13, 16};

static void same(const char *what, long i, unsigned short bits, double want) {
  const double got = value_of_bits(bits, 10);
  if (got != want || signbit(got) != signbit(want)) expect(what, i, got, want), expect(what, i, 1, 2);
}

static void judge_narrowing(double *d_in, narrowed *d_out, int kind) {
  static double in[N];
  static narrowed out[N];
  for (unsigned i = 0; i < N; i++) {
    const double low = value_of_bits(i & 0x7fff, 10), sign = i >> 15 ? -1 : 1;
    double high = (i & 0x7fff) == 0x7bff ? 65536.0 : value_of_bits((i & 0x7fff) + 1, 10);
    if (!isfinite(low)) high = low;
    const float middle = (float)((low + high) / 2);
    const float places[] = {(float)low, middle, nextafterf(middle, INFINITY), nextafterf(middle, 0.0f)};
    in[i] = sign * (kind < 4 ? (double)places[kind] : nextafter((double)middle, kind == 4 ? 1e300 : 0.0));
  }
  CHECK(cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice));
  narrow<<<N / 256, 256>>>(d_in, d_out);
  CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
  for (unsigned i = 0; i < N; i++) {
    if (isnan(in[i])) continue;
    same("double to half", i, out[i].of_double, rounded(in[i], half_format, NEAREST));
    const double f = (float)in[i];
    same("to nearest", i, out[i].nearest, rounded(f, half_format, NEAREST));
    same("to zero", i, out[i].zero, rounded(f, half_format, ZERO));
    same("up", i, out[i].up, rounded(f, half_format, UP));
    same("down", i, out[i].down, rounded(f, half_format, DOWN));
  }
}

int main() {
  static float wide[N];
  static unsigned short back[N];
  float *d_wide;
  unsigned short *d_back;
  double *d_in;
  narrowed *d_out;
  CHECK(cudaMalloc(&d_wide, sizeof wide));
  CHECK(cudaMalloc(&d_back, sizeof back));
  CHECK(cudaMalloc(&d_in, N * sizeof *d_in));
  CHECK(cudaMalloc(&d_out, N * sizeof *d_out));
  widen<<<N / 256, 256>>>(d_wide, d_back);
  CHECK(cudaMemcpy(wide, d_wide, sizeof wide, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(back, d_back, sizeof back, cudaMemcpyDeviceToHost));
  for (unsigned i = 0; i < N; i++) {
    const double want = value_of_bits(i, 10);
    if (isnan(want)) {
      expect("no number", i, isnan(wide[i]) && isnan(value_of_bits(back[i], 10)), 1);
      continue;
    }
    if ((double)wide[i] != want) expect("half to float", i, wide[i], want);
    expect("and back", i, back[i], i);
  }
  for (int kind = 0; kind < 6; kind++) judge_narrowing(d_in, d_out, kind);
  CHECK(cudaFree(d_wide));
  CHECK(cudaFree(d_back));
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));

  /* the same functions on the host */
  expect("host", 0, __half2float(__float2half(0.1f)), 0.0999755859375);
  expect("host", 1, __half2float(__int2half_rn(2049)), 2048);
  expect("host", 2, static_cast<__half>(__nv_bfloat16(1.5f)), 1.5);
  expect("host", 3, static_cast<__nv_bfloat16>(__half(257.0f)), 256);
}
