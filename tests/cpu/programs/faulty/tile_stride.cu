// expect: memcheck: transpose
// says: outside of shared memory|outside of an array of 256; smaller than the block
/* The rows of the tile were padded to 17 in the index, and not in the array. */
#include "program.h"

#define TILE 16
#ifdef FIXED
#define STRIDE TILE
#else
#define STRIDE (TILE + 1)
#endif

__device__ void store(float *tile, int row, int column, float v) {
  tile[row * STRIDE + column] = v; // <- at
}

__global__ void transpose(const float *in, float *out, int n) {
  __shared__ float tile[TILE * TILE];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  store(tile, threadIdx.y, threadIdx.x, in[y * n + x]);
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  out[y * n + x] = tile[threadIdx.x * STRIDE + threadIdx.y]; // <- at
}

int main() {
  const int n = 64;
  static float h[n * n];
  float *in, *out;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, sizeof h));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  transpose<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(in, out, n);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
