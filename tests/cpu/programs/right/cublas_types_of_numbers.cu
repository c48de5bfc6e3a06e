// flags: -lcublas
/* cublasGemmEx of older programs: its last type is one of numbers, not of computations. */
#include "../blas.h"

template <class T> static void product(cublasHandle_t handle, cudaDataType type, cublasStatus_t wanted) {
  const int n = 5, batch = 3;
  const std::vector<T> numbers_of_a = numbers<T>(batch * n * n, 1), zeros(batch * n * n);
  device_array<T> A(numbers_of_a), B(numbers_of_a), C(zeros), D(batch * n * n);
  const T one = 1, zero = 0;
  cublasStatus_t status = cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &one, A.at, type, n, B.at,
                                       type, n, &zero, C.at, type, n, type, CUBLAS_GEMM_DFALT);
  expect("status of a product", 0, status, wanted);
  status =
      cublasGemmStridedBatchedEx(handle, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &one, A.at, type, n, n * n, B.at,
                                 type, n, n * n, &zero, D.at, type, n, n * n, batch, type, CUBLAS_GEMM_DFALT);
  expect("status of a batch", 0, status, wanted);
  CHECK(cudaDeviceSynchronize());
  if (status != CUBLAS_STATUS_SUCCESS) return;
  const std::vector<T> c = C.host(), d = D.host();
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      T sum = 0;
      for (int k = 0; k < n; k++) sum += numbers_of_a[i + k * n] * numbers_of_a[j + k * n];
      expect("product", i + j * n, c[i + j * n], sum);
      expect("batch", i + j * n, d[i + j * n], sum);
    }
}

int main() {
  cublasHandle_t handle;
  BLAS(cublasCreate(&handle));
  product<float>(handle, CUDA_R_32F, CUBLAS_STATUS_SUCCESS);
  BLAS(cublasSetMathMode(handle, CUBLAS_PEDANTIC_MATH));
  product<double>(handle, CUDA_R_64F, CUBLAS_STATUS_SUCCESS);
  product<int>(handle, CUDA_R_8U, CUBLAS_STATUS_NOT_SUPPORTED);
  BLAS(cublasDestroy(handle));
}
