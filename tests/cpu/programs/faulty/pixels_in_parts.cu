// expect: racecheck: mix
// says: writes global memory that; in the same|of another block|of the same block
/* Three bytes per pixel, and the blue one is stored at the next pixel's red. */
#include "program.h"

__global__ void mix(unsigned char *image, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 >= n) return;
  image[3 * i] = (unsigned char)i;     // <- at
  image[3 * i + 1] = (unsigned char)i; // <- at
#ifdef FIXED
  image[3 * i + 2] = (unsigned char)i;
#else
  image[3 * i + 3] = (unsigned char)i; // <- at
#endif
}

int main() {
  const int n = 128;
  unsigned char *image;
  CHECK(cudaMalloc(&image, 3 * n));
  CHECK(cudaMemset(image, 0, 3 * n));
  mix<<<2, 64>>>(image, n);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(image));
}
