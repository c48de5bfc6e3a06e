// expect: memcheck: scale
// says: past the end of its array; this is the first of several blocks; such as rows and columns
/* The launch passes the numbers of rows and columns in the wrong order: only the first block has columns. */
#include "program.h"

__global__ void scale(float *m, int rows, int columns, int pitch) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  for (int row = 0; row < rows; row++) m[row * pitch + column] *= 2.0f; // <- at
}

int main() {
  const int rows = 3, columns = 5;
  float *d;
  CHECK(cudaMalloc(&d, rows * columns * sizeof *d));
  CHECK(cudaMemset(d, 0, rows * columns * sizeof *d));
#ifdef FIXED
  scale<<<2, 4>>>(d, rows, columns, columns);
#else
  scale<<<2, 4>>>(d, columns, rows, columns);
#endif
  cudaDeviceSynchronize();
  cudaFree(d);
}
