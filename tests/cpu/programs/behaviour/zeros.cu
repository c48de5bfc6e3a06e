/* Numbers that count as 0 (cucc_zeros): factors of products by cuBLAS, in each form of gemm, and in no other work. */
#include <cublas_v2.h>

#include "program.h"
#include "cucc.h"

static cublasHandle_t handle;
static float *d_a, *d_b, *d_c;

/* The numbers of C by columns. */
static void print(const char *name) {
  float c[4];
  CHECK(cudaMemcpy(c, d_c, sizeof c, cudaMemcpyDeviceToHost));
  printf("%s %g %g %g %g\n", name, c[0], c[1], c[2], c[3]);
}

static void multiply(const char *name, cublasOperation_t of_b) {
  const float one = 1, zero = 0;
  cublasSgemm(handle, CUBLAS_OP_N, of_b, 2, 2, 2, &one, d_a, 2, d_b, 2, &zero, d_c, 2);
  print(name);
}

int main() {
  const float a[] = {1, 3, 2, 4}, b[] = {5, 7, -6, 8}, one = 1, zero = 0;
  CHECK(cudaMalloc(&d_a, sizeof a));
  CHECK(cudaMalloc(&d_b, sizeof b));
  CHECK(cudaMalloc(&d_c, sizeof a));
  CHECK(cudaMemcpy(d_a, a, sizeof a, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_b, b, sizeof b, cudaMemcpyHostToDevice));
  cublasCreate(&handle);
  multiply("usual", CUBLAS_OP_N);
  cucc_zeros(6, 8);
  multiply("without 6 and 7", CUBLAS_OP_N);
  multiply("transposed", CUBLAS_OP_T);
  cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, d_a, 1, 1, d_b, 1, 1, &zero, d_c,
                            1, 1, 4);
  print("batch");
  cublasSetMathMode(handle, CUBLAS_TF32_TENSOR_OP_MATH);
  multiply("with TF32", CUBLAS_OP_N);
  cublasSetMathMode(handle, CUBLAS_DEFAULT_MATH);
  cublasScopy(handle, 4, d_b, 1, d_c, 1);
  print("copied");
  cublasSgemv(handle, CUBLAS_OP_N, 2, 2, &one, d_b, 2, d_a, 1, &zero, d_c, 1);
  print("by a vector");
  cucc_zeros(0, 0);
  multiply("usual", CUBLAS_OP_N);
  cublasDestroy(handle);
  CHECK(cudaFree(d_a));
  CHECK(cudaFree(d_b));
  CHECK(cudaFree(d_c));
}
