// expect: memcheck: reverse_rows
// says: immediately past the end; element 256 of 256; the last is 255
/* A loop that runs backwards begins at the size. */
#include "program.h"

__global__ void reverse_rows(const int *in, int *out, int columns) {
  const int *row = in + threadIdx.x * columns;
  int *to = out + threadIdx.x * columns;
#ifdef FIXED
  for (int c = columns - 1; c >= 0; c--) *to++ = row[c];
#else
  for (int c = columns; c > 0; c--) *to++ = row[c]; // <- at
#endif
}

int main() {
  const int rows = 8, columns = 32;
  int h[rows * columns] = {0}, *in, *out;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, sizeof h));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  reverse_rows<<<1, rows>>>(in, out, columns);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
