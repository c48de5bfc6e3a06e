/* cuBLAS, level 2: a matrix and vectors. The matrix is a, x is b, and what is written is c. */
#include "blas.h"

/* y = alpha op(A) x + beta y */
static bool run_matrix_vector(struct work *work) {
  struct routine *r = (struct routine *)work;
  const struct real *real = r->real;
  struct blas_factors f;
  if (!blas_take_factors(r, &f)) return false;
  if (f.product && (!work_reads(work, &r->a) || !work_reads(work, &r->b))) return false;
  if ((f.keeps && !work_reads(work, &r->c)) || !work_writes(work, &r->c)) return false;
  void *y = (void *)r->c.at;
  if (!f.keeps) blas_clear(&r->c);
  if (r->uplo)
    real->symv(&r->uplo, &r->n, f.alpha, r->a.at, &r->k, r->b.at, &r->inc_b, f.beta, y, &r->inc_c);
  else
    real->gemv(&r->transa, &r->m, &r->n, f.alpha, r->a.at, &r->k, r->b.at, &r->inc_b, f.beta, y, &r->inc_c);
  return true;
}

static cublasStatus_t gemv(const struct real *real, const char *call, uintptr_t site, cublasHandle_t handle,
                           cublasOperation_t trans, int m, int n, const void *alpha, const void *a, int lda,
                           const void *x, int incx, const void *beta, void *y, int incy) {
  BLAS_BEGIN(run_matrix_vector);
  r.transa = blas_trans(trans);
  if (!r.transa || m < 0 || n < 0 || lda < at_least_one(m) || !incx || !incy ||
      !blas_factor(&r, &r.alpha, "alpha", alpha) || !blas_factor(&r, &r.beta, "beta", beta))
    return blas_refuse(&r, NULL);
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const bool plain = r.transa == 'N';
  r.m = m, r.n = n, r.k = lda, r.inc_b = incx, r.inc_c = incy;
  r.a = blas_matrix(&r, "A", a, m, n, lda);
  r.b = blas_vector(&r, "x", x, plain ? n : m, incx);
  r.c = blas_vector(&r, "y", y, plain ? m : n, incy);
  return blas_queue(&r, false);
}

static cublasStatus_t symv(const struct real *real, const char *call, uintptr_t site, cublasHandle_t handle,
                           cublasFillMode_t uplo, int n, const void *alpha, const void *a, int lda,
                           const void *x, int incx, const void *beta, void *y, int incy) {
  BLAS_BEGIN(run_matrix_vector);
  r.uplo = blas_uplo(uplo);
  if (!r.uplo || n < 0 || lda < at_least_one(n) || !incx || !incy ||
      !blas_factor(&r, &r.alpha, "alpha", alpha) || !blas_factor(&r, &r.beta, "beta", beta))
    return blas_refuse(&r, NULL);
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  r.n = n, r.k = lda, r.inc_b = incx, r.inc_c = incy;
  r.a = blas_triangle(&r, "A", a, n, lda);
  r.b = blas_vector(&r, "x", x, n, incx);
  r.c = blas_vector(&r, "y", y, n, incy);
  return blas_queue(&r, false);
}

/* A = alpha x y' + A; x is a, y is b. */
static bool run_ger(struct work *work) {
  struct routine *r = (struct routine *)work;
  const void *alpha = blas_value(r, &r->alpha, "alpha");
  if (!alpha || !work_reads(work, &r->a) || !work_reads(work, &r->b) || !work_reads(work, &r->c) ||
      !work_writes(work, &r->c))
    return false;
  r->real->ger(&r->m, &r->n, alpha, r->a.at, &r->inc_a, r->b.at, &r->inc_b, (void *)r->c.at, &r->k);
  return true;
}

static cublasStatus_t ger(const struct real *real, const char *call, uintptr_t site, cublasHandle_t handle,
                          int m, int n, const void *alpha, const void *x, int incx, const void *y, int incy,
                          void *a, int lda) {
  BLAS_BEGIN(run_ger);
  if (m < 0 || n < 0 || lda < at_least_one(m) || !incx || !incy || !blas_factor(&r, &r.alpha, "alpha", alpha))
    return blas_refuse(&r, NULL);
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  r.m = m, r.n = n, r.k = lda, r.inc_a = incx, r.inc_b = incy;
  r.a = blas_vector(&r, "x", x, m, incx);
  r.b = blas_vector(&r, "y", y, n, incy);
  r.c = blas_matrix(&r, "A", a, m, n, lda);
  return blas_queue(&r, false);
}

/* Solves op(A) x = b, where x holds b at first. */
static bool run_trsv(struct work *work) {
  struct routine *r = (struct routine *)work;
  if (!work_reads(work, &r->a) || !work_reads(work, &r->c) || !work_writes(work, &r->c)) return false;
  r->real->trsv(&r->uplo, &r->transa, &r->diag, &r->n, r->a.at, &r->k, (void *)r->c.at, &r->inc_c);
  return true;
}

static cublasStatus_t trsv(const struct real *real, const char *call, uintptr_t site, cublasHandle_t handle,
                           cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int n,
                           const void *a, int lda, void *x, int incx) {
  BLAS_BEGIN(run_trsv);
  r.uplo = blas_uplo(uplo), r.transa = blas_trans(trans), r.diag = blas_diag(diag);
  if (!r.uplo || !r.transa || !r.diag || n < 0 || lda < at_least_one(n) || !incx)
    return blas_refuse(&r, NULL);
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  r.n = n, r.k = lda, r.inc_c = incx;
  r.a = blas_triangle(&r, "A", a, n, lda);
  r.c = blas_vector(&r, "x", x, n, incx);
  return blas_queue(&r, false);
}

#define LEVEL2(P, T, REAL)                                                                                   \
  cublasStatus_t cublas##P##gemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n,               \
                                 const T *alpha, const T *A, int lda, const T *x, int incx, const T *beta,   \
                                 T *y, int incy) {                                                           \
    return gemv(&REAL, "cublas" #P "gemv", CALLER, handle, trans, m, n, alpha, A, lda, x, incx, beta, y,     \
                incy);                                                                                       \
  }                                                                                                          \
  cublasStatus_t cublas##P##ger(cublasHandle_t handle, int m, int n, const T *alpha, const T *x, int incx,   \
                                const T *y, int incy, T *A, int lda) {                                       \
    return ger(&REAL, "cublas" #P "ger", CALLER, handle, m, n, alpha, x, incx, y, incy, A, lda);             \
  }                                                                                                          \
  cublasStatus_t cublas##P##symv(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T *alpha,        \
                                 const T *A, int lda, const T *x, int incx, const T *beta, T *y, int incy) { \
    return symv(&REAL, "cublas" #P "symv", CALLER, handle, uplo, n, alpha, A, lda, x, incx, beta, y, incy);  \
  }                                                                                                          \
  cublasStatus_t cublas##P##trsv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,      \
                                 cublasDiagType_t diag, int n, const T *A, int lda, T *x, int incx) {        \
    return trsv(&REAL, "cublas" #P "trsv", CALLER, handle, uplo, trans, diag, n, A, lda, x, incx);           \
  }
LEVEL2(S, float, blas_float)
LEVEL2(D, double, blas_double)
