// expect: ld.requests = 2 * 128 * 128 * 128 / 32
// expect: ld.sectors = 128 * 128 * 128 / 32 * (1 + 4)
// expect: st.requests = 128 * 128 / 32
// expect: st.sectors = 128 * 128 / 32 * 4
/* The whole warp wants one element of a, a sector, and 32 neighbours of b, four. */
#include "profile.h"

#define N 128

__global__ void matmul(float *c, const float *a, const float *b) {
  const int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
  float sum = 0;
#pragma unroll 1 /* else nvcc loads several elements of a at a time */
  for (int k = 0; k < N; k++) sum += a[row * N + k] * b[k * N + column];
  c[row * N + column] = sum;
}

int main() {
  float *a = device_array<float>(N * N, [](size_t i) { return (float)(i % N == i / N) * 2; });
  float *b = device_array<float>(N * N, number), *c = device_array<float>(N * N, nothing);
  matmul<<<dim3(N / 32, N / 8), dim3(32, 8)>>>(c, a, b);
  expect_array(c, N * N, [](size_t i) { return 2 * number(i); });
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
}
