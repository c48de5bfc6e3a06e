// with: CUCC_DEVICES=4
// flags: -Xcompiler -fopenmp
/* OpenMP: a thread for each device, each with a part of the array. */
#include "program.h"

#include <omp.h>

__global__ void axpy(float a, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}

int main() {
  const int n = 1000;
  int devices;
  float x[n], y[n];
  CHECK(cudaGetDeviceCount(&devices));
  for (int i = 0; i < n; i++) x[i] = (float)i, y[i] = 1;
#pragma omp parallel num_threads(devices)
  {
    const int part = omp_get_thread_num(), parts = omp_get_num_threads();
    const int first = n * part / parts, count = n * (part + 1) / parts - first;
    float *d_x, *d_y;
    cudaStream_t stream;
    CHECK(cudaSetDevice(part));
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaMalloc(&d_x, count * sizeof *d_x));
    CHECK(cudaMalloc(&d_y, count * sizeof *d_y));
    CHECK(cudaMemcpyAsync(d_x, x + first, count * sizeof *x, cudaMemcpyHostToDevice, stream));
    CHECK(cudaMemcpyAsync(d_y, y + first, count * sizeof *y, cudaMemcpyHostToDevice, stream));
    axpy<<<(count + 63) / 64, 64, 0, stream>>>(2, d_x, d_y, count);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(y + first, d_y, count * sizeof *y, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaStreamDestroy(stream));
  }
  for (int i = 0; i < n; i++) expect("y", i, y[i], 1 + 2.0 * i);
}
