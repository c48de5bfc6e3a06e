/* baselines.cu: see baselines.h. Trusted code of the harness; it runs only when a time is measured. */
#include "baselines.h"
#include <cublas_v2.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- A thread for each element ---- */

template <bool ROW>
static __global__ void element_kernel(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const int i = ROW ? y : x, j = ROW ? x : y;
  if (i >= m || j >= n) return;
  float sum = 0;
  for (int p = 0; p < k; p++) sum += d_a[(size_t)i * k + p] * d_b[(size_t)p * n + j];
  d_c[(size_t)i * n + j] = sum;
}

template <bool ROW> static int by_element(const wb_case *c) {
  const int m = (int)c->size.n[M], n = (int)c->size.n[N], k = (int)c->size.n[K];
  if (m == 0 || n == 0) return cudaSuccess;
  const dim3 block(32, 8), grid(((ROW ? n : m) + 31) / 32, ((ROW ? m : n) + 7) / 8);
  element_kernel<ROW><<<grid, block>>>(wb_f32(c, D_A), wb_f32(c, D_B), wb_f32(c, D_C), m, n, k);
  return cudaGetLastError();
}

int uncoalesced_call(const wb_case *c) { return by_element<false>(c); }
int naive_call(const wb_case *c) { return by_element<true>(c); }

/* ---- cuBLAS ---- */

#define TEXT_OF(name) #name
#define NAME_OF(name) TEXT_OF(name) /* of cublasSgemm: "cublasSgemm_v2", as cublas_v2.h defines it */

static void *open_library(void) {
  char name[32], path[600];
  snprintf(name, sizeof name, "libcublas.so.%d", CUDART_VERSION / 1000);
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  const char *const homes[] = {getenv("CUDA_HOME"), getenv("CUDA_PATH"), "/usr/local/cuda"};
  for (const char *home : homes) {
    if (library || !home) continue;
    snprintf(path, sizeof path, "%s/lib64/%s", home, name);
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  }
  return library;
}

static struct {
  cublasHandle_t handle; /* null: not open */
  decltype(&cublasSgemm) sgemm;
  decltype(&cublasDgemm) dgemm;
} cublas;

template <typename function> static bool find(void *library, const char *name, function *to) {
  *to = (function)dlsym(library, name);
  return *to != nullptr;
}

/* Whether cuBLAS can be called. The first call opens it. */
static bool open_cublas(void) {
  if (cublas.handle) return true;
  decltype(&cublasCreate) create;
  decltype(&cublasSetMathMode) set_mode;
  cublasHandle_t handle = nullptr;
  void *library = open_library();
  if (library && find(library, NAME_OF(cublasCreate), &create) &&
      find(library, NAME_OF(cublasSetMathMode), &set_mode) &&
      find(library, NAME_OF(cublasSgemm), &cublas.sgemm) &&
      find(library, NAME_OF(cublasDgemm), &cublas.dgemm) && create(&handle) == CUBLAS_STATUS_SUCCESS &&
      set_mode(handle, CUBLAS_PEDANTIC_MATH) == CUBLAS_STATUS_SUCCESS) {
    cublas.handle = handle;
    return true;
  }
  fprintf(stderr, "cuBLAS (libcublas.so.%d) could not be opened: set CUDA_HOME to the toolkit's folder\n",
          CUDART_VERSION / 1000);
  return false;
}

/* cuBLAS stores matrices by columns, so it reads B and A as their transposes, and (A B)^T = B^T A^T. A
 * leading dimension is at least 1. */
template <typename T, typename function>
static int gemm(function gemm_of_type, const wb_case *c, int m, int n, int k) {
  const T one = 1, zero = 0;
  const T *d_a = (const T *)c->array[D_A], *d_b = (const T *)c->array[D_B];
  const cublasStatus_t status =
      gemm_of_type(cublas.handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, d_b, n > 0 ? n : 1, d_a,
                   k > 0 ? k : 1, &zero, (T *)c->array[D_C], n > 0 ? n : 1);
  return status == CUBLAS_STATUS_SUCCESS ? cudaSuccess : cudaErrorUnknown;
}

int cublas_call(const wb_case *c) {
  if (!open_cublas()) return cudaErrorSharedObjectInitFailed;
  return gemm<float>(cublas.sgemm, c, (int)c->size.n[M], (int)c->size.n[N], (int)c->size.n[K]);
}

int cublas_double_call(const wb_case *c) {
  if (!open_cublas()) return cudaErrorSharedObjectInitFailed;
  return gemm<double>(cublas.dgemm, c, (int)c->size.n[M], (int)c->size.n[N], (int)c->size.n[K]);
}

int cublas_square_call(const wb_case *c) {
  if (!open_cublas()) return cudaErrorSharedObjectInitFailed;
  const int n = (int)c->size.n[SIDE];
  return gemm<float>(cublas.sgemm, c, n, n, n);
}
