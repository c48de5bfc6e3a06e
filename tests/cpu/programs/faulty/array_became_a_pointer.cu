// expect: initcheck: twice
// says: reads 4 bytes of device memory that was never written; element 2 of 64|of 64 (of 4 bytes)
/* In a function, `float x[64]` is a pointer, and sizeof says 8. */
#include "program.h"

__global__ void twice(float *x) { x[threadIdx.x] *= 2.0f; } // <- at

static void upload(float *device, const float *x, size_t bytes) {
#ifndef FIXED
  bytes = sizeof x;
#endif
  CHECK(cudaMemcpy(device, x, bytes, cudaMemcpyHostToDevice));
}

int main() {
  float h[64] = {0}, *d;
  CHECK(cudaMalloc(&d, sizeof h));
  upload(d, h, sizeof h);
  twice<<<1, 64>>>(d);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(d));
}
