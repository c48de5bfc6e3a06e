/*
 * cuBLAS as the CPU backend has it (link with -lcublas; OpenBLAS does the arithmetic), for C and C++.
 *
 * Names, values and arguments are the toolkit's (CUDA 13), NVIDIA's manual tells what each routine does. What
 * all have in common:
 *   - matrices are stored by columns: element (i, j) of A is A[i + j * lda], and lda is at least the rows;
 *   - A, B, C, x, y are device memory; the routine is queued in the handle's stream and runs later;
 *   - alpha, beta and results (dot, nrm2, …) are on the host, and then a result is there when the call
 * returns; or on the device after cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
 *   - with beta 0, C or y is not read: it may hold NaN or nothing;
 *   - status CUBLAS_STATUS_INVALID_VALUE for a negative size, a leading dimension that is too small, an
 * increment of 0 where none is allowed, a null pointer for alpha or beta; CUBLAS_STATUS_NOT_INITIALIZED for
 * no handle. A routine that is missing here is missing from the backend: the compiler says so.
 */
#ifndef CUBLAS_V2_H_
#define CUBLAS_V2_H_
#define CUBLAS_API_H_ /* the toolkit has two headers, which programs ask for */

#include <stdint.h>

#include "cuda_runtime_api.h"
#include "library_types.h"
#ifdef __CUDACC__ /* the toolkit's brings these types along */
#include <cuda_bf16.h>
#endif

#define CUBLAS_VER_MAJOR 13
#define CUBLAS_VER_MINOR 1
#define CUBLAS_VER_PATCH 0
#define CUBLAS_VERSION   (CUBLAS_VER_MAJOR * 10000 + CUBLAS_VER_MINOR * 100 + CUBLAS_VER_PATCH)

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;

typedef enum {
  CUBLAS_FILL_MODE_LOWER = 0,
  CUBLAS_FILL_MODE_UPPER = 1,
  CUBLAS_FILL_MODE_FULL = 2
} cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum {
  CUBLAS_OP_N = 0,
  CUBLAS_OP_T = 1,
  CUBLAS_OP_C = 2,
  CUBLAS_OP_HERMITAN = 2,
  CUBLAS_OP_CONJG = 3
} cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;

/* All algorithms are one here. */
typedef enum {
  CUBLAS_GEMM_DFALT = -1,
  CUBLAS_GEMM_DEFAULT = -1,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
  CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
  CUBLAS_GEMM_AUTOTUNE = 999
} cublasGemmAlgo_t;

/* Kept and given back; the arithmetic is always that of the type. */
typedef enum {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3,
  CUBLAS_FP32_EMULATED_BF16X9_MATH = 4,
  CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH = 8,
  CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;

typedef enum {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_16F_PEDANTIC = 65,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_64F_PEDANTIC = 71,
  CUBLAS_COMPUTE_32I = 72,
  CUBLAS_COMPUTE_32I_PEDANTIC = 73
} cublasComputeType_t;

typedef cudaDataType cublasDataType_t;
typedef struct cublasContext *cublasHandle_t;

/* Handles, and what they carry: the stream (the default one at first), the pointer mode, the math mode. */
cublasStatus_t cublasCreate(cublasHandle_t *handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int *version);
cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t *stream);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t *mode);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t *mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode);
/* The workspace is not used. Device memory that stays the caller's. */
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void *workspace, size_t bytes);
const char *cublasGetStatusName(cublasStatus_t status);
const char *cublasGetStatusString(cublasStatus_t status);

/* Copies between host and device, of n elements of `size` bytes with increments, or of rows x columns with
 * leading dimensions. The host's memory is the first argument of Set and the second of Get. */
cublasStatus_t cublasSetVector(int n, int size, const void *host, int host_inc, void *device, int device_inc);
cublasStatus_t cublasGetVector(int n, int size, const void *device, int device_inc, void *host, int host_inc);
cublasStatus_t cublasSetMatrix(int rows, int columns, int size, const void *host, int host_ld, void *device,
                               int device_ld);
cublasStatus_t cublasGetMatrix(int rows, int columns, int size, const void *device, int device_ld, void *host,
                               int host_ld);
cublasStatus_t cublasSetVectorAsync(int n, int size, const void *host, int host_inc, void *device,
                                    int device_inc, cudaStream_t stream);
cublasStatus_t cublasGetVectorAsync(int n, int size, const void *device, int device_inc, void *host,
                                    int host_inc, cudaStream_t stream);
cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int size, const void *host, int host_ld,
                                    void *device, int device_ld, cudaStream_t stream);
cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int size, const void *device, int device_ld,
                                    void *host, int host_ld, cudaStream_t stream);

/* The routines, S for float and D for double. */
#define CUCC_CUBLAS_ROUTINES(P, A, T)                                                                        \
  /* level 1: vectors */                                                                                     \
  cublasStatus_t cublasI##A##amax(cublasHandle_t handle, int n, const T *x, int incx, int *result);          \
  cublasStatus_t cublasI##A##amin(cublasHandle_t handle, int n, const T *x, int incx, int *result);          \
  cublasStatus_t cublas##P##asum(cublasHandle_t handle, int n, const T *x, int incx, T *result);             \
  cublasStatus_t cublas##P##nrm2(cublasHandle_t handle, int n, const T *x, int incx, T *result);             \
  cublasStatus_t cublas##P##dot(cublasHandle_t handle, int n, const T *x, int incx, const T *y, int incy,    \
                                T *result);                                                                  \
  cublasStatus_t cublas##P##axpy(cublasHandle_t handle, int n, const T *alpha, const T *x, int incx, T *y,   \
                                 int incy);                                                                  \
  cublasStatus_t cublas##P##scal(cublasHandle_t handle, int n, const T *alpha, T *x, int incx);              \
  cublasStatus_t cublas##P##copy(cublasHandle_t handle, int n, const T *x, int incx, T *y, int incy);        \
  cublasStatus_t cublas##P##swap(cublasHandle_t handle, int n, T *x, int incx, T *y, int incy);              \
  cublasStatus_t cublas##P##rot(cublasHandle_t handle, int n, T *x, int incx, T *y, int incy, const T *c,    \
                                const T *s);                                                                 \
  /* level 2: matrix and vector */                                                                           \
  cublasStatus_t cublas##P##gemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n,               \
                                 const T *alpha, const T *A, int lda, const T *x, int incx, const T *beta,   \
                                 T *y, int incy);                                                            \
  cublasStatus_t cublas##P##ger(cublasHandle_t handle, int m, int n, const T *alpha, const T *x, int incx,   \
                                const T *y, int incy, T *A, int lda);                                        \
  cublasStatus_t cublas##P##symv(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T *alpha,        \
                                 const T *A, int lda, const T *x, int incx, const T *beta, T *y, int incy);  \
  cublasStatus_t cublas##P##trsv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,      \
                                 cublasDiagType_t diag, int n, const T *A, int lda, T *x, int incx);         \
  /* level 3: matrices */                                                                                    \
  cublasStatus_t cublas##P##gemm(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,  \
                                 int m, int n, int k, const T *alpha, const T *A, int lda, const T *B,       \
                                 int ldb, const T *beta, T *C, int ldc);                                     \
  /* Aarray, Barray and Carray are arrays in device memory of pointers to device memory */                   \
  cublasStatus_t cublas##P##gemmBatched(cublasHandle_t handle, cublasOperation_t transa,                     \
                                        cublasOperation_t transb, int m, int n, int k, const T *alpha,       \
                                        const T *const Aarray[], int lda, const T *const Barray[], int ldb,  \
                                        const T *beta, T *const Carray[], int ldc, int batch);               \
  /* strides in elements */                                                                                  \
  cublasStatus_t cublas##P##gemmStridedBatched(                                                              \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,        \
      const T *alpha, const T *A, int lda, long long stride_a, const T *B, int ldb, long long stride_b,      \
      const T *beta, T *C, int ldc, long long stride_c, int batch);                                          \
  /* C may be A or B, where that one is not transposed and has C's leading dimension */                      \
  cublasStatus_t cublas##P##geam(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,  \
                                 int m, int n, const T *alpha, const T *A, int lda, const T *beta,           \
                                 const T *B, int ldb, T *C, int ldc);                                        \
  cublasStatus_t cublas##P##dgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n, const T *A,     \
                                 int lda, const T *x, int incx, T *C, int ldc);                              \
  cublasStatus_t cublas##P##symm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, int m, \
                                 int n, const T *alpha, const T *A, int lda, const T *B, int ldb,            \
                                 const T *beta, T *C, int ldc);                                              \
  cublasStatus_t cublas##P##syrk(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,      \
                                 int n, int k, const T *alpha, const T *A, int lda, const T *beta, T *C,     \
                                 int ldc);                                                                   \
  cublasStatus_t cublas##P##trsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,        \
                                 cublasOperation_t trans, cublasDiagType_t diag, int m, int n,               \
                                 const T *alpha, const T *A, int lda, T *B, int ldb);
CUCC_CUBLAS_ROUTINES(S, s, float)
CUCC_CUBLAS_ROUTINES(D, d, double)
#undef CUCC_CUBLAS_ROUTINES

/* Products by types, one, or a batch with strides in elements: A, B and C all float (CUBLAS_COMPUTE_32F and its
 * FAST and PEDANTIC forms) or all double (CUBLAS_COMPUTE_64F). Other types: CUBLAS_STATUS_NOT_SUPPORTED. */
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                            int n, int k, const void *alpha, const void *A, cudaDataType a_type, int lda,
                            const void *B, cudaDataType b_type, int ldb, const void *beta, void *C,
                            cudaDataType c_type, int ldc, cublasComputeType_t compute,
                            cublasGemmAlgo_t algorithm);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                          cublasOperation_t transb, int m, int n, int k, const void *alpha,
                                          const void *A, cudaDataType a_type, int lda, long long stride_a,
                                          const void *B, cudaDataType b_type, int ldb, long long stride_b,
                                          const void *beta, void *C, cudaDataType c_type, int ldc,
                                          long long stride_c, int batch, cublasComputeType_t compute,
                                          cublasGemmAlgo_t algorithm);

/* The toolkit has these names, too. */
#define CUCC_V2(NAME) extern __typeof__(NAME) NAME##_v2 __asm__(#NAME);
CUCC_V2(cublasCreate)
CUCC_V2(cublasDestroy)
CUCC_V2(cublasGetVersion)
CUCC_V2(cublasSetWorkspace)
CUCC_V2(cublasSetStream)
CUCC_V2(cublasGetStream)
CUCC_V2(cublasGetPointerMode)
CUCC_V2(cublasSetPointerMode)
#define CUCC_CUBLAS_V2(P, A)                                                                                 \
  CUCC_V2(cublasI##A##amax)                                                                                  \
  CUCC_V2(cublasI##A##amin)                                                                                  \
  CUCC_V2(cublas##P##asum)                                                                                   \
  CUCC_V2(cublas##P##nrm2)                                                                                   \
  CUCC_V2(cublas##P##dot)                                                                                    \
  CUCC_V2(cublas##P##axpy)                                                                                   \
  CUCC_V2(cublas##P##scal)                                                                                   \
  CUCC_V2(cublas##P##copy)                                                                                   \
  CUCC_V2(cublas##P##swap)                                                                                   \
  CUCC_V2(cublas##P##rot)                                                                                    \
  CUCC_V2(cublas##P##gemv)                                                                                   \
  CUCC_V2(cublas##P##ger)                                                                                    \
  CUCC_V2(cublas##P##symv)                                                                                   \
  CUCC_V2(cublas##P##trsv)                                                                                   \
  CUCC_V2(cublas##P##gemm)                                                                                   \
  CUCC_V2(cublas##P##symm)                                                                                   \
  CUCC_V2(cublas##P##syrk)                                                                                   \
  CUCC_V2(cublas##P##trsm)
CUCC_CUBLAS_V2(S, s)
CUCC_CUBLAS_V2(D, d)
#undef CUCC_CUBLAS_V2
#undef CUCC_V2

#ifdef __cplusplus
} /* extern "C" */

/* Older programs in C++ name the type of the numbers for the computation, too. Inline, so that reports name the
 * line of the call. */
namespace cucc {
inline cublasStatus_t compute_of(cublasHandle_t handle, cudaDataType type, cublasComputeType_t *compute) {
  cublasMath_t mode = CUBLAS_DEFAULT_MATH;
  const cublasStatus_t status = cublasGetMathMode(handle, &mode);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  const bool pedantic = (mode & 15) == CUBLAS_PEDANTIC_MATH;
  switch (static_cast<int>(type)) {
  case CUDA_R_32F:
    *compute = pedantic ? CUBLAS_COMPUTE_32F_PEDANTIC : CUBLAS_COMPUTE_32F;
    break;
  case CUDA_R_64F:
    *compute = pedantic ? CUBLAS_COMPUTE_64F_PEDANTIC : CUBLAS_COMPUTE_64F;
    break;
  case CUDA_R_16F:
    *compute = pedantic ? CUBLAS_COMPUTE_16F_PEDANTIC : CUBLAS_COMPUTE_16F;
    break;
  case CUDA_R_32I:
    *compute = pedantic ? CUBLAS_COMPUTE_32I_PEDANTIC : CUBLAS_COMPUTE_32I;
    break;
  default:
    return CUBLAS_STATUS_NOT_SUPPORTED;
  }
  return CUBLAS_STATUS_SUCCESS;
}
} // namespace cucc

static inline __attribute__((always_inline)) cublasStatus_t
cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
             const void *alpha, const void *A, cudaDataType a_type, int lda, const void *B,
             cudaDataType b_type, int ldb, const void *beta, void *C, cudaDataType c_type, int ldc,
             cudaDataType type, cublasGemmAlgo_t algorithm) {
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  const cublasStatus_t status = ::cucc::compute_of(handle, type, &compute);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  return cublasGemmEx(handle, transa, transb, m, n, k, alpha, A, a_type, lda, B, b_type, ldb, beta, C, c_type,
                      ldc, compute, algorithm);
}

static inline __attribute__((always_inline)) cublasStatus_t
cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                           int n, int k, const void *alpha, const void *A, cudaDataType a_type, int lda,
                           long long stride_a, const void *B, cudaDataType b_type, int ldb,
                           long long stride_b, const void *beta, void *C, cudaDataType c_type, int ldc,
                           long long stride_c, int batch, cudaDataType type, cublasGemmAlgo_t algorithm) {
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  const cublasStatus_t status = ::cucc::compute_of(handle, type, &compute);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  return cublasGemmStridedBatchedEx(handle, transa, transb, m, n, k, alpha, A, a_type, lda, stride_a, B,
                                    b_type, ldb, stride_b, beta, C, c_type, ldc, stride_c, batch, compute,
                                    algorithm);
}
#endif
#endif
