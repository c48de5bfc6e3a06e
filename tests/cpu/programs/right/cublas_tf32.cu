// flags: -lcublas
/* TF32 in cuBLAS: the handle's mode or the call's type asks for it, inputs are rounded, and a long sum leans
 * towards zero. The digest was printed by the same program on an H200 with cuBLAS 13.1. */
#include "program.h"
#include <cublas_v2.h>
#include <string.h>

#define BLAS(call)                                                                                           \
  do {                                                                                                       \
    if ((call) != CUBLAS_STATUS_SUCCESS) exit((fprintf(stderr, "%s failed\n", #call), 2));                   \
  } while (0)

static unsigned state = 1;

static float number() {
  state = state * 1664525u + 1013904223u;
  return float((state >> 8) * 0x1p-24);
}

/* C = A B, n x n by columns; the largest relative error. */
static double multiply(cublasHandle_t handle, int n, const float *a, const float *b, float *c,
                       cublasComputeType_t type) {
  const float one = 1.0f, zero = 0.0f;
  double error = 0;
  if (type == CUBLAS_COMPUTE_32F)
    BLAS(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, b, n, &zero, c, n));
  else
    BLAS(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, CUDA_R_32F, n, b, CUDA_R_32F, n,
                      &zero, c, CUDA_R_32F, n, type, CUBLAS_GEMM_DEFAULT));
  CHECK(cudaDeviceSynchronize());
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      double want = 0;
      for (int k = 0; k < n; k++) want += double(a[i + k * n]) * b[k + j * n];
      error = fmax(error, fabs(c[i + j * n] - want) / want);
    }
  return error;
}

static void expect_between(const char *what, double low, double value, double high) {
  if (!(value >= low && value <= high)) {
    fprintf(stderr, "%s: the error is %g, not from %g to %g\n", what, value, low, high);
    exit(1);
  }
}

int main() {
  const int n = 256;
  float *a, *b, *c;
  cublasHandle_t handle;
  CHECK(cudaMallocManaged(&a, n * n * sizeof *a));
  CHECK(cudaMallocManaged(&b, n * n * sizeof *b));
  CHECK(cudaMallocManaged(&c, n * n * sizeof *c));
  BLAS(cublasCreate(&handle));
  for (int i = 0; i < n * n; i++) a[i] = number(), b[i] = number();
  expect_between("float", 0, multiply(handle, n, a, b, c, CUBLAS_COMPUTE_32F), 2e-6);
  expect_between("type TF32", 1e-5, multiply(handle, n, a, b, c, CUBLAS_COMPUTE_32F_FAST_TF32), 5e-4);
  BLAS(cublasSetMathMode(handle, CUBLAS_TF32_TENSOR_OP_MATH));
  expect_between("mode TF32", 1e-5, multiply(handle, n, a, b, c, CUBLAS_COMPUTE_32F), 5e-4);
  unsigned hash = 2166136261u;
  const unsigned char *bytes = reinterpret_cast<const unsigned char *>(c);
  for (size_t i = 0; i < n * n * sizeof *c; i++) hash = (hash ^ bytes[i]) * 16777619u;
  if (hash != 0x291dd767u) exit((fprintf(stderr, "digest 0x%08x\n", hash), 1));
  expect_between("pedantic", 0, multiply(handle, n, a, b, c, CUBLAS_COMPUTE_32F_PEDANTIC), 2e-6);
  /* Values that TF32 holds, and short sums of them, are exact. */
  for (int i = 0; i < n * n; i++) a[i] = float(int(number() * 16) + 1), b[i] = i % n == i / n ? 1.0f : 0.0f;
  expect_between("whole numbers", 0, multiply(handle, n, a, b, c, CUBLAS_COMPUTE_32F), 0);
  /* 1 + 2^-11 lies half way between two values: to the even one. */
  for (int i = 0; i < n * n; i++) a[i] = 1.0f + (i % 2 ? 0x1p-11f : 0x3p-11f);
  multiply(handle, n, a, b, c, CUBLAS_COMPUTE_32F);
  for (int i = 0; i < n * n; i++) expect("half way", i, c[i], i % 2 ? 1.0 : 1.0 + 0x1p-9);
  BLAS(cublasDestroy(handle));
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  CHECK(cudaFree(c));
}
