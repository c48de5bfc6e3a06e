/* What the test programs of cuBLAS share: small matrices of whole numbers, so that sums are exact in float
 * and double in any order; arrays on the device; and routines by the type of their numbers. */
#ifndef BLAS_H
#define BLAS_H

#include <cublas_v2.h>
#include <vector>

#include "program.h"

#define BLAS(call)                                                                                           \
  do {                                                                                                       \
    cublasStatus_t blas_status = (call);                                                                     \
    if (blas_status != CUBLAS_STATUS_SUCCESS) {                                                              \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cublasGetStatusString(blas_status));     \
      exit(2);                                                                                               \
    }                                                                                                        \
  } while (0)

/* BY_TYPE(gemm) makes gemm(handle, ...) of cublasSgemm and cublasDgemm: the types of the factors choose. */
#define BY_TYPE(NAME)                                                                                        \
  template <class... A> static auto NAME(float, A... a)->decltype(cublasS##NAME(a...)) {                     \
    return cublasS##NAME(a...);                                                                              \
  }                                                                                                          \
  template <class... A> static auto NAME(double, A... a)->decltype(cublasD##NAME(a...)) {                    \
    return cublasD##NAME(a...);                                                                              \
  }

/* Whole numbers from -4 to 4, another row of them for each seed. */
template <class T> static std::vector<T> numbers(size_t n, unsigned seed) {
  std::vector<T> v(n);
  for (T &x : v) {
    seed = seed * 1664525u + 1013904223u;
    x = static_cast<T>(static_cast<int>(seed >> 24) % 9 - 4);
  }
  return v;
}

/* An array on the device, freed at its end. */
template <class T> struct device_array {
  T *at = nullptr;
  size_t n;
  explicit device_array(size_t count) : n(count) { CHECK(cudaMalloc(&at, (n ? n : 1) * sizeof(T))); }
  explicit device_array(const std::vector<T> &host) : device_array(host.size()) {
    CHECK(cudaMemcpy(at, host.data(), n * sizeof(T), cudaMemcpyHostToDevice));
  }
  device_array(const device_array &) = delete;
  ~device_array() { CHECK(cudaFree(at)); }
  std::vector<T> host() const {
    std::vector<T> v(n);
    CHECK(cudaMemcpy(v.data(), at, n * sizeof(T), cudaMemcpyDeviceToHost));
    return v;
  }
};

/* Element (i, j) of op(A), A stored by columns. */
template <class T> static T at(const std::vector<T> &a, int ld, cublasOperation_t op, int i, int j) {
  return op == CUBLAS_OP_N ? a[static_cast<size_t>(i + j * ld)] : a[static_cast<size_t>(j + i * ld)];
}

template <class T>
static void expect_all(const char *what, const std::vector<T> &got, const std::vector<T> &want) {
  for (size_t i = 0; i < want.size(); i++)
    if (want[i] == want[i]) expect(what, static_cast<long>(i), got[i], want[i]); /* NaN: not compared */
}

static const cublasOperation_t ops[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};

#endif
