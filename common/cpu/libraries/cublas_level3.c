/* cuBLAS, level 3: matrices. A is a, B is b, and what is written is c. */
#include "blas.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/tensor.h"
#include "state/counters.h"

/* -------------------------------------------------------------------------------------------------- gemm */

/* The i-th matrix of a batch. */
static struct extent batched(const struct routine *r, const struct extent *e, int64_t step, int i) {
  struct extent one = *e;
  if (r->pointers)
    one.at = ((const void *const *)e->at)[i];
  else
    one.at = (const char *)e->at + step * i, one.number = i, one.step = step;
  return one;
}

/* The arrays of pointers are in device memory, too. */
static bool reads_pointers(struct routine *r) {
  const struct extent *const all[] = {&r->a, &r->b, &r->c};
  static const char *const names[] = {"Aarray", "Barray", "Carray"};
  for (int i = 0; i < 3; i++) {
    const struct extent e = {names[i], all[i]->at, sizeof(void *), 1, r->batch, 1, PART_ALL};
    if (!work_reads(&r->work, &e)) return false;
  }
  return true;
}

/* op(A) by rows, or op(B) by columns: the factors of each sum in a row, rounded to TF32. */
static struct tensor_factor *factors(const struct extent *e, bool across, int count, int k) {
  struct tensor_factor *all = malloc(((size_t)count * (size_t)k + 1) * sizeof *all);
  for (int i = 0; all && i < count; i++)
    for (int j = 0; j < k; j++)
      all[(size_t)i * (size_t)k + (size_t)j] = tensor_factor(
          tensor_tf32_rounded(((const float *)e->at)[across ? i + j * e->stride : j + i * e->stride]));
  return all;
}

/* C = alpha op(A) op(B) + beta C as cuBLAS computes it on an H200 from 256 on: eight terms at a time. */
static bool tensor_gemm(const struct routine *r, const struct blas_factors *f, const struct extent *a,
                        const struct extent *b, const struct extent *c) {
  const float alpha = *(const float *)f->alpha, beta = *(const float *)f->beta;
  struct tensor_factor *x = factors(a, r->transa == 'N', r->m, r->k);
  struct tensor_factor *y = factors(b, r->transb != 'N', r->n, r->k);
  for (int j = 0; x && y && j < r->n; j++)
    for (int i = 0; i < r->m; i++) {
      float *to = (float *)c->at + i + j * c->stride, sum = 0;
      for (int k = 0; k < r->k; k += 8)
        sum = tensor_cut(tensor_add(x + (size_t)i * (size_t)r->k + k, 1, y + (size_t)j * (size_t)r->k + k, 1,
                                    r->k - k < 8 ? r->k - k : 8, sum));
      *to = f->keeps ? fmaf(beta, *to, alpha * sum) : alpha * sum;
    }
  const bool done = x && y;
  free(x);
  free(y);
  return done;
}

static bool run_gemm(struct work *work) {
  struct routine *r = (struct routine *)work;
  struct blas_factors f;
  if (!blas_take_factors(r, &f) || (r->pointers && !reads_pointers(r))) return false;
  for (int pass = 0; pass < 2; pass++) /* first all is looked at, then computed */
    for (int i = 0; i < r->batch; i++) {
      const struct extent a = batched(r, &r->a, r->step_a, i), b = batched(r, &r->b, r->step_b, i),
                          c = batched(r, &r->c, r->step_c, i);
      if (pass == 0) {
        if (f.product && r->k && (!work_reads(work, &a) || !work_reads(work, &b))) return false;
        if ((f.keeps && !work_reads(work, &c)) || !work_writes(work, &c)) return false;
        continue;
      }
      if (r->tf32 && f.product) {
        if (!tensor_gemm(r, &f, &a, &b, &c)) return false;
        continue;
      }
      if (!f.keeps) blas_clear(&c);
      const int lda = (int)a.stride, ldb = (int)b.stride, ldc = (int)c.stride;
      r->real->gemm(&r->transa, &r->transb, &r->m, &r->n, &r->k, f.alpha, a.at, &lda, b.at, &ldb, f.beta,
                    (void *)c.at, &ldc);
    }
  return true;
}

/* What the forms of gemm have in common. */
struct product {
  cublasOperation_t transa, transb;
  int m, n, k;
  const void *alpha, *a, *b, *beta;
  void *c;
  int lda, ldb, ldc, batch;
  bool pointers, pedantic, tf32;    /* the type of computation that the call itself names */
  long long step_a, step_b, step_c; /* elements */
};

/* Which of the numbers is too small. */
static const char *why_refused(const struct product *p, bool plain_a, bool plain_b) {
  static __thread char why[128];
  const int rows[] = {plain_a ? p->m : p->k, plain_b ? p->k : p->n, p->m}, ld[] = {p->lda, p->ldb, p->ldc};
  for (int i = 0; i < 3; i++) {
    if (ld[i] >= at_least_one(rows[i])) continue;
    snprintf(why, sizeof why, "ld%c is %d, and must be at least %d: from one column of %c to the next",
             "abc"[i], ld[i], at_least_one(rows[i]), "ABC"[i]);
    return why;
  }
  return p->m < 0 || p->n < 0 || p->k < 0 || p->batch < 0 ? "a size is negative" : NULL;
}

static cublasStatus_t gemm(const struct real *real, const char *call, uintptr_t site, cublasHandle_t handle,
                           const struct product *p) {
  BLAS_BEGIN(run_gemm);
  r.transa = blas_trans(p->transa), r.transb = blas_trans(p->transb);
  const bool plain_a = r.transa == 'N', plain_b = r.transb == 'N';
  const int m = p->m, n = p->n, k = p->k;
  if (!r.transa || !r.transb || m < 0 || n < 0 || k < 0 || p->batch < 0 ||
      p->lda < at_least_one(plain_a ? m : k) || p->ldb < at_least_one(plain_b ? k : n) ||
      p->ldc < at_least_one(m))
    return blas_refuse(&r, why_refused(p, plain_a, plain_b));
  if (!blas_factor(&r, &r.alpha, "alpha", p->alpha) || !blas_factor(&r, &r.beta, "beta", p->beta))
    return blas_refuse(&r, NULL);
  if (m == 0 || n == 0 || p->batch == 0) return CUBLAS_STATUS_SUCCESS;
  r.m = m, r.n = n, r.k = k, r.batch = p->batch, r.pointers = p->pointers;
  r.tf32 = real == &blas_float && !p->pedantic && (p->tf32 || handle->math == CUBLAS_TF32_TENSOR_OP_MATH);
  const uint64_t multiplications = (uint64_t)m * (uint64_t)n * (uint64_t)k * (uint64_t)p->batch;
  r.work.multiplications = multiplications;
  if (r.tf32) {
    count(COUNT_TF32_CALLS);
    count_more(COUNT_TF32_MULTIPLICATIONS, multiplications);
  }
  r.a = blas_matrix(&r, "A", p->a, plain_a ? m : k, plain_a ? k : m, p->lda);
  r.b = blas_matrix(&r, "B", p->b, plain_b ? k : n, plain_b ? n : k, p->ldb);
  r.c = blas_matrix(&r, "C", p->c, m, n, p->ldc);
  const int64_t size = (int64_t)real->size;
  r.step_a = p->step_a * size, r.step_b = p->step_b * size, r.step_c = p->step_c * size;
  return blas_queue(&r, false);
}

static bool is_float(cublasComputeType_t compute) {
  return compute == CUBLAS_COMPUTE_32F || compute == CUBLAS_COMPUTE_32F_PEDANTIC ||
         compute == CUBLAS_COMPUTE_32F_FAST_16F || compute == CUBLAS_COMPUTE_32F_FAST_16BF ||
         compute == CUBLAS_COMPUTE_32F_FAST_TF32;
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                            int n, int k, const void *alpha, const void *A, cudaDataType a_type, int lda,
                            const void *B, cudaDataType b_type, int ldb, const void *beta, void *C,
                            cudaDataType c_type, int ldc, cublasComputeType_t compute,
                            cublasGemmAlgo_t algorithm) {
  const bool single = a_type == CUDA_R_32F && is_float(compute);
  const bool twice =
      a_type == CUDA_R_64F && (compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC);
  (void)algorithm;
  if (!blas_handle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if ((!single && !twice) || b_type != a_type || c_type != a_type) return CUBLAS_STATUS_NOT_SUPPORTED;
  return gemm(single ? &blas_float : &blas_double, "cublasGemmEx", CALLER, handle,
              &(struct product){transa,
                                transb,
                                m,
                                n,
                                k,
                                alpha,
                                A,
                                B,
                                beta,
                                C,
                                lda,
                                ldb,
                                ldc,
                                1,
                                false,
                                compute == CUBLAS_COMPUTE_32F_PEDANTIC,
                                compute == CUBLAS_COMPUTE_32F_FAST_TF32,
                                0,
                                0,
                                0});
}

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

#define GEMMS(P, T, REAL)                                                                                    \
  cublasStatus_t cublas##P##gemm(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,  \
                                 int m, int n, int k, const T *alpha, const T *A, int lda, const T *B,       \
                                 int ldb, const T *beta, T *C, int ldc) {                                    \
    return gemm(&REAL, "cublas" #P "gemm", CALLER, handle,                                                   \
                &(struct product){transa, transb, m,   n, k,     alpha, A,     B, beta, C,                   \
                                  lda,    ldb,    ldc, 1, false, false, false, 0, 0,    0});                 \
  }                                                                                                          \
  cublasStatus_t cublas##P##gemmBatched(cublasHandle_t handle, cublasOperation_t transa,                     \
                                        cublasOperation_t transb, int m, int n, int k, const T *alpha,       \
                                        const T *const A[], int lda, const T *const B[], int ldb,            \
                                        const T *beta, T *const C[], int ldc, int batch) {                   \
    return gemm(&REAL, "cublas" #P "gemmBatched", CALLER, handle,                                            \
                &(struct product){transa, transb, m,   n,     k,    alpha, A,     B, beta, (void *)C,        \
                                  lda,    ldb,    ldc, batch, true, false, false, 0, 0,    0});              \
  }                                                                                                          \
  cublasStatus_t cublas##P##gemmStridedBatched(                                                              \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,        \
      const T *alpha, const T *A, int lda, long long step_a, const T *B, int ldb, long long step_b,          \
      const T *beta, T *C, int ldc, long long step_c, int batch) {                                           \
    return gemm(&REAL, "cublas" #P "gemmStridedBatched", CALLER, handle,                                     \
                &(struct product){transa, transb, m,   n,     k,     alpha, A,     B,      beta,   C,        \
                                  lda,    ldb,    ldc, batch, false, false, false, step_a, step_b, step_c}); \
  }
GEMMS(S, float, blas_float)
GEMMS(D, double, blas_double)

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
