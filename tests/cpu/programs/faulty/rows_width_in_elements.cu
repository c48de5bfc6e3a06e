// expect: initcheck: brighten
// says: device memory that was never written; cudaMemcpy
/* cudaMemcpy2D takes the width in bytes; here it gets elements, and copies a quarter of each row. */
#include "program.h"

__global__ void brighten(float *image, size_t pitch, int width, int height) {
  int x = threadIdx.x, y = blockIdx.x;
  float *row = (float *)((char *)image + y * pitch);
  if (x < width && y < height) row[x] += 1; // <- at
}

int main() {
  const int width = 60, height = 8;
  static float h[height][width];
  float *d;
  size_t pitch;
  CHECK(cudaMallocPitch(&d, &pitch, width * sizeof *d, height));
#ifdef FIXED
  CHECK(cudaMemcpy2D(d, pitch, h, sizeof h[0], width * sizeof *d, height, cudaMemcpyHostToDevice));
#else
  CHECK(cudaMemcpy2D(d, pitch, h, sizeof h[0], width, height, cudaMemcpyHostToDevice));
#endif
  brighten<<<height, 64>>>(d, pitch, width, height);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(d));
}
