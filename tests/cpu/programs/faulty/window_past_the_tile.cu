// expect: memcheck: blur
// says: reads 4 bytes outside of shared memory; `red`|`green`; element 64 of 64 (of 4 bytes), the last is 63
/* A device function looks at the right neighbour of each pixel; the tile ends with the block's last pixel,
 * and the shared memory after it holds another colour. */
#include "program.h"

#define N 64
#ifdef FIXED
#define WIDTH (N + 1)
#else
#define WIDTH N
#endif

__device__ float mean(const float *tile, int i) {
  return 0.5f * (tile[i] + tile[i + 1]); // <- at
}

__global__ void blur(const float *in, float *out) {
  __shared__ float red[WIDTH];
  __shared__ float green[WIDTH];
  int i = threadIdx.x;
  for (int k = i; k < WIDTH; k += N) {
    red[k] = in[min(k, N - 1)];
    green[k] = in[N + min(k, N - 1)];
  }
  __syncthreads();
  out[i] = mean(red, i);
  out[N + i] = mean(green, i);
}

int main() {
  float h[2 * N] = {0}, *in, *out;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, sizeof h));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  blur<<<1, N>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
