// expect: memcheck: -
// says: cublasSdot reads y, 32 elements in memory that was freed; usually     cudaFree too early
// flags: -lcublas
/* y is freed one routine too early. */
#include "../blas.h"

int main() {
  cublasHandle_t handle;
  const std::vector<float> h = numbers<float>(32, 1);
  float *x, *y, dot = 0;
  BLAS(cublasCreate(&handle));
  CHECK(cudaMalloc(&x, 32 * sizeof *x));
  CHECK(cudaMalloc(&y, 32 * sizeof *y));
  BLAS(cublasSetVector(32, sizeof *x, h.data(), 1, x, 1));
  BLAS(cublasScopy(handle, 32, x, 1, y, 1));
#ifndef FIXED
  CHECK(cudaFree(y));
#endif
  cublasStatus_t status = cublasSdot(handle, 32, x, 1, y, 1, &dot); // <- at
  if (status != CUBLAS_STATUS_SUCCESS) return 1;
#ifdef FIXED
  CHECK(cudaFree(y));
#endif
  CHECK(cudaFree(x));
  BLAS(cublasDestroy(handle));
}
