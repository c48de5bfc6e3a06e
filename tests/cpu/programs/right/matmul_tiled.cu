/* Tiled matrix product with static shared memory, sizes that are no multiples of the tile. */
#include "program.h"
#define TILE 16

__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float tile_a[TILE][TILE];
  __shared__ float tile_b[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
  float sum = 0.0f;
  for (int t = 0; t < (k + TILE - 1) / TILE; t++) {
    int ka = t * TILE + threadIdx.x, kb = t * TILE + threadIdx.y;
    tile_a[threadIdx.y][threadIdx.x] = row < m && ka < k ? a[row * k + ka] : 0.0f;
    tile_b[threadIdx.y][threadIdx.x] = kb < k && col < n ? b[kb * n + col] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TILE; i++) sum += tile_a[threadIdx.y][i] * tile_b[i][threadIdx.x];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

int main() {
  const int m = 37, n = 50, k = 41;
  float a[m * k], b[k * n], c[m * n], *d_a, *d_b, *d_c;
  for (int i = 0; i < m * k; i++) a[i] = (float)(i % 7);
  for (int i = 0; i < k * n; i++) b[i] = (float)(i % 5);
  CHECK(cudaMalloc(&d_a, sizeof a));
  CHECK(cudaMalloc(&d_b, sizeof b));
  CHECK(cudaMalloc(&d_c, sizeof c));
  CHECK(cudaMemcpy(d_a, a, sizeof a, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_b, b, sizeof b, cudaMemcpyHostToDevice));
  dim3 block(TILE, TILE), grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
  matmul<<<grid, block>>>(d_a, d_b, d_c, m, n, k);
  CHECK(cudaMemcpy(c, d_c, sizeof c, cudaMemcpyDeviceToHost));
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float want = 0;
      for (int x = 0; x < k; x++) want += a[i * k + x] * b[x * n + j];
      expect("c", i * n + j, c[i * n + j], want);
    }
  CHECK(cudaFree(d_a));
  CHECK(cudaFree(d_b));
  CHECK(cudaFree(d_c));
}
