// flags: -lcublas
/* gemm against three loops: every pair of transpositions, leading dimensions with and without padding,
 * factors 0, 1 and others, NaN in C where beta is 0, nothing written to the padding; one at a time, strided
 * and as an array of pointers. */
#include "../blas.h"

BY_TYPE(gemm)
BY_TYPE(gemmBatched)
BY_TYPE(gemmStridedBatched)

struct shape {
  int m, n, k, pad;
};

template <class T> struct problem {
  cublasOperation_t transa, transb;
  int m, n, k, lda, ldb, ldc;
  size_t size_a, size_b, size_c;
  T alpha, beta;

  problem(cublasOperation_t ta, cublasOperation_t tb, const shape &s, T al, T be)
      : transa(ta), transb(tb), m(s.m), n(s.n), k(s.k), lda((ta == CUBLAS_OP_N ? m : k) + s.pad),
        ldb((tb == CUBLAS_OP_N ? k : n) + 2 * s.pad), ldc(m + s.pad),
        size_a(static_cast<size_t>(lda) * (ta == CUBLAS_OP_N ? k : m)),
        size_b(static_cast<size_t>(ldb) * (tb == CUBLAS_OP_N ? n : k)), size_c(static_cast<size_t>(ldc) * n),
        alpha(al), beta(be) {
    if (lda == 0) lda = 1;
    if (ldb == 0) ldb = 1;
  }

  /* C as it should be; `c` is what it was. */
  std::vector<T> solve(const std::vector<T> &a, const std::vector<T> &b, std::vector<T> c) const {
    for (int j = 0; j < n; j++)
      for (int i = 0; i < m; i++) {
        T sum = 0;
        for (int l = 0; l < k; l++) sum += at(a, lda, transa, i, l) * at(b, ldb, transb, l, j);
        T &x = c[static_cast<size_t>(i + j * ldc)];
        x = (alpha != 0 ? alpha * sum : 0) + (beta != 0 ? beta * x : 0);
      }
    return c;
  }

  /* What C is before: numbers, but NaN where gemm must not look. */
  std::vector<T> before(unsigned seed) const {
    std::vector<T> c = numbers<T>(size_c, seed);
    if (beta == 0)
      for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) c[static_cast<size_t>(i + j * ldc)] = static_cast<T>(NAN);
    return c;
  }

  void one(cublasHandle_t handle) const {
    const std::vector<T> a = numbers<T>(size_a, 1), b = numbers<T>(size_b, 2), c = before(3);
    device_array<T> d_a(a), d_b(b), d_c(c);
    BLAS(gemm(T(), handle, transa, transb, m, n, k, &alpha, d_a.at, lda, d_b.at, ldb, &beta, d_c.at, ldc));
    expect_all("C", d_c.host(), solve(a, b, c));
  }

  /* Three matrices one after the other, with a gap; B is the same for all. */
  void strided(cublasHandle_t handle, bool by_types) const {
    const cudaDataType type = sizeof(T) == 4 ? CUDA_R_32F : CUDA_R_64F;
    const cublasComputeType_t compute = sizeof(T) == 4 ? CUBLAS_COMPUTE_32F : CUBLAS_COMPUTE_64F;
    const int batch = 3;
    const size_t step_a = size_a + 5, step_c = size_c + 2;
    const std::vector<T> a = numbers<T>(batch * step_a, 4), b = numbers<T>(size_b, 5);
    std::vector<T> c;
    for (int i = 0; i < batch; i++) {
      const std::vector<T> one_c = before(6 + i);
      c.insert(c.end(), one_c.begin(), one_c.end());
      c.resize((i + 1) * step_c, 7);
    }
    device_array<T> d_a(a), d_b(b), d_c(c);
    const long long far_a = static_cast<long long>(step_a), far_c = static_cast<long long>(step_c);
    if (by_types)
      BLAS(cublasGemmStridedBatchedEx(handle, transa, transb, m, n, k, &alpha, d_a.at, type, lda, far_a,
                                      d_b.at, type, ldb, 0, &beta, d_c.at, type, ldc, far_c, batch, compute,
                                      CUBLAS_GEMM_DEFAULT));
    else
      BLAS(gemmStridedBatched(T(), handle, transa, transb, m, n, k, &alpha, d_a.at, lda, far_a, d_b.at, ldb,
                              0LL, &beta, d_c.at, ldc, far_c, batch));
    const std::vector<T> got = d_c.host();
    for (size_t i = 0; i < batch; i++) {
      const std::vector<T> ai(a.begin() + i * step_a, a.begin() + i * step_a + size_a);
      const std::vector<T> ci(c.begin() + i * step_c, c.begin() + (i + 1) * step_c);
      expect_all("C of a strided batch",
                 std::vector<T>(got.begin() + i * step_c, got.begin() + (i + 1) * step_c), solve(ai, b, ci));
    }
  }

  void by_pointers(cublasHandle_t handle) const {
    const std::vector<T> a0 = numbers<T>(size_a, 8), a1 = numbers<T>(size_a, 9), b = numbers<T>(size_b, 10),
                         c0 = before(11), c1 = before(12);
    device_array<T> d_a0(a0), d_a1(a1), d_b(b), d_c0(c0), d_c1(c1);
    device_array<const T *> all_a(std::vector<const T *>{d_a0.at, d_a1.at}),
        all_b(std::vector<const T *>{d_b.at, d_b.at});
    device_array<T *> all_c(std::vector<T *>{d_c0.at, d_c1.at});
    BLAS(gemmBatched(T(), handle, transa, transb, m, n, k, &alpha, all_a.at, lda, all_b.at, ldb, &beta,
                     all_c.at, ldc, 2));
    expect_all("C of the first pointer", d_c0.host(), solve(a0, b, c0));
    expect_all("C of the second pointer", d_c1.host(), solve(a1, b, c1));
  }
};

template <class T> static void all(cublasHandle_t handle) {
  const shape shapes[] = {{1, 1, 1, 0}, {3, 5, 4, 0}, {5, 3, 4, 2}, {17, 9, 33, 1}, {4, 6, 0, 1}};
  const T factors[][2] = {{1, 0}, {2, -3}, {0, 1}, {0, 0}, {-1, 1}};
  for (cublasOperation_t transa : ops)
    for (cublasOperation_t transb : ops)
      for (const shape &s : shapes)
        for (const T *f : factors) problem<T>(transa, transb, s, f[0], f[1]).one(handle);
  for (cublasOperation_t transa : ops)
    for (cublasOperation_t transb : ops) {
      for (bool by_types : {false, true}) {
        problem<T>(transa, transb, {4, 5, 6, 1}, 2, 0).strided(handle, by_types);
        problem<T>(transa, transb, {6, 4, 5, 0}, 1, 2).strided(handle, by_types);
      }
      problem<T>(transa, transb, {5, 4, 3, 2}, -1, 0).by_pointers(handle);
      problem<T>(transa, transb, {3, 4, 5, 0}, 1, 1).by_pointers(handle);
    }
}

int main() {
  cublasHandle_t handle;
  BLAS(cublasCreate(&handle));
  all<float>(handle);
  all<double>(handle);

  /* the form that names its types, with the factors on the device */
  const std::vector<float> a = numbers<float>(6, 1), b = numbers<float>(6, 2), factors = {2, 0};
  device_array<float> d_a(a), d_b(b), d_c(4), d_factors(factors);
  BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  BLAS(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_T, 2, 2, 3, d_factors.at, d_a.at, CUDA_R_32F, 2, d_b.at,
                    CUDA_R_32F, 2, d_factors.at + 1, d_c.at, CUDA_R_32F, 2, CUBLAS_COMPUTE_32F,
                    CUBLAS_GEMM_DEFAULT));
  const problem<float> same(CUBLAS_OP_N, CUBLAS_OP_T, {2, 2, 3, 0}, 2, 0);
  expect_all("C of cublasGemmEx", d_c.host(), same.solve(a, b, std::vector<float>(4)));
  const cublasStatus_t mixed = cublasGemmStridedBatchedEx(
      handle, CUBLAS_OP_N, CUBLAS_OP_T, 2, 2, 3, d_factors.at, d_a.at, CUDA_R_16F, 2, 0, d_b.at, CUDA_R_32F,
      2, 0, d_factors.at + 1, d_c.at, CUDA_R_32F, 2, 0, 1, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
  expect("a product of different types", 0, mixed, CUBLAS_STATUS_NOT_SUPPORTED);
  BLAS(cublasDestroy(handle));
}
