/* A transpose through a tile whose rows are PITCH floats long. */
#include "profile.h"

#define N 512

__global__ void transpose(float *out, const float *in) {
  __shared__ float tile[32][PITCH];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8) tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * N + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8) out[(y + i) * N + x] = tile[threadIdx.x][threadIdx.y + i];
}

int main() {
  float *in = device_array<float>(N * N, number), *out = device_array<float>(N * N, nothing);
  transpose<<<dim3(N / 32, N / 32), dim3(32, 8)>>>(out, in);
  expect_array(out, N * N, [](size_t i) { return number(i % N * N + i / N); });
  CHECK(cudaFree(in));
}
