// expect: racecheck: number
// says: writes global memory that; another block|another thread|another lane; the height for the width
/* Rows are 60 long, not 40: points of different rows fall together. */
#include "program.h"

__global__ void number(int *m, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
#ifdef FIXED
  const int stride = width;
#else
  const int stride = height;
#endif
  if (x < width && y < height) m[y * stride + x] = 100 * y + x; // <- at
}

int main() {
  const int width = 60, height = 40;
  int *m;
  CHECK(cudaMalloc(&m, width * height * sizeof *m));
  number<<<dim3(4, 3), dim3(16, 16)>>>(m, width, height);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(m));
}
