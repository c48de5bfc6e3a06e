/* The handle of cublasLt, which programs keep beside that of cuBLAS. Its matrix products and their descriptions
 * are not in the CPU backend: the compiler names what is missing. */
#ifndef CUBLASLT_H_
#define CUBLASLT_H_

#include "cublas_v2.h"

typedef struct cublasLtContext *cublasLtHandle_t; /* one of cuBLAS, as the toolkit allows */

static inline __attribute__((unused)) cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle) {
  return cublasCreate((cublasHandle_t *)handle);
}
static inline __attribute__((unused)) cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  return cublasDestroy((cublasHandle_t)handle);
}

#endif
