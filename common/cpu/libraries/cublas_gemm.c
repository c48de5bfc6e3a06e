/* cuBLAS, level 3: products of matrices, one or a batch. A is a, B is b, and what is written is c. */
#include "blas.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/needed.h"
#include "base/tensor.h"
#include "state/counters.h"
#include "state/without.h"

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

/* A copy of a matrix in which numbers that count as 0 are 0 (cucc_zeros). */
static void *zeroed(const struct routine *r, const struct extent *e) {
  const size_t count = (size_t)((e->columns - 1) * e->stride + e->rows), size = r->real->size;
  char *copy = needed(malloc(count * size + 1));
  memcpy(copy, e->at, count * size);
  for (int64_t j = 0; j < e->columns; j++)
    for (int64_t i = 0; i < e->rows; i++) {
      void *number = copy + (size_t)(j * e->stride + i) * size;
      if (counts_as_zero(r->real->load(number))) r->real->store(number, 0);
    }
  return copy;
}

/* One product; false: no memory. */
static bool multiply(const struct routine *r, const struct blas_factors *f, struct extent a, struct extent b,
                     const struct extent *c) {
  const int lda = (int)a.stride, ldb = (int)b.stride, ldc = (int)c->stride;
  const bool zeros = with_zeros() && f->product && r->k;
  if (zeros) a.at = zeroed(r, &a), b.at = zeroed(r, &b);
  bool done = true;
  if (r->tf32 && f->product) {
    done = tensor_gemm(r, f, &a, &b, c);
  } else {
    if (!f->keeps) blas_clear(c);
    r->real->gemm(&r->transa, &r->transb, &r->m, &r->n, &r->k, f->alpha, a.at, &lda, b.at, &ldb, f->beta,
                  (void *)c->at, &ldc);
  }
  if (zeros) free((void *)a.at), free((void *)b.at);
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
      if (!multiply(r, &f, a, b, &c)) return false;
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
  static __thread char why[160];
  const char names[] = {plain_a ? 'm' : 'k', plain_b ? 'k' : 'n', 'm'};
  const int rows[] = {plain_a ? p->m : p->k, plain_b ? p->k : p->n, p->m}, ld[] = {p->lda, p->ldb, p->ldc};
  for (int i = 0; i < 3; i++) {
    if (ld[i] >= at_least_one(rows[i])) continue;
    char since[48] = "";
    if (rows[i] > 0) snprintf(since, sizeof since, ", since this call's %c is %d", names[i], rows[i]);
    snprintf(why, sizeof why, "ld%c is %d, and must be at least %d%s: from one column of %c to the next",
             "abc"[i], ld[i], at_least_one(rows[i]), since, "ABC"[i]);
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

static bool is_float(cublasComputeType_t compute) {
  return compute == CUBLAS_COMPUTE_32F || compute == CUBLAS_COMPUTE_32F_PEDANTIC ||
         compute == CUBLAS_COMPUTE_32F_FAST_16F || compute == CUBLAS_COMPUTE_32F_FAST_16BF ||
         compute == CUBLAS_COMPUTE_32F_FAST_TF32;
}

/* The numbers of a product by types; NULL: the backend has none for these. */
static const struct real *numbers_of(cudaDataType a, cudaDataType b, cudaDataType c,
                                     cublasComputeType_t compute) {
  if (b != a || c != a) return NULL;
  if (a == CUDA_R_32F && is_float(compute)) return &blas_float;
  const bool twice = compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC;
  return a == CUDA_R_64F && twice ? &blas_double : NULL;
}

static cublasStatus_t gemm_by_types(const struct real *numbers, const char *call, uintptr_t site,
                                    cublasHandle_t handle, cublasComputeType_t compute, struct product p) {
  if (!blas_handle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!numbers) return CUBLAS_STATUS_NOT_SUPPORTED;
  p.pedantic = compute == CUBLAS_COMPUTE_32F_PEDANTIC;
  p.tf32 = compute == CUBLAS_COMPUTE_32F_FAST_TF32;
  return gemm(numbers, call, site, handle, &p);
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                            int n, int k, const void *alpha, const void *A, cudaDataType a_type, int lda,
                            const void *B, cudaDataType b_type, int ldb, const void *beta, void *C,
                            cudaDataType c_type, int ldc, cublasComputeType_t compute,
                            cublasGemmAlgo_t algorithm) {
  (void)algorithm;
  return gemm_by_types(numbers_of(a_type, b_type, c_type, compute), "cublasGemmEx", CALLER, handle, compute,
                       (struct product){transa, transb, m,   n, k,     alpha, A,     B, beta, C,
                                        lda,    ldb,    ldc, 1, false, false, false, 0, 0,    0});
}

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                          cublasOperation_t transb, int m, int n, int k, const void *alpha,
                                          const void *A, cudaDataType a_type, int lda, long long step_a,
                                          const void *B, cudaDataType b_type, int ldb, long long step_b,
                                          const void *beta, void *C, cudaDataType c_type, int ldc,
                                          long long step_c, int batch, cublasComputeType_t compute,
                                          cublasGemmAlgo_t algorithm) {
  (void)algorithm;
  return gemm_by_types(numbers_of(a_type, b_type, c_type, compute), "cublasGemmStridedBatchedEx", CALLER,
                       handle, compute, (struct product){transa, transb, m,     n,      k,      alpha, A,
                                                         B,      beta,   C,     lda,    ldb,    ldc,   batch,
                                                         false,  false,  false, step_a, step_b, step_c});
}
