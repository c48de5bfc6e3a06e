/* cuBLAS, level 3: the other routines on matrices. A is a, B is b, and what is written is c. */
#include "blas.h"

/* --------------------------------------------------------------------------------------------- geam, dgmm */

static double element(const struct routine *r, const struct extent *e, bool transposed, int i, int j) {
  const int64_t at = transposed ? j + i * e->stride : i + j * e->stride;
  return r->real->load((const char *)e->at + (size_t)at * e->element);
}

/* C = alpha op(A) + beta op(B) */
static bool run_geam(struct work *work) {
  struct routine *r = (struct routine *)work;
  struct blas_factors f;
  if (!blas_take_factors(r, &f)) return false;
  if ((f.product && !work_reads(work, &r->a)) || (f.keeps && !work_reads(work, &r->b)) ||
      !work_writes(work, &r->c))
    return false;
  const double alpha = r->real->load(f.alpha), beta = r->real->load(f.beta);
  for (int j = 0; j < r->n; j++)
    for (int i = 0; i < r->m; i++) {
      const double a = f.product ? alpha * element(r, &r->a, r->transa == 'T', i, j) : 0;
      const double b = f.keeps ? beta * element(r, &r->b, r->transb == 'T', i, j) : 0;
      r->real->store((char *)r->c.at + (size_t)(i + j * r->c.stride) * r->c.element, a + b);
    }
  return true;
}

static cublasStatus_t geam(const struct real *real, const char *call, uintptr_t site, cublasHandle_t handle,
                           cublasOperation_t transa, cublasOperation_t transb, int m, int n,
                           const void *alpha, const void *a, int lda, const void *beta, const void *b,
                           int ldb, void *c, int ldc) {
  BLAS_BEGIN(run_geam);
  r.transa = blas_trans(transa), r.transb = blas_trans(transb);
  const bool plain_a = r.transa == 'N', plain_b = r.transb == 'N';
  if (!r.transa || !r.transb || m < 0 || n < 0 || lda < at_least_one(plain_a ? m : n) ||
      ldb < at_least_one(plain_b ? m : n) || ldc < at_least_one(m) ||
      !blas_factor(&r, &r.alpha, "alpha", alpha) || !blas_factor(&r, &r.beta, "beta", beta))
    return blas_refuse(&r, NULL);
  if ((c == a && (!plain_a || lda != ldc)) || (c == b && (!plain_b || ldb != ldc)))
    return blas_refuse(&r, NULL);
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  r.m = m, r.n = n;
  r.a = blas_matrix(&r, "A", a, plain_a ? m : n, plain_a ? n : m, lda);
  r.b = blas_matrix(&r, "B", b, plain_b ? m : n, plain_b ? n : m, ldb);
  r.c = blas_matrix(&r, "C", c, m, n, ldc);
  return blas_queue(&r, false);
}

/* C = A diag(x) or diag(x) A; x is b. */
static bool run_dgmm(struct work *work) {
  struct routine *r = (struct routine *)work;
  if (!work_reads(work, &r->a) || !work_reads(work, &r->b) || !work_writes(work, &r->c)) return false;
  const bool left = r->side == 'L';
  const int64_t first = r->inc_b < 0 ? (r->b.columns - 1) * -(int64_t)r->inc_b : 0;
  for (int j = 0; j < r->n; j++)
    for (int i = 0; i < r->m; i++) {
      const int64_t at = first + (int64_t)(left ? i : j) * r->inc_b;
      const double x = r->real->load((const char *)r->b.at + at * (int64_t)r->b.element);
      r->real->store((char *)r->c.at + (size_t)(i + j * r->c.stride) * r->c.element,
                     x * element(r, &r->a, false, i, j));
    }
  return true;
}

static cublasStatus_t dgmm(const struct real *real, const char *call, uintptr_t site, cublasHandle_t handle,
                           cublasSideMode_t side, int m, int n, const void *a, int lda, const void *x,
                           int incx, void *c, int ldc) {
  BLAS_BEGIN(run_dgmm);
  r.side = blas_side(side);
  if (!r.side || m < 0 || n < 0 || lda < at_least_one(m) || ldc < at_least_one(m))
    return blas_refuse(&r, NULL);
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  r.m = m, r.n = n, r.inc_b = incx;
  r.a = blas_matrix(&r, "A", a, m, n, lda);
  r.b = blas_vector(&r, "x", x, r.side == 'L' ? m : n, incx);
  r.c = blas_matrix(&r, "C", c, m, n, ldc);
  return blas_queue(&r, false);
}

/* --------------------------------------------------------------------------------------------- symm, syrk */

/* C = alpha A B + beta C or alpha B A + beta C with A symmetric; and C = alpha A A' + beta C, of which one
 * triangle is computed, without B. */
static bool run_symmetric(struct work *work) {
  struct routine *r = (struct routine *)work;
  const struct real *real = r->real;
  struct blas_factors f;
  if (!blas_take_factors(r, &f)) return false;
  if (f.product && (!work_reads(work, &r->a) || !work_reads(work, &r->b))) return false;
  if ((f.keeps && !work_reads(work, &r->c)) || !work_writes(work, &r->c)) return false;
  const int lda = (int)r->a.stride, ldb = (int)r->b.stride, ldc = (int)r->c.stride;
  void *c = (void *)r->c.at;
  if (!f.keeps) blas_clear(&r->c);
  if (r->side)
    real->symm(&r->side, &r->uplo, &r->m, &r->n, f.alpha, r->a.at, &lda, r->b.at, &ldb, f.beta, c, &ldc);
  else
    real->syrk(&r->uplo, &r->transa, &r->n, &r->k, f.alpha, r->a.at, &lda, f.beta, c, &ldc);
  return true;
}

static cublasStatus_t symm(const struct real *real, const char *call, uintptr_t site, cublasHandle_t handle,
                           cublasSideMode_t side, cublasFillMode_t uplo, int m, int n, const void *alpha,
                           const void *a, int lda, const void *b, int ldb, const void *beta, void *c,
                           int ldc) {
  BLAS_BEGIN(run_symmetric);
  r.side = blas_side(side), r.uplo = blas_uplo(uplo);
  const int order = r.side == 'L' ? m : n;
  if (!r.side || !r.uplo || m < 0 || n < 0 || lda < at_least_one(order) || ldb < at_least_one(m) ||
      ldc < at_least_one(m) || !blas_factor(&r, &r.alpha, "alpha", alpha) ||
      !blas_factor(&r, &r.beta, "beta", beta))
    return blas_refuse(&r, NULL);
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  r.m = m, r.n = n;
  r.a = blas_triangle(&r, "A", a, order, lda);
  r.b = blas_matrix(&r, "B", b, m, n, ldb);
  r.c = blas_matrix(&r, "C", c, m, n, ldc);
  return blas_queue(&r, false);
}

static cublasStatus_t syrk(const struct real *real, const char *call, uintptr_t site, cublasHandle_t handle,
                           cublasFillMode_t uplo, cublasOperation_t trans, int n, int k, const void *alpha,
                           const void *a, int lda, const void *beta, void *c, int ldc) {
  BLAS_BEGIN(run_symmetric);
  r.uplo = blas_uplo(uplo), r.transa = blas_trans(trans);
  const bool plain = r.transa == 'N';
  if (!r.uplo || !r.transa || n < 0 || k < 0 || lda < at_least_one(plain ? n : k) || ldc < at_least_one(n) ||
      !blas_factor(&r, &r.alpha, "alpha", alpha) || !blas_factor(&r, &r.beta, "beta", beta))
    return blas_refuse(&r, NULL);
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  r.n = n, r.k = k;
  r.a = blas_matrix(&r, "A", a, plain ? n : k, plain ? k : n, lda);
  r.c = blas_triangle(&r, "C", c, n, ldc);
  return blas_queue(&r, false);
}

/* -------------------------------------------------------------------------------------------------- trsm */

/* Solves op(A) X = alpha B or X op(A) = alpha B; X comes to stand in B, which is c. */
static bool run_trsm(struct work *work) {
  struct routine *r = (struct routine *)work;
  const void *alpha = blas_value(r, &r->alpha, "alpha");
  if (!alpha) return false;
  const bool product = r->real->load(alpha) != 0;
  if ((product && (!work_reads(work, &r->a) || !work_reads(work, &r->c))) || !work_writes(work, &r->c))
    return false;
  const int lda = (int)r->a.stride, ldb = (int)r->c.stride;
  r->real->trsm(&r->side, &r->uplo, &r->transa, &r->diag, &r->m, &r->n, alpha, r->a.at, &lda, (void *)r->c.at,
                &ldb);
  return true;
}

static cublasStatus_t trsm(const struct real *real, const char *call, uintptr_t site, cublasHandle_t handle,
                           cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans,
                           cublasDiagType_t diag, int m, int n, const void *alpha, const void *a, int lda,
                           void *b, int ldb) {
  BLAS_BEGIN(run_trsm);
  r.side = blas_side(side), r.uplo = blas_uplo(uplo), r.transa = blas_trans(trans), r.diag = blas_diag(diag);
  const int order = r.side == 'L' ? m : n;
  if (!r.side || !r.uplo || !r.transa || !r.diag || m < 0 || n < 0 || lda < at_least_one(order) ||
      ldb < at_least_one(m) || !blas_factor(&r, &r.alpha, "alpha", alpha))
    return blas_refuse(&r, NULL);
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  r.m = m, r.n = n;
  r.a = blas_triangle(&r, "A", a, order, lda);
  r.c = blas_matrix(&r, "B", b, m, n, ldb);
  return blas_queue(&r, false);
}

/* ------------------------------------------------------------------------------------------- public names */

#define LEVEL3(P, T, REAL)                                                                                   \
  cublasStatus_t cublas##P##geam(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,  \
                                 int m, int n, const T *alpha, const T *A, int lda, const T *beta,           \
                                 const T *B, int ldb, T *C, int ldc) {                                       \
    return geam(&REAL, "cublas" #P "geam", CALLER, handle, transa, transb, m, n, alpha, A, lda, beta, B,     \
                ldb, C, ldc);                                                                                \
  }                                                                                                          \
  cublasStatus_t cublas##P##dgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n, const T *A,     \
                                 int lda, const T *x, int incx, T *C, int ldc) {                             \
    return dgmm(&REAL, "cublas" #P "dgmm", CALLER, handle, side, m, n, A, lda, x, incx, C, ldc);             \
  }                                                                                                          \
  cublasStatus_t cublas##P##symm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, int m, \
                                 int n, const T *alpha, const T *A, int lda, const T *B, int ldb,            \
                                 const T *beta, T *C, int ldc) {                                             \
    return symm(&REAL, "cublas" #P "symm", CALLER, handle, side, uplo, m, n, alpha, A, lda, B, ldb, beta, C, \
                ldc);                                                                                        \
  }                                                                                                          \
  cublasStatus_t cublas##P##syrk(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,      \
                                 int n, int k, const T *alpha, const T *A, int lda, const T *beta, T *C,     \
                                 int ldc) {                                                                  \
    return syrk(&REAL, "cublas" #P "syrk", CALLER, handle, uplo, trans, n, k, alpha, A, lda, beta, C, ldc);  \
  }                                                                                                          \
  cublasStatus_t cublas##P##trsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,        \
                                 cublasOperation_t trans, cublasDiagType_t diag, int m, int n,               \
                                 const T *alpha, const T *A, int lda, T *B, int ldb) {                       \
    return trsm(&REAL, "cublas" #P "trsm", CALLER, handle, side, uplo, trans, diag, m, n, alpha, A, lda, B,  \
                ldb);                                                                                        \
  }
LEVEL3(S, float, blas_float)
LEVEL3(D, double, blas_double)
