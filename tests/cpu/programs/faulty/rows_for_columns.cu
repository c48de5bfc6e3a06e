// expect: memcheck: scale
// says: past the end; 12288 bytes of device memory
/* Row and column change places; a square matrix would have hidden it. */
#include "program.h"

__global__ void scale(float *m, int rows, int columns, float factor) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < columns)
#ifdef FIXED
    m[row * columns + column] = factor;
#else
    m[column * columns + row] = factor; // <- at
#endif
}

int main() {
  const int rows = 32, columns = 96;
  float *m;
  CHECK(cudaMalloc(&m, rows * columns * sizeof *m));
  scale<<<dim3(columns / 16, rows / 16), dim3(16, 16)>>>(m, rows, columns, 2.0f);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(m));
}
