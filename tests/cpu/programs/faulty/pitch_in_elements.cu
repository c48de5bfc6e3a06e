// expect: memcheck: twice
// says: past the end; cudaMallocPitch at; the pitch counts bytes, not elements
/* The pitch is in bytes, and a float * counts in floats: row 5 of 20 is already past the end. */
#include "program.h"

__global__ void twice(float *m, size_t pitch, int width) {
#ifdef FIXED
  float *row = (float *)((char *)m + blockIdx.x * pitch);
#else
  float *row = m + blockIdx.x * pitch;
#endif
  if (threadIdx.x < width) row[threadIdx.x] *= 2; // <- at
}

int main() {
  const int width = 50, height = 20;
  float h[height * width] = {0}, *d;
  size_t pitch;
  CHECK(cudaMallocPitch(&d, &pitch, width * sizeof *d, height));
  CHECK(cudaMemcpy2D(d, pitch, h, width * sizeof *h, width * sizeof *h, height, cudaMemcpyHostToDevice));
  twice<<<height, 64>>>(d, pitch, width);
  cudaDeviceSynchronize();
  cudaFree(d);
}
