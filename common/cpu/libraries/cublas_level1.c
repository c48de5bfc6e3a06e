/* cuBLAS, level 1: vectors. Nothing happens for n <= 0, and results are 0 then. */
#include "blas.h"

#include <string.h>

/* ---------------------------------------------------------------------------------- a number from vectors */

enum reduction { AMAX, AMIN, ASUM, NRM2, DOT };

/* k holds which one; a and b the vectors. */
static void reduce(const struct routine *r, void *result) {
  const struct real *real = r->real;
  switch ((enum reduction)r->k) {
  case AMAX:
    *(int *)result = real->amax(&r->n, r->a.at, &r->inc_a);
    break;
  case AMIN:
    *(int *)result = real->amin(&r->n, r->a.at, &r->inc_a);
    break;
  case ASUM:
    real->asum(&r->n, r->a.at, &r->inc_a, result);
    break;
  case NRM2:
    real->nrm2(&r->n, r->a.at, &r->inc_a, result);
    break;
  case DOT:
    real->dot(&r->n, r->a.at, &r->inc_a, r->b.at, &r->inc_b, result);
    break;
  }
}

static bool run_reduction(struct work *work) {
  struct routine *r = (struct routine *)work;
  if (!work_reads(work, &r->a) || !work_reads(work, &r->b)) return false;
  if (r->c.at && !work_writes(work, &r->c)) return false;
  reduce(r, r->result);
  return true;
}

static cublasStatus_t reduction(const struct real *real, const char *call, uintptr_t site,
                                cublasHandle_t handle, enum reduction which, int n, const void *x, int incx,
                                const void *y, int incy, void *result) {
  BLAS_BEGIN(run_reduction);
  const size_t size = which <= AMIN ? sizeof(int) : real->size;
  const bool on_host = handle->pointers == CUBLAS_POINTER_MODE_HOST;
  if (!result || (on_host && !work_host_value(call, "the result", result, site)))
    return blas_refuse(&r, NULL);
  if (n < 0 || (which != DOT && incx <= 0)) n = 0;
  if (on_host && n == 0) {
    memset(result, 0, size);
    return CUBLAS_STATUS_SUCCESS;
  }
  r.n = n, r.k = which, r.inc_a = incx, r.inc_b = incy, r.result = result;
  r.a = blas_vector(&r, "x", x, n, incx);
  if (which == DOT) r.b = blas_vector(&r, "y", y, n, incy);
  if (!on_host) r.c = (struct extent){"the result", result, size, 1, 1, 1, PART_ALL};
  return blas_queue(&r, on_host);
}

#define REDUCTION(P, NAME, WHICH, T, REAL, RESULT)                                                           \
  cublasStatus_t cublas##P##NAME(cublasHandle_t handle, int n, const T *x, int incx, RESULT *result) {       \
    return reduction(&REAL, "cublas" #P #NAME, CALLER, handle, WHICH, n, x, incx, NULL, 1, result);          \
  }
REDUCTION(Is, amax, AMAX, float, blas_float, int)
REDUCTION(Id, amax, AMAX, double, blas_double, int)
REDUCTION(Is, amin, AMIN, float, blas_float, int)
REDUCTION(Id, amin, AMIN, double, blas_double, int)
REDUCTION(S, asum, ASUM, float, blas_float, float)
REDUCTION(D, asum, ASUM, double, blas_double, double)
REDUCTION(S, nrm2, NRM2, float, blas_float, float)
REDUCTION(D, nrm2, NRM2, double, blas_double, double)

#define DOT_PRODUCT(P, T, REAL)                                                                              \
  cublasStatus_t cublas##P##dot(cublasHandle_t handle, int n, const T *x, int incx, const T *y, int incy,    \
                                T *result) {                                                                 \
    return reduction(&REAL, "cublas" #P "dot", CALLER, handle, DOT, n, x, incx, y, incy, result);            \
  }
DOT_PRODUCT(S, float, blas_float)
DOT_PRODUCT(D, double, blas_double)

/* ---------------------------------------------------------------------------------- vectors from vectors */

enum update { AXPY, SCAL, COPY, SWAP, ROT };

static bool run_update(struct work *work) {
  struct routine *r = (struct routine *)work;
  const enum update which = r->k;
  const struct real *real = r->real;
  const bool writes_x = which == SCAL || which == SWAP || which == ROT;
  const bool uses_y = which != SCAL, reads_y = uses_y && which != COPY;
  const void *alpha = NULL, *beta = NULL;
  if ((which == AXPY || which == SCAL) && !(alpha = blas_value(r, &r->alpha, "alpha"))) return false;
  if (which == ROT && (!(alpha = blas_value(r, &r->alpha, "c")) || !(beta = blas_value(r, &r->beta, "s"))))
    return false;
  if (!work_reads(work, &r->a) || (reads_y && !work_reads(work, &r->b)) ||
      (writes_x && !work_writes(work, &r->a)) || (uses_y && !work_writes(work, &r->b)))
    return false;
  void *x = (void *)r->a.at, *y = (void *)r->b.at;
  switch (which) {
  case AXPY:
    real->axpy(&r->n, alpha, x, &r->inc_a, y, &r->inc_b);
    break;
  case SCAL:
    real->scal(&r->n, alpha, x, &r->inc_a);
    break;
  case COPY:
    real->copy(&r->n, x, &r->inc_a, y, &r->inc_b);
    break;
  case SWAP:
    real->swap(&r->n, x, &r->inc_a, y, &r->inc_b);
    break;
  case ROT:
    real->rot(&r->n, x, &r->inc_a, y, &r->inc_b, alpha, beta);
    break;
  }
  return true;
}

static cublasStatus_t update(const struct real *real, const char *call, uintptr_t site, cublasHandle_t handle,
                             enum update which, int n, const void *alpha, const void *beta, const void *x,
                             int incx, const void *y, int incy) {
  BLAS_BEGIN(run_update);
  if ((which == AXPY || which == SCAL) && !blas_factor(&r, &r.alpha, "alpha", alpha))
    return blas_refuse(&r, NULL);
  if (which == ROT && (!blas_factor(&r, &r.alpha, "c", alpha) || !blas_factor(&r, &r.beta, "s", beta)))
    return blas_refuse(&r, NULL);
  if (n <= 0 || (which == SCAL && incx <= 0)) return CUBLAS_STATUS_SUCCESS;
  r.n = n, r.k = which, r.inc_a = incx, r.inc_b = incy;
  r.a = blas_vector(&r, "x", x, n, incx);
  r.b = blas_vector(&r, "y", y, n, incy);
  return blas_queue(&r, false);
}

#define UPDATES(P, T, REAL)                                                                                  \
  cublasStatus_t cublas##P##axpy(cublasHandle_t handle, int n, const T *alpha, const T *x, int incx, T *y,   \
                                 int incy) {                                                                 \
    return update(&REAL, "cublas" #P "axpy", CALLER, handle, AXPY, n, alpha, NULL, x, incx, y, incy);        \
  }                                                                                                          \
  cublasStatus_t cublas##P##scal(cublasHandle_t handle, int n, const T *alpha, T *x, int incx) {             \
    return update(&REAL, "cublas" #P "scal", CALLER, handle, SCAL, n, alpha, NULL, x, incx, NULL, 1);        \
  }                                                                                                          \
  cublasStatus_t cublas##P##copy(cublasHandle_t handle, int n, const T *x, int incx, T *y, int incy) {       \
    return update(&REAL, "cublas" #P "copy", CALLER, handle, COPY, n, NULL, NULL, x, incx, y, incy);         \
  }                                                                                                          \
  cublasStatus_t cublas##P##swap(cublasHandle_t handle, int n, T *x, int incx, T *y, int incy) {             \
    return update(&REAL, "cublas" #P "swap", CALLER, handle, SWAP, n, NULL, NULL, x, incx, y, incy);         \
  }                                                                                                          \
  cublasStatus_t cublas##P##rot(cublasHandle_t handle, int n, T *x, int incx, T *y, int incy, const T *c,    \
                                const T *s) {                                                                \
    return update(&REAL, "cublas" #P "rot", CALLER, handle, ROT, n, c, s, x, incx, y, incy);                 \
  }
UPDATES(S, float, blas_float)
UPDATES(D, double, blas_double)
