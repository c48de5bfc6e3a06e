// expect: initcheck: -
// says: cublasSgemm reads C in row 0 of column 0, which was never written; device memory, cudaMalloc at
// flags: -lcublas
/* beta is 1, so C is added to; it was meant to be 0. */
#include "../blas.h"

int main() {
  cublasHandle_t handle;
  const int n = 8;
  const float one = 1;
#ifdef FIXED
  const float beta = 0;
#else
  const float beta = 1;
#endif
  float *A, *C;
  const std::vector<float> h = numbers<float>(n * n, 1);
  std::vector<float> c(n * n);
  BLAS(cublasCreate(&handle));
  CHECK(cudaMalloc(&A, n * n * sizeof *A));
  CHECK(cudaMalloc(&C, n * n * sizeof *C));
  BLAS(cublasSetMatrix(n, n, sizeof *A, h.data(), n, A, n));
  BLAS(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, A, n, A, n, &beta, C, n)); // <- at
  BLAS(cublasGetMatrix(n, n, sizeof *C, C, n, c.data(), n));
  CHECK(cudaFree(A));
  CHECK(cudaFree(C));
  BLAS(cublasDestroy(handle));
}
