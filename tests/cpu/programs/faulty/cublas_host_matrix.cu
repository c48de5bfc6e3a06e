// expect: memcheck: -
// says: cublasDaxpy reads x, 100 elements in host memory; an array from malloc
// flags: -lcublas
/* The vector that was to be copied to the device first. */
#include "../blas.h"

int main() {
  cublasHandle_t handle;
  BLAS(cublasCreate(&handle));
  const std::vector<double> h_x = numbers<double>(100, 1);
  double *d_x, *d_y;
  const double two = 2;
  CHECK(cudaMalloc(&d_x, 100 * sizeof *d_x));
  CHECK(cudaMalloc(&d_y, 100 * sizeof *d_y));
  CHECK(cudaMemset(d_y, 0, 100 * sizeof *d_y));
#ifdef FIXED
  BLAS(cublasSetVector(100, sizeof(double), h_x.data(), 1, d_x, 1));
  BLAS(cublasDaxpy(handle, 100, &two, d_x, 1, d_y, 1));
#else
  BLAS(cublasDaxpy(handle, 100, &two, h_x.data(), 1, d_y, 1)); // <- at
#endif
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  CHECK(cudaFree(d_x));
  CHECK(cudaFree(d_y));
  BLAS(cublasDestroy(handle));
}
