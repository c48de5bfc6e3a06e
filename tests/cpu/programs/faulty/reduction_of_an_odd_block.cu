// expect: initcheck: sum
// says: of shared memory that was never written; `part`; element 100 of 128; not every thread fills
/* Pairs at distance 1, 2, 4 …: with 100 threads the last ones have no partner. */
#include "program.h"

__global__ void sum(const int *in, int *out) {
  __shared__ int part[128];
  const int t = threadIdx.x, n = blockDim.x;
  part[t] = in[t];
  __syncthreads();
  for (int s = 1; s < n; s *= 2) {
#ifdef FIXED
    if (t % (2 * s) == 0 && t + s < n)
#else
    if (t % (2 * s) == 0)
#endif
      part[t] += part[t + s]; // <- at
    __syncthreads();
  }
  if (t == 0) *out = part[0];
}

int main() {
  int h[100], *in, *out, total;
  for (int i = 0; i < 100; i++) h[i] = i;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, sizeof *out));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  sum<<<1, 100>>>(in, out);
  CHECK(cudaMemcpy(&total, out, sizeof total, cudaMemcpyDeviceToHost));
#ifdef FIXED
  expect("total", 0, total, 4950);
#endif
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}
