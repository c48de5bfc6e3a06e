// expect: initcheck: brighten
// says: reads 1 byte of device memory that was never written; 3072 bytes of device memory
/* The grid is made for height by width; the guards hide it, and a third of the image is never filled. */
#include "program.h"

__global__ void fill(unsigned char *image, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) image[y * width + x] = (unsigned char)(x + y);
}

__global__ void brighten(unsigned char *image, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) image[i] += 10; // <- at
}

int main() {
  const int width = 64, height = 48;
  unsigned char *image;
  CHECK(cudaMalloc(&image, width * height));
  dim3 block(16, 16);
#ifdef FIXED
  dim3 grid((width + 15) / 16, (height + 15) / 16);
#else
  dim3 grid((height + 15) / 16, (width + 15) / 16);
#endif
  fill<<<grid, block>>>(image, width, height);
  brighten<<<(width * height + 255) / 256, 256>>>(image, width * height);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(image));
}
