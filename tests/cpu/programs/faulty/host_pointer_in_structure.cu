// expect: memcheck: clear
// says: host memory: a host pointer in a kernel; a structure that holds one
/* The structure is copied to the kernel, the pixels that it points to are not. */
#include "program.h"

struct image {
  int width, height;
  float *pixels;
};

__global__ void clear(struct image image) {
  image.pixels[threadIdx.y * image.width + threadIdx.x] = 0; // <- at
}

int main() {
  struct image image = {8, 8, (float *)malloc(64 * sizeof(float))};
  struct image d_image = image;
#ifdef FIXED
  CHECK(cudaMalloc(&d_image.pixels, 64 * sizeof(float)));
#endif
  clear<<<1, dim3(8, 8)>>>(d_image);
  cudaDeviceSynchronize();
  if (d_image.pixels != image.pixels) cudaFree(d_image.pixels);
  free(image.pixels);
}
