// expect: initcheck: brighten
// says: device memory that was never written; cudaMallocPitch; rows that lie pitch bytes apart
/* The kernel steps from row to row by the width, but the rows lie a pitch apart. */
#include "program.h"

__global__ void brighten(float *image, size_t pitch, int width, int height) {
  int x = threadIdx.x, y = blockIdx.x;
#ifdef FIXED
  float *row = (float *)((char *)image + y * pitch);
#else
  float *row = image + y * width + 0 * pitch;
#endif
  if (x < width && y < height) row[x] += 1; // <- at
}

int main() {
  const int width = 60, height = 8;
  static float h[height][width];
  float *d;
  size_t pitch;
  CHECK(cudaMallocPitch(&d, &pitch, width * sizeof *d, height));
  CHECK(cudaMemcpy2D(d, pitch, h, sizeof h[0], sizeof h[0], height, cudaMemcpyHostToDevice));
  brighten<<<height, 64>>>(d, pitch, width, height);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(d));
}
