/* cuComplex.h: the Julia set and a polynomial of complex numbers, in kernels and on the host. */
#include "program.h"
#include <cuComplex.h>

#define SIDE 24

static __host__ __device__ int turns(cuComplex z) {
  const cuComplex c = make_cuComplex(-0.8f, 0.156f);
  int i = 0;
  while (i < 50 && cuCabsf(z) < 2) {
    z = cuCaddf(cuCmulf(z, z), c);
    i++;
  }
  return i;
}

static __host__ __device__ cuComplex point(int x, int y) {
  return make_cuFloatComplex(x * (3.0f / SIDE) - 1.5f, y * (3.0f / SIDE) - 1.5f);
}

__global__ void julia(int *counts) {
  const int x = threadIdx.x, y = blockIdx.x;
  counts[y * SIDE + x] = turns(point(x, y));
}

__global__ void all_of_them(cuDoubleComplex *out, cuFloatComplex *out_f) {
  const cuDoubleComplex x = make_cuDoubleComplex(3, 4), y = make_cuDoubleComplex(1, -2);
  out[0] = cuCadd(x, y);
  out[1] = cuCsub(x, y);
  out[2] = cuCmul(x, y);
  out[3] = cuCdiv(x, y);
  out[4] = cuConj(x);
  out[5] = make_cuDoubleComplex(cuCabs(x), cuCreal(x) + cuCimag(y));
  out[6] = cuCfma(x, y, x);
  out[7] = cuCdiv(make_cuDoubleComplex(3e300, 4e300), make_cuDoubleComplex(1e300, -2e300));
  for (int i = 0; i < 8; i++) out_f[i] = cuComplexDoubleToFloat(out[i]);
  out_f[3] = cuCdivf(cuComplexDoubleToFloat(x), cuComplexDoubleToFloat(y));
  out_f[5] = cuCsubf(out_f[5], cuConjf(make_cuComplex(cuCabsf(make_cuComplex(3e30f, 4e30f)) * 1e-30f, 0)));
  out[8] = cuComplexFloatToDouble(cuCfmaf(out_f[0], out_f[1], out_f[2]));
}

int main() {
  int *d_counts, counts[SIDE * SIDE];
  cuDoubleComplex *d_out, out[9];
  cuFloatComplex *d_out_f, out_f[8];
  CHECK(cudaMalloc(&d_counts, sizeof counts));
  CHECK(cudaMalloc(&d_out, sizeof out));
  CHECK(cudaMalloc(&d_out_f, sizeof out_f));
  julia<<<SIDE, SIDE>>>(d_counts);
  all_of_them<<<1, 1>>>(d_out, d_out_f);
  CHECK(cudaMemcpy(counts, d_counts, sizeof counts, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(out_f, d_out_f, sizeof out_f, cudaMemcpyDeviceToHost));
  int inside = 0;
  for (int i = 0; i < SIDE * SIDE; i++) {
    expect("turns", i, counts[i], turns(point(i % SIDE, i / SIDE)));
    inside += counts[i] == 50;
  }
  expect("some points stay inside, not all", 0, inside > 0 && inside < SIDE * SIDE, 1);
  const double expected[9][2] = {{4, 2}, {2, 6},  {11, -2}, {-1, 2}, {3, -4},
                                 {5, 1}, {14, 2}, {-1, 2},  {7, 26}};
  for (int i = 0; i < 9; i++) {
    expect("real", i, out[i].x, expected[i][0]);
    expect("imaginary", i, out[i].y, expected[i][1]);
  }
  for (int i = 0; i < 8; i++) expect("float", i, out_f[i].x, i == 5 ? 0 : expected[i][0]);
  CHECK(cudaFree(d_counts));
  CHECK(cudaFree(d_out));
  CHECK(cudaFree(d_out_f));
}
