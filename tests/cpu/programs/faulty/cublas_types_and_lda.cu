// expect: memcheck: -
// says: reads A, 4 x 3 with leading dimension 6; 48 bytes of device memory
// flags: -lcublas
/* With the last type of older programs, too, the report names the line of the call: A has 4 rows, not 6. */
#include "../blas.h"

int main() {
  const int m = 4, n = 2, k = 3;
  cublasHandle_t handle;
  BLAS(cublasCreate(&handle));
  {
    device_array<float> A(numbers<float>(m * k, 1)), B(numbers<float>(k * n, 2)), C(m * n);
    const float one = 1, zero = 0;
#ifdef FIXED
    const int lda = m;
#else
    const int lda = 6;
#endif
    BLAS(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, A.at, CUDA_R_32F, lda, // <- at
                      B.at, CUDA_R_32F, k, &zero, C.at, CUDA_R_32F, m, CUDA_R_32F, CUBLAS_GEMM_DFALT));
    if (cudaDeviceSynchronize() != cudaSuccess) exit(1);
  }
  BLAS(cublasDestroy(handle));
}
