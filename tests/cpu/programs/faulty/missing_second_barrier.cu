// expect: racecheck: matmul
// says: shared memory that another thread of its block|another lane of its warp
// says: before it is filled again|__syncthreads) must lie between
/* The tile is filled again while slower threads still read it. */
#include "program.h"
#define TILE 16

__global__ void matmul(const float *a, const float *b, float *c, int n) {
  __shared__ float s[TILE][TILE], t[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  float sum = 0.0f;
  for (int k = 0; k < n; k += TILE) {
    s[y][x] = a[row * n + k + x];      // <- at
    t[y][x] = b[(k + y) * n + column]; // <- at
    __syncthreads();
    for (int i = 0; i < TILE; i++) sum += s[y][i] * t[i][x]; // <- at
#ifdef FIXED
    __syncthreads();
#endif
  }
  c[row * n + column] = sum;
}

int main() {
  const int n = 48;
  static float h[n * n];
  float *a, *b, *c;
  CHECK(cudaMalloc(&a, sizeof h));
  CHECK(cudaMalloc(&b, sizeof h));
  CHECK(cudaMalloc(&c, sizeof h));
  CHECK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(b, h, sizeof h, cudaMemcpyHostToDevice));
  matmul<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(a, b, c, n);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  CHECK(cudaFree(c));
}
