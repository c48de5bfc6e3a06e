/* Sparse matrix times vector in CSR form, a warp per row, summed by shuffles. */
#include "program.h"

__global__ void spmv(int rows, const int *start, const int *column, const float *value, const float *x,
                     float *y) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return; // a whole warp
  float sum = 0;
  for (int k = start[row] + lane; k < start[row + 1]; k += 32) sum += value[k] * x[column[k]];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
  if (lane == 0) y[row] = sum;
}

int main() {
  const int rows = 37;
  int h_start[rows + 1] = {0}, h_column[rows * rows];
  float h_value[rows * rows], h_x[rows], h_y[rows];
  for (int r = 0, k = 0; r < rows; r++) {
    for (int c = 0; c <= r; c++, k++) {
      h_column[k] = c;
      h_value[k] = 1.0f;
    }
    h_start[r + 1] = k;
    h_x[r] = (float)r;
  }
  int *start, *column;
  float *value, *x, *y;
  CHECK(cudaMalloc(&start, sizeof h_start));
  CHECK(cudaMalloc(&column, h_start[rows] * sizeof *column));
  CHECK(cudaMalloc(&value, h_start[rows] * sizeof *value));
  CHECK(cudaMalloc(&x, sizeof h_x));
  CHECK(cudaMalloc(&y, sizeof h_y));
  CHECK(cudaMemcpy(start, h_start, sizeof h_start, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(column, h_column, h_start[rows] * sizeof *column, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(value, h_value, h_start[rows] * sizeof *value, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(x, h_x, sizeof h_x, cudaMemcpyHostToDevice));
  spmv<<<(rows * 32 + 127) / 128, 128>>>(rows, start, column, value, x, y);
  CHECK(cudaMemcpy(h_y, y, sizeof h_y, cudaMemcpyDeviceToHost));
  for (int r = 0; r < rows; r++) expect("y", r, h_y[r], r * (r + 1) / 2);
  CHECK(cudaFree(start));
  CHECK(cudaFree(column));
  CHECK(cudaFree(value));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
}
