/* One launch instead of two: every block reduces its part, the grid synchronises, block 0 adds the parts, the
 * grid synchronises again, and all divide by the sum. */
#include "program.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void normalise(float *data, float *partial, int n) {
  __shared__ float sum[128];
  cg::grid_group grid = cg::this_grid();
  const int t = threadIdx.x;
  float mine = 0;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) mine += data[i];
  sum[t] = mine;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) sum[t] += sum[t + half];
    __syncthreads();
  }
  if (t == 0) partial[blockIdx.x] = sum[0];
  grid.sync();
  if (blockIdx.x == 0 && t == 0) {
    float all = 0;
    for (int b = 0; b < (int)gridDim.x; b++) all += partial[b];
    partial[0] = all;
  }
  grid.sync();
  const float all = partial[0];
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) data[i] /= all;
}

int main() {
  const int n = 10000;
  int blocks = 12, threads = 128, count = n;
  float *h = (float *)malloc(n * sizeof(float)), *d, *partial;
  for (int i = 0; i < n; i++) h[i] = (float)(i % 7 + 1);
  CHECK(cudaMalloc(&d, n * sizeof(float)));
  CHECK(cudaMalloc(&partial, blocks * sizeof(float)));
  CHECK(cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice));
  void *arguments[] = {&d, &partial, &count};
  for (int round = 0; round < 3; round++)
    CHECK(cudaLaunchCooperativeKernel((void *)normalise, dim3(blocks), dim3(threads), arguments, 0, 0));
  CHECK(cudaDeviceSynchronize());
  double sum = 0, all = 0;
  for (int i = 0; i < n; i++) all += i % 7 + 1;
  CHECK(cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) {
    sum += h[i];
    if (fabs(h[i] - (i % 7 + 1) / all) > 1e-7) return 1;
  }
  expect("sum to a thousandth", 0, floor(sum * 1000 + 0.5), 1000);

  /* more blocks than any device holds */
  expect("too many", 0,
         cudaLaunchCooperativeKernel((void *)normalise, dim3(1 << 20), dim3(threads), arguments, 0, 0),
         cudaErrorCooperativeLaunchTooLarge);
  cudaGetLastError();
  CHECK(cudaFree(d));
  CHECK(cudaFree(partial));
  free(h);
  return 0;
}
