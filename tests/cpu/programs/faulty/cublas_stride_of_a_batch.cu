// expect: memcheck: -
// says: writes C, 3 x 3 with leading dimension 3, number 1 of a batch with a stride of 36, where nothing is
// says: 144 bytes of device memory; it counts elements, not bytes
// flags: -lcublas
/* The stride of C counts floats; here it was given in bytes. */
#include "../blas.h"

int main() {
  const int n = 3, batch = 4;
  cublasHandle_t handle;
  BLAS(cublasCreate_v2(&handle));
  {
    const std::vector<float> numbers_of_a = numbers<float>(batch * n * n, 1);
    device_array<float> A(numbers_of_a), B(numbers_of_a), C(batch * n * n);
    const float one = 1, zero = 0;
#ifdef FIXED
    const long long far = n * n;
#else
    const long long far = n * n * sizeof(float);
#endif
    BLAS(cublasGemmStridedBatchedEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, // <- at
                                    A.at, CUDA_R_32F, n, n * n, B.at, CUDA_R_32F, n, n * n, &zero, C.at,
                                    CUDA_R_32F, n, far, batch, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    if (cudaDeviceSynchronize() != cudaSuccess) exit(1);
  }
  BLAS(cublasDestroy_v2(handle));
}
