// expect: memcheck: sum_rows
// says: host memory: a host pointer in a kernel
/* float ** goes to the device, and the rows that it points to stay at home. */
#include "program.h"

__global__ void sum_rows(float *const *rows, float *sums, int columns) {
  float sum = 0;
  for (int c = 0; c < columns; c++) sum += rows[threadIdx.x][c]; // <- at
  sums[threadIdx.x] = sum;
}

int main() {
  const int rows = 4, columns = 8;
  float *h_rows[rows], *d_row, **d_rows, *sums;
  CHECK(cudaMalloc(&d_row, rows * columns * sizeof *d_row));
  CHECK(cudaMemset(d_row, 0, rows * columns * sizeof *d_row));
  CHECK(cudaMalloc(&d_rows, sizeof h_rows));
  CHECK(cudaMalloc(&sums, rows * sizeof *sums));
  float *h_data = (float *)calloc(rows * columns, sizeof *h_data);
#ifdef FIXED
  for (int r = 0; r < rows; r++) h_rows[r] = d_row + r * columns;
#else
  for (int r = 0; r < rows; r++) h_rows[r] = h_data + r * columns;
#endif
  CHECK(cudaMemcpy(d_rows, h_rows, sizeof h_rows, cudaMemcpyHostToDevice));
  sum_rows<<<1, rows>>>(d_rows, sums, columns);
  cudaDeviceSynchronize();
  free(h_data);
  cudaFree(d_row);
  cudaFree(d_rows);
  cudaFree(sums);
}
