/* OpenBLAS's routines, as Fortran has them, in a table for each type. Declared here, since where its headers
 * are differs from system to system. */
#include "blas.h"

#define ROUTINES(P, T)                                                                                       \
  T P##asum_(integer, const void *, integer);                                                                \
  T P##nrm2_(integer, const void *, integer);                                                                \
  T P##dot_(integer, const void *, integer, const void *, integer);                                          \
  int i##P##amax_(integer, const void *, integer);                                                           \
  int i##P##amin_(integer, const void *, integer);                                                           \
  void P##axpy_(integer, const void *, const void *, integer, void *, integer);                              \
  void P##scal_(integer, const void *, void *, integer);                                                     \
  void P##copy_(integer, const void *, integer, void *, integer);                                            \
  void P##swap_(integer, void *, integer, void *, integer);                                                  \
  void P##rot_(integer, void *, integer, void *, integer, const void *, const void *);                       \
  void P##gemv_(flag, integer, integer, const void *, const void *, integer, const void *, integer,          \
                const void *, void *, integer);                                                              \
  void P##ger_(integer, integer, const void *, const void *, integer, const void *, integer, void *,         \
               integer);                                                                                     \
  void P##symv_(flag, integer, const void *, const void *, integer, const void *, integer, const void *,     \
                void *, integer);                                                                            \
  void P##trsv_(flag, flag, flag, integer, const void *, integer, void *, integer);                          \
  void P##gemm_(flag, flag, integer, integer, integer, const void *, const void *, integer, const void *,    \
                integer, const void *, void *, integer);                                                     \
  void P##symm_(flag, flag, integer, integer, const void *, const void *, integer, const void *, integer,    \
                const void *, void *, integer);                                                              \
  void P##syrk_(flag, flag, integer, integer, const void *, const void *, integer, const void *, void *,     \
                integer);                                                                                    \
  void P##trsm_(flag, flag, flag, flag, integer, integer, const void *, const void *, integer, void *,       \
                integer);                                                                                    \
  static void P##store(void *to, double value) { *(T *)to = (T)value; }                                      \
  static double P##load(const void *from) { return *(const T *)from; }                                       \
  static void P##asum(integer n, const void *x, integer incx, void *result) {                                \
    *(T *)result = P##asum_(n, x, incx);                                                                     \
  }                                                                                                          \
  static void P##nrm2(integer n, const void *x, integer incx, void *result) {                                \
    *(T *)result = P##nrm2_(n, x, incx);                                                                     \
  }                                                                                                          \
  static void P##dot(integer n, const void *x, integer incx, const void *y, integer incy, void *result) {    \
    *(T *)result = P##dot_(n, x, incx, y, incy);                                                             \
  }
ROUTINES(s, float)
ROUTINES(d, double)

#define TABLE(P, T)                                                                                          \
  {                                                                                                          \
    .size = sizeof(T), .store = P##store, .load = P##load, .asum = P##asum, .nrm2 = P##nrm2, .dot = P##dot,  \
    .amax = i##P##amax_, .amin = i##P##amin_, .axpy = P##axpy_, .scal = P##scal_, .copy = P##copy_,          \
    .swap = P##swap_, .rot = P##rot_, .gemv = P##gemv_, .ger = P##ger_, .symv = P##symv_, .trsv = P##trsv_,  \
    .gemm = P##gemm_, .symm = P##symm_, .syrk = P##syrk_, .trsm = P##trsm_                                   \
  }
const struct real blas_float = TABLE(s, float), blas_double = TABLE(d, double);
