/* A matrix product through tiles of TILE x TILE, for the programs that say what each size costs. */
#include "profile.h"

#define N 128

__global__ void matmul(float *c, const float *a, const float *b) {
  __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  float sum = 0;
  for (int t = 0; t < N; t += TILE) {
    tile_a[y][x] = a[row * N + t + x];
    tile_b[y][x] = b[(t + y) * N + column];
    __syncthreads();
#pragma unroll 1 /* else nvcc loads four elements of tile_a at a time */
    for (int k = 0; k < TILE; k++) sum += tile_a[y][k] * tile_b[k][x];
    __syncthreads();
  }
  c[row * N + column] = sum;
}

int main() {
  float *a = device_array<float>(N * N, [](size_t i) { return (float)(i % N == i / N) * 2; });
  float *b = device_array<float>(N * N, number), *c = device_array<float>(N * N, nothing);
  matmul<<<dim3(N / TILE, N / TILE), dim3(TILE, TILE)>>>(c, a, b);
  expect_array(c, N * N, [](size_t i) { return 2 * number(i); });
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
}
