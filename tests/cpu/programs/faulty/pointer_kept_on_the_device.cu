// expect: memcheck: -
// says: the host writes 8 bytes of device memory; a device pointer used on the host
/* The image's structure is on the device, so the host can't let cudaMalloc put the pixels' address there. */
#include "program.h"

struct image {
  int width, height;
  float *pixels;
};

__global__ void clear(struct image *image) { image->pixels[threadIdx.x] = 0; }

int main() {
  image h = {8, 8, NULL}, *d;
  CHECK(cudaMalloc(&d, sizeof *d));
#ifdef FIXED
  CHECK(cudaMalloc(&h.pixels, 64 * sizeof(float)));
#else
  CHECK(cudaMalloc(&d->pixels, 64 * sizeof(float))); // <- at
  h.pixels = d->pixels;                              // <- at
#endif
  CHECK(cudaMemcpy(d, &h, sizeof h, cudaMemcpyHostToDevice));
  clear<<<1, 64>>>(d);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(h.pixels));
  CHECK(cudaFree(d));
}
