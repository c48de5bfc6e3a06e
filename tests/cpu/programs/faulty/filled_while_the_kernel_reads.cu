// expect: racecheck: ?
// says: pinned; missing cudaDeviceSynchronize|missing cudaStreamSynchronize
/* The next input goes into the mapped buffer that the running kernel still reads. */
#include "program.h"

__global__ void twice(const int *in, int *out) { out[threadIdx.x] = 2 * in[threadIdx.x]; } // <- at

int main() {
  int *in, *out;
  CHECK(cudaHostAlloc(&in, 64 * sizeof *in, cudaHostAllocMapped));
  CHECK(cudaMalloc(&out, 2 * 64 * sizeof *out));
  for (int round = 0; round < 2; round++) {
    for (int i = 0; i < 64; i++) in[i] = round + i; // <- at
    twice<<<1, 64>>>(in, out + 64 * round);
#ifdef FIXED
    CHECK(cudaDeviceSynchronize());
#endif
  }
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFreeHost(in));
  CHECK(cudaFree(out));
}
