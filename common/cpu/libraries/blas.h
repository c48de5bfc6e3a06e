/*
 * cuBLAS on OpenBLAS: what its files share.
 *
 *   cublas.c         handles, status codes, copies
 *   cublas_level1.c  vectors             each routine: a function that checks the arguments and queues the
 *   cublas_level2.c  matrix and vector   work; one that, later, says what memory it touches and calls
 *   cublas_gemm.c    products            OpenBLAS; and two lines that make the public names for float and
 *   cublas_level3.c  other matrices      double of it
 *
 * Fortran's BLAS takes everything by address, so that the float and the double form of a routine have one
 * type when their values are void pointers: a table of functions (struct real) stands for each type, and
 * nothing is written twice. Its matrices are stored by columns, as cuBLAS's.
 */
#ifndef CUCC_BLAS_H
#define CUCC_BLAS_H

#include "cublas_v2.h"
#include "engine/work.h"

struct cublasContext {
  uint32_t magic;
  cudaStream_t stream;
  cublasPointerMode_t pointers;
  cublasAtomicsMode_t atomics;
  cublasMath_t math;
};

typedef const int *integer;
typedef const char *flag;

/* One type of numbers: its size and OpenBLAS's routines. */
struct real {
  size_t size;
  void (*store)(void *to, double value);
  double (*load)(const void *from);
  /* level 1; those with a result store it */
  void (*asum)(integer n, const void *x, integer incx, void *result);
  void (*nrm2)(integer n, const void *x, integer incx, void *result);
  void (*dot)(integer n, const void *x, integer incx, const void *y, integer incy, void *result);
  int (*amax)(integer n, const void *x, integer incx);
  int (*amin)(integer n, const void *x, integer incx);
  void (*axpy)(integer n, const void *alpha, const void *x, integer incx, void *y, integer incy);
  void (*scal)(integer n, const void *alpha, void *x, integer incx);
  void (*copy)(integer n, const void *x, integer incx, void *y, integer incy);
  void (*swap)(integer n, void *x, integer incx, void *y, integer incy);
  void (*rot)(integer n, void *x, integer incx, void *y, integer incy, const void *c, const void *s);
  /* level 2 */
  void (*gemv)(flag trans, integer m, integer n, const void *alpha, const void *a, integer lda, const void *x,
               integer incx, const void *beta, void *y, integer incy);
  void (*ger)(integer m, integer n, const void *alpha, const void *x, integer incx, const void *y,
              integer incy, void *a, integer lda);
  void (*symv)(flag uplo, integer n, const void *alpha, const void *a, integer lda, const void *x,
               integer incx, const void *beta, void *y, integer incy);
  void (*trsv)(flag uplo, flag trans, flag diag, integer n, const void *a, integer lda, void *x,
               integer incx);
  /* level 3 */
  void (*gemm)(flag transa, flag transb, integer m, integer n, integer k, const void *alpha, const void *a,
               integer lda, const void *b, integer ldb, const void *beta, void *c, integer ldc);
  void (*symm)(flag side, flag uplo, integer m, integer n, const void *alpha, const void *a, integer lda,
               const void *b, integer ldb, const void *beta, void *c, integer ldc);
  void (*syrk)(flag uplo, flag trans, integer n, integer k, const void *alpha, const void *a, integer lda,
               const void *beta, void *c, integer ldc);
  void (*trsm)(flag side, flag uplo, flag trans, flag diag, integer m, integer n, const void *alpha,
               const void *a, integer lda, void *b, integer ldb);
};
extern const struct real blas_float, blas_double;

/* A factor: the host's value, or where it is on the device. */
struct factor {
  const void *device; /* NULL: value holds the bytes */
  double value;
};

/* A routine on its way: all that any of them needs. Vectors x and y are the matrices a and b, or c. */
struct routine {
  struct work work;
  const struct real *real;
  struct cublasContext *handle;
  char transa, transb, side, uplo, diag;
  int m, n, k;
  struct extent a, b, c;
  int inc_a, inc_b, inc_c; /* of vectors, with their signs */
  struct factor alpha, beta;
  void *result;
  /* of the batched forms: how many, and bytes from one matrix to the next, or arrays of pointers */
  int batch;
  bool pointers;
  bool tf32; /* a product on tensor cores, by the handle's mode or the call's type */
  int64_t step_a, step_b, step_c;
};

/* The head of a routine: who was called, from where. */
struct routine blas_routine(cublasHandle_t handle, const struct real *real, const char *call, uintptr_t site,
                            bool (*run)(struct work *));
bool blas_handle(cublasHandle_t handle);
/* The routine refuses its arguments, for this reason if it is known: CUBLAS_STATUS_INVALID_VALUE. */
cublasStatus_t blas_refuse(const struct routine *r, const char *why);
/* A factor from the caller's pointer, by the handle's pointer mode. False: null, or a device pointer where
 * one of the host's is meant. */
bool blas_factor(const struct routine *r, struct factor *factor, const char *name, const void *pointer);
/* The factor's value when the routine runs; NULL: it must not be read. */
const void *blas_value(struct routine *r, struct factor *factor, const char *name);
/* alpha and beta as values; whether there is a product at all, and whether what is written is read. False:
 * they must not be read. */
struct blas_factors {
  const void *alpha, *beta;
  bool product, keeps;
};
bool blas_take_factors(struct routine *r, struct blas_factors *f);
cublasStatus_t blas_queue(const struct routine *r, bool wait);
/* A matrix, and a vector, whose memory begins at its lowest address whatever the increment's sign. */
struct extent blas_matrix(const struct routine *r, const char *name, const void *at, int rows, int columns,
                          int ld);
struct extent blas_vector(const struct routine *r, const char *name, const void *at, int n, int inc);
/* One triangle, by r->uplo, of a square matrix. */
struct extent blas_triangle(const struct routine *r, const char *name, const void *at, int n, int ld);
/* With beta 0 the old content must not matter, NaN neither: zeros, not 0 * NaN. */
void blas_clear(const struct extent *e);
/* 'N', 'T'; 'L', 'U'; …: what OpenBLAS calls it, or 0 for no such thing. */
char blas_trans(cublasOperation_t op);
char blas_uplo(cublasFillMode_t fill);
char blas_side(cublasSideMode_t side);
char blas_diag(cublasDiagType_t diag);
static inline int at_least_one(int n) { return n > 1 ? n : 1; }

/* Begins each routine's function: the handle is looked at before anything else. */
#define BLAS_BEGIN(RUN)                                                                                      \
  if (!blas_handle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;                                            \
  struct routine r = blas_routine(handle, real, call, site, RUN)

#endif
