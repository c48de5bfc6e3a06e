// expect: racecheck: relax
// says: shared memory that another; missing __syncthreads|__syncwarp
/* Each sweep reads what the last one wrote, and the barrier stands only after the loop. */
#include "program.h"

__global__ void relax(float *x, int sweeps) {
  __shared__ float a[2][128];
  int t = threadIdx.x;
  a[0][t] = a[1][t] = x[t];
  __syncthreads();
  for (int s = 0; s < sweeps; s++) {
    const float *from = a[s % 2];
    float *to = a[(s + 1) % 2];
    if (t > 0 && t < 127) to[t] = (from[t - 1] + from[t + 1]) / 2; // <- at
#ifdef FIXED
    __syncthreads();
#endif
  }
  __syncthreads();
  x[t] = a[sweeps % 2][t];
}

int main() {
  float h[128] = {1.0f}, *x;
  CHECK(cudaMalloc(&x, sizeof h));
  CHECK(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
  relax<<<1, 128>>>(x, 4);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
}
