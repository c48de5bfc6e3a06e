// expect: initcheck: -
// says: copies 256 bytes back to the host that were never written
/* cudaMemcpyDefault finds the direction by itself, and so it cannot see that source and destination changed
 * places. */
#include "program.h"

__global__ void twice(float *x) { x[threadIdx.x] *= 2.0f; }

int main() {
  float h[64], *d;
  for (int i = 0; i < 64; i++) h[i] = (float)i;
  CHECK(cudaMalloc(&d, sizeof h));
#ifdef FIXED
  CHECK(cudaMemcpy(d, h, sizeof h, cudaMemcpyDefault));
#else
  CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDefault)); // <- at
  CHECK(cudaMemset(d, 0, sizeof h));
#endif
  twice<<<1, 64>>>(d);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(d));
}
