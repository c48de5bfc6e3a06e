// flags: -lcublas
/* cuBLAS, levels 2 and 3 without gemm, against plain loops: every transposition, triangle and side, padded
 * matrices, and NaN in what must not be read (the other triangle, a result with beta 0, the diagonal of a
 * unit triangle). */
#include "../blas.h"

BY_TYPE(gemv)
BY_TYPE(ger)
BY_TYPE(symv)
BY_TYPE(trsv)
BY_TYPE(geam)
BY_TYPE(dgmm)
BY_TYPE(symm)
BY_TYPE(syrk)
BY_TYPE(trsm)

static const cublasFillMode_t triangles[] = {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER};
static const cublasSideMode_t sides[] = {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT};
static const cublasDiagType_t diagonals[] = {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT};

static size_t in(int i, int j, int ld) { return static_cast<size_t>(i + j * ld); }

static bool inside(cublasFillMode_t triangle, int i, int j) {
  return triangle == CUBLAS_FILL_MODE_LOWER ? i >= j : i <= j;
}

/* A symmetric matrix of order n, and what a routine gets of it: the one triangle, NaN in the other. */
template <class T> struct symmetric {
  std::vector<T> whole, stored;
  symmetric(int n, int ld, cublasFillMode_t triangle) : whole(numbers<T>(in(0, n, ld), 21)) {
    for (int j = 0; j < n; j++)
      for (int i = 0; i < j; i++) whole[in(i, j, ld)] = whole[in(j, i, ld)];
    stored = whole;
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++)
        if (!inside(triangle, i, j)) stored[in(i, j, ld)] = static_cast<T>(NAN);
  }
};

template <class T> static void matrix_and_vector(cublasHandle_t handle) {
  const int m = 7, n = 5, lda = 9;
  const std::vector<T> a = numbers<T>(in(0, n, lda), 1), x = numbers<T>(20, 2);
  device_array<T> d_a(a), d_x(x);
  for (cublasOperation_t op : ops)
    for (int inc : {1, 2, -1}) {
      const int rows = op == CUBLAS_OP_N ? m : n, columns = op == CUBLAS_OP_N ? n : m;
      for (T beta : {T(0), T(2)}) {
        const T alpha = -2;
        std::vector<T> y = beta == 0 ? std::vector<T>(20, static_cast<T>(NAN)) : numbers<T>(20, 3), want = y;
        device_array<T> d_y(y);
        for (int i = 0; i < rows; i++) {
          T sum = 0;
          for (int j = 0; j < columns; j++)
            sum += at(a, lda, op, i, j) * x[static_cast<size_t>(inc < 0 ? columns - 1 - j : j * inc)];
          T &v = want[static_cast<size_t>(2 * i)];
          v = alpha * sum + (beta == 0 ? 0 : beta * v);
        }
        BLAS(gemv(T(), handle, op, m, n, &alpha, d_a.at, lda, d_x.at, inc, &beta, d_y.at, 2));
        expect_all("y of gemv", d_y.host(), want);
      }
    }

  const std::vector<T> y = numbers<T>(n, 4);
  device_array<T> d_y(y);
  std::vector<T> want = a;
  const T alpha = 3;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++)
      want[in(i, j, lda)] += alpha * x[static_cast<size_t>(2 * i)] * y[static_cast<size_t>(j)];
  BLAS(ger(T(), handle, m, n, &alpha, d_x.at, 2, d_y.at, 1, d_a.at, lda));
  expect_all("A of ger", d_a.host(), want);

  for (cublasFillMode_t triangle : triangles) {
    const symmetric<T> s(n, lda, triangle);
    device_array<T> d_s(s.stored);
    const T beta = 1;
    std::vector<T> sum = y;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        sum[static_cast<size_t>(i)] += alpha * s.whole[in(i, j, lda)] * x[static_cast<size_t>(j)];
    device_array<T> d_sum(y);
    BLAS(symv(T(), handle, triangle, n, &alpha, d_s.at, lda, d_x.at, 1, &beta, d_sum.at, 1));
    expect_all("y of symv", d_sum.host(), sum);
  }
}

template <class T> static void sums_and_scales(cublasHandle_t handle) {
  const int m = 6, n = 4, pad = 2;
  for (cublasOperation_t transa : ops)
    for (cublasOperation_t transb : ops)
      for (T beta : {T(0), T(-1)}) {
        const int lda = (transa == CUBLAS_OP_N ? m : n) + pad, ldb = (transb == CUBLAS_OP_N ? m : n) + pad,
                  ldc = m + 1;
        const std::vector<T> a = numbers<T>(in(0, transa == CUBLAS_OP_N ? n : m, lda), 1);
        std::vector<T> b = numbers<T>(in(0, transb == CUBLAS_OP_N ? n : m, ldb), 2), c(in(0, n, ldc), 5);
        if (beta == 0) b.assign(b.size(), static_cast<T>(NAN));
        device_array<T> d_a(a), d_b(b), d_c(c);
        const T alpha = 2;
        for (int j = 0; j < n; j++)
          for (int i = 0; i < m; i++)
            c[in(i, j, ldc)] =
                alpha * at(a, lda, transa, i, j) + (beta == 0 ? 0 : beta * at(b, ldb, transb, i, j));
        BLAS(geam(T(), handle, transa, transb, m, n, &alpha, d_a.at, lda, &beta, d_b.at, ldb, d_c.at, ldc));
        expect_all("C of geam", d_c.host(), c);
      }
  for (cublasSideMode_t side : sides) {
    const int lda = m + pad;
    const std::vector<T> a = numbers<T>(in(0, n, lda), 3), x = numbers<T>(2 * m, 4);
    std::vector<T> c(in(0, n, m));
    device_array<T> d_a(a), d_x(x), d_c(c.size());
    for (int j = 0; j < n; j++)
      for (int i = 0; i < m; i++)
        c[in(i, j, m)] = a[in(i, j, lda)] * x[static_cast<size_t>(2 * (side == CUBLAS_SIDE_LEFT ? i : j))];
    BLAS(dgmm(T(), handle, side, m, n, d_a.at, lda, d_x.at, 2, d_c.at, m));
    expect_all("C of dgmm", d_c.host(), c);
  }
}

template <class T> static void products(cublasHandle_t handle) {
  const int m = 6, n = 5, ld = 8;
  const T alpha = 2, zero = 0;
  const std::vector<T> b = numbers<T>(in(0, n, ld), 5);
  device_array<T> d_b(b);
  for (cublasFillMode_t triangle : triangles) {
    for (cublasSideMode_t side : sides) {
      const bool left = side == CUBLAS_SIDE_LEFT;
      const int order = left ? m : n;
      const symmetric<T> s(order, ld, triangle);
      device_array<T> d_s(s.stored), d_c(std::vector<T>(in(0, n, ld), static_cast<T>(NAN)));
      std::vector<T> c(in(0, n, ld), static_cast<T>(NAN));
      for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
          T sum = 0;
          for (int l = 0; l < order; l++)
            sum += left ? s.whole[in(i, l, ld)] * b[in(l, j, ld)] : b[in(i, l, ld)] * s.whole[in(l, j, ld)];
          c[in(i, j, ld)] = alpha * sum;
        }
      BLAS(symm(T(), handle, side, triangle, m, n, &alpha, d_s.at, ld, d_b.at, ld, &zero, d_c.at, ld));
      expect_all("C of symm", d_c.host(), c);
    }
    for (cublasOperation_t op : ops) {
      const int order = op == CUBLAS_OP_N ? m : n, k = op == CUBLAS_OP_N ? n : m;
      std::vector<T> c(in(0, order, ld), 9); /* the other triangle keeps its nines */
      device_array<T> d_c(c);
      for (int j = 0; j < order; j++)
        for (int i = 0; i < order; i++) {
          T sum = 0;
          for (int l = 0; l < k; l++) sum += at(b, ld, op, i, l) * at(b, ld, op, j, l);
          if (inside(triangle, i, j)) c[in(i, j, ld)] = alpha * sum;
        }
      BLAS(syrk(T(), handle, triangle, op, order, k, &alpha, d_b.at, ld, &zero, d_c.at, ld));
      expect_all("C of syrk", d_c.host(), c);
    }
  }
}

/* Makes B = op(A) X or X op(A) of a whole-numbered X, and looks whether the solution is X again. */
template <class T>
static void solve(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t triangle,
                  cublasOperation_t op, cublasDiagType_t diagonal) {
  const bool left = side == CUBLAS_SIDE_LEFT;
  const int m = 5, n = 4, lda = 6, ldb = 7, order = left ? m : n;
  std::vector<T> a = numbers<T>(in(0, order, lda), 8), stored, x = numbers<T>(in(0, n, ldb), 9), b = x;
  for (int j = 0; j < order; j++)
    for (int i = 0; i < order; i++) {
      T &v = a[in(i, j, lda)];
      v = i == j ? T(diagonal == CUBLAS_DIAG_UNIT ? 1 : 2) : inside(triangle, i, j) ? v : T(0);
    }
  stored = a;
  for (int j = 0; j < order; j++)
    for (int i = 0; i < order; i++)
      if (!inside(triangle, i, j) || (i == j && diagonal == CUBLAS_DIAG_UNIT))
        stored[in(i, j, lda)] = static_cast<T>(NAN);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++) {
      T sum = 0;
      for (int l = 0; l < order; l++)
        sum += left ? at(a, lda, op, i, l) * x[in(l, j, ldb)] : x[in(i, l, ldb)] * at(a, lda, op, l, j);
      b[in(i, j, ldb)] = sum;
    }
  device_array<T> d_a(stored), d_b(b);
  const T one = 1;
  BLAS(trsm(T(), handle, side, triangle, op, diagonal, m, n, &one, d_a.at, lda, d_b.at, ldb));
  expect_all("X of trsm", d_b.host(), x);
  if (!left) return;
  device_array<T> d_x(b); /* the first column alone */
  BLAS(trsv(T(), handle, triangle, op, diagonal, m, d_a.at, lda, d_x.at, 1));
  for (int i = m; i < ldb * n; i++) x[static_cast<size_t>(i)] = b[static_cast<size_t>(i)];
  expect_all("x of trsv", d_x.host(), x);
}

template <class T> static void all(cublasHandle_t handle) {
  matrix_and_vector<T>(handle);
  sums_and_scales<T>(handle);
  products<T>(handle);
  for (cublasSideMode_t side : sides)
    for (cublasFillMode_t triangle : triangles)
      for (cublasOperation_t op : ops)
        for (cublasDiagType_t diagonal : diagonals) solve<T>(handle, side, triangle, op, diagonal);
}

int main() {
  cublasHandle_t handle;
  BLAS(cublasCreate(&handle));
  all<float>(handle);
  all<double>(handle);
  BLAS(cublasDestroy(handle));
}
