// flags: -lcublas
/* cuBLAS's handles: what they carry, wrong arguments and their status codes, copies of vectors and matrices,
 * and the handle's stream, in which its work follows kernels and copies without any waiting. */
#include <cstring>

#include "../blas.h"

static_assert(sizeof(half) == 2 && sizeof(__nv_bfloat16) == 2, "cublas_v2.h brings these along");

#define REFUSES(call, status)                                                                                \
  expect(#call, 0, static_cast<double>(call), static_cast<double>(CUBLAS_STATUS_##status))

static void carried(cublasHandle_t handle) {
  cublasPointerMode_t pointers;
  cublasMath_t math;
  cublasAtomicsMode_t atomics;
  int version = 0;
  BLAS(cublasGetPointerMode(handle, &pointers));
  expect("pointer mode at first", 0, pointers, CUBLAS_POINTER_MODE_HOST);
  BLAS(cublasSetMathMode(handle, CUBLAS_TF32_TENSOR_OP_MATH));
  BLAS(cublasGetMathMode(handle, &math));
  expect("math mode", 0, math, CUBLAS_TF32_TENSOR_OP_MATH);
  BLAS(cublasSetMathMode(handle, CUBLAS_DEFAULT_MATH));
  BLAS(cublasSetAtomicsMode(handle, CUBLAS_ATOMICS_ALLOWED));
  BLAS(cublasGetAtomicsMode(handle, &atomics));
  expect("atomics mode", 0, atomics, CUBLAS_ATOMICS_ALLOWED);
  BLAS(cublasGetVersion(handle, &version));
  expect("version is of 11 or later", 0, version >= 110000, 1);
  if (strcmp(cublasGetStatusName(CUBLAS_STATUS_INVALID_VALUE), "CUBLAS_STATUS_INVALID_VALUE") ||
      strcmp(cublasGetStatusString(CUBLAS_STATUS_SUCCESS), "success"))
    exit(1);
}

static void refused(cublasHandle_t handle) {
  const float one = 1, zero = 0;
  device_array<float> d(std::vector<float>(64, 1));
  float *p = d.at;
  const cublasOperation_t n = CUBLAS_OP_N, t = CUBLAS_OP_T;
  REFUSES(cublasSgemm(nullptr, n, n, 2, 2, 2, &one, p, 2, p, 2, &zero, p, 2), NOT_INITIALIZED);
  REFUSES(cublasSgemm(handle, n, n, -1, 2, 2, &one, p, 2, p, 2, &zero, p, 2), INVALID_VALUE);
  REFUSES(cublasSgemm(handle, n, n, 4, 2, 3, &one, p, 3, p, 3, &zero, p, 4), INVALID_VALUE); /* lda < m */
  REFUSES(cublasSgemm(handle, t, n, 4, 2, 3, &one, p, 2, p, 3, &zero, p, 4), INVALID_VALUE); /* lda < k */
  REFUSES(cublasSgemm(handle, n, n, 4, 2, 3, &one, p, 4, p, 2, &zero, p, 4), INVALID_VALUE); /* ldb < k */
  REFUSES(cublasSgemm(handle, n, n, 4, 2, 3, &one, p, 4, p, 3, &zero, p, 3), INVALID_VALUE); /* ldc < m */
  REFUSES(cublasSgemm(handle, n, n, 0, 2, 3, &one, p, 1, p, 3, &zero, p, 1), SUCCESS);
  REFUSES(cublasSger(handle, 4, 2, &one, p, 1, p, 1, p, 3), INVALID_VALUE);
  REFUSES(cublasSgeam(handle, n, n, 4, 2, &one, p, 3, &zero, p, 4, p, 4), INVALID_VALUE);
  REFUSES(cublasSaxpy(handle, 0, &one, p, 1, p, 1), SUCCESS);
}

static void copied() {
  const std::vector<float> h = numbers<float>(24, 1);
  std::vector<float> back(24, 7), want(24, 7);
  device_array<float> d(std::vector<float>(40, 5));
  BLAS(cublasSetMatrix(3, 4, sizeof(float), h.data(), 5, d.at, 8));
  BLAS(cublasGetMatrix(3, 4, sizeof(float), d.at, 8, back.data(), 6));
  for (int j = 0; j < 4; j++)
    for (int i = 0; i < 3; i++) want[static_cast<size_t>(i + 6 * j)] = h[static_cast<size_t>(i + 5 * j)];
  expect_all("a matrix there and back", back, want);
  expect("the device's padding", 3, d.host()[3], 5);
  BLAS(cublasSetVector(8, sizeof(float), h.data(), 3, d.at, 2));
  BLAS(cublasGetVector(8, sizeof(float), d.at, 2, back.data(), 1));
  for (int i = 0; i < 8; i++)
    expect("a vector there and back", i, back[static_cast<size_t>(i)], h[static_cast<size_t>(3 * i)]);
  /* a leading dimension too short: the H200 reports it as an error of the copy */
  REFUSES(cublasSetMatrix(3, 4, sizeof(float), h.data(), 2, d.at, 8), MAPPING_ERROR);
  REFUSES(cublasGetMatrix(3, 4, sizeof(float), d.at, 2, back.data(), 8), MAPPING_ERROR);
  REFUSES(cublasSetMatrix(3, 4, sizeof(float), h.data(), 0, d.at, 8), INVALID_VALUE);
  REFUSES(cublasSetMatrix(-1, 4, sizeof(float), h.data(), 3, d.at, 8), INVALID_VALUE);
  REFUSES(cublasSetMatrix(0, 4, sizeof(float), h.data(), 1, d.at, 1), SUCCESS);
  REFUSES(cublasSetVector(3, sizeof(float), h.data(), 0, d.at, 1), INVALID_VALUE);
  REFUSES(cublasGetVector(3, 0, d.at, 1, back.data(), 1), INVALID_VALUE);
}

__global__ void fill(float *p, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) p[i] = static_cast<float>(i % 5);
}

/* kernel, routine, kernel's data again, copy: all in one stream, one wait at the end. */
static void streamed(cublasHandle_t handle) {
  const int n = 1000;
  cudaStream_t stream, answer;
  float *x, *y, *h, sum;
  CHECK(cudaStreamCreate(&stream));
  BLAS(cublasSetStream(handle, stream));
  BLAS(cublasGetStream(handle, &answer));
  expect("the stream comes back", 0, answer == stream, 1);
  CHECK(cudaMalloc(&x, n * sizeof *x));
  CHECK(cudaMalloc(&y, n * sizeof *y));
  CHECK(cudaMallocHost(&h, n * sizeof *h));
  fill<<<4, 256, 0, stream>>>(x, n);
  fill<<<4, 256, 0, stream>>>(y, n);
  const float two = 2;
  BLAS(cublasSaxpy(handle, n, &two, x, 1, y, 1));
  CHECK(cudaMemcpyAsync(h, y, n * sizeof *h, cudaMemcpyDeviceToHost, stream));
  BLAS(cublasSasum(handle, n, y, 1, &sum)); /* the result is on the host: waits */
  expect("asum", 0, sum, 3 * 2 * n);
  for (int i = 0; i < n; i++) expect("y", i, h[i], 3 * (i % 5));
  BLAS(cublasSetStream(handle, 0));
  CHECK(cudaFreeHost(h));
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  CHECK(cudaStreamDestroy(stream));
}

int main() {
  cublasHandle_t handle;
  BLAS(cublasCreate(&handle));
  carried(handle);
  refused(handle);
  copied();
  streamed(handle);
  BLAS(cublasDestroy(handle));
}
