// expect: racecheck: maximum
// says: another thread can come between the plain read and the atomic function; try again in a loop
/* One atomicCAS for each element: when another thread has changed the maximum since, nothing is stored. */
#include "program.h"

__global__ void maximum(const int *in, int *most, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
#ifdef FIXED
    int seen = *most, expected;
    do {
      expected = seen;
      seen = atomicCAS(most, expected, max(expected, in[i]));
    } while (seen != expected);
#else
    int old = *most;                              // <- at
    if (in[i] > old) atomicCAS(most, old, in[i]); // <- at
#endif
  }
}

int main() {
  const int n = 300;
  int h[n], *in, *most;
  for (int i = 0; i < n; i++) h[i] = i * 7919 % 1000;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&most, sizeof *most));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(most, 0, sizeof *most));
  maximum<<<2, 64>>>(in, most, n);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(in));
  CHECK(cudaFree(most));
}
