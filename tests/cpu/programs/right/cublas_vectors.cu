// flags: -lcublas
/* cuBLAS, level 1, against plain loops: increments of 1, 2 and -2, results on the host and on the device. */
#include "../blas.h"

BY_TYPE(asum)
BY_TYPE(nrm2)
BY_TYPE(dot)
BY_TYPE(axpy)
BY_TYPE(scal)
BY_TYPE(copy)
BY_TYPE(swap)
BY_TYPE(rot)

static auto amax(float, cublasHandle_t h, int n, const float *x, int inc, int *r) {
  return cublasIsamax(h, n, x, inc, r);
}
static auto amax(double, cublasHandle_t h, int n, const double *x, int inc, int *r) {
  return cublasIdamax(h, n, x, inc, r);
}
static auto amin(float, cublasHandle_t h, int n, const float *x, int inc, int *r) {
  return cublasIsamin(h, n, x, inc, r);
}
static auto amin(double, cublasHandle_t h, int n, const double *x, int inc, int *r) {
  return cublasIdamin(h, n, x, inc, r);
}

/* Where element i of a vector of n is: with a negative increment the first element stands last. */
static size_t place(int i, int n, int inc) {
  return static_cast<size_t>(inc < 0 ? (i - n + 1) * inc : i * inc);
}

template <class T> static void vectors(cublasHandle_t handle, int incx, int incy) {
  const int n = 37;
  std::vector<T> x = numbers<T>(place(incx < 0 ? 0 : n - 1, n, incx) + 2, 1);
  std::vector<T> y = numbers<T>(place(incy < 0 ? 0 : n - 1, n, incy) + 2, 2);
  device_array<T> d_x(x), d_y(y);
  const T alpha = 3, c = 2, s = -1;

  T product = 0, got = -1;
  for (int i = 0; i < n; i++) product += x[place(i, n, incx)] * y[place(i, n, incy)];
  BLAS(dot(T(), handle, n, d_x.at, incx, d_y.at, incy, &got));
  expect("dot", 0, got, product);

  std::vector<T> want = y;
  for (int i = 0; i < n; i++) want[place(i, n, incy)] += alpha * x[place(i, n, incx)];
  BLAS(axpy(T(), handle, n, &alpha, d_x.at, incx, d_y.at, incy));
  expect_all("y of axpy", d_y.host(), want);

  for (int i = 0; i < n; i++) {
    T &a = x[place(i, n, incx)], &b = want[place(i, n, incy)];
    const T turned = c * a + s * b;
    b = c * b - s * a;
    a = turned;
  }
  BLAS(rot(T(), handle, n, d_x.at, incx, d_y.at, incy, &c, &s));
  expect_all("x of rot", d_x.host(), x);
  expect_all("y of rot", d_y.host(), want);

  for (int i = 0; i < n; i++) std::swap(x[place(i, n, incx)], want[place(i, n, incy)]);
  BLAS(swap(T(), handle, n, d_x.at, incx, d_y.at, incy));
  expect_all("x of swap", d_x.host(), x);
  expect_all("y of swap", d_y.host(), want);

  for (int i = 0; i < n; i++) want[place(i, n, incy)] = x[place(i, n, incx)];
  BLAS(copy(T(), handle, n, d_x.at, incx, d_y.at, incy));
  expect_all("y of copy", d_y.host(), want);
}

template <class T> static void numbers_from_vectors(cublasHandle_t handle, int inc) {
  const int n = 41;
  std::vector<T> x = numbers<T>(static_cast<size_t>(n * inc), 7);
  x[static_cast<size_t>(11 * inc)] = -9;
  for (int i = 0; i < n; i++)
    if (x[static_cast<size_t>(i * inc)] == 0) x[static_cast<size_t>(i * inc)] = 2;
  x[static_cast<size_t>(23 * inc)] = static_cast<T>(0.5);
  T sum = 0, squares = 0;
  for (int i = 0; i < n; i++) {
    const T v = x[static_cast<size_t>(i * inc)];
    sum += v < 0 ? -v : v;
    squares += v * v;
  }
  device_array<T> d_x(x);
  int most = -1, least = -1;
  T got_sum, norm;
  BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
  BLAS(amax(T(), handle, n, d_x.at, inc, &most));
  BLAS(amin(T(), handle, n, d_x.at, inc, &least));
  BLAS(asum(T(), handle, n, d_x.at, inc, &got_sum));
  BLAS(nrm2(T(), handle, n, d_x.at, inc, &norm));
  expect("amax, counted from 1,", 0, most, 12);
  expect("amin, counted from 1,", 0, least, 24);
  expect("asum", 0, got_sum, sum);
  expect("nrm2", 0, norm, sqrt(static_cast<double>(squares)));

  /* results on the device, used there without the host: x / |x|_1 */
  device_array<T> d_factor(std::vector<T>{4});
  device_array<int> d_most(1);
  device_array<T> d_sum(1);
  BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  BLAS(scal(T(), handle, n, d_factor.at, d_x.at, inc));
  BLAS(amax(T(), handle, n, d_x.at, inc, d_most.at));
  BLAS(asum(T(), handle, n, d_x.at, inc, d_sum.at));
  expect("amax on the device", 0, d_most.host()[0], 12);
  expect("asum on the device", 0, d_sum.host()[0], 4 * sum);
  BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));

  /* nothing to do */
  BLAS(amax(T(), handle, 0, d_x.at, inc, &most));
  BLAS(asum(T(), handle, 0, d_x.at, inc, &got_sum));
  expect("amax of nothing", 0, most, 0);
  expect("asum of nothing", 0, got_sum, 0);
}

template <class T> static void all(cublasHandle_t handle) {
  const int increments[] = {1, 2, -2};
  for (int incx : increments)
    for (int incy : increments) vectors<T>(handle, incx, incy);
  numbers_from_vectors<T>(handle, 1);
  numbers_from_vectors<T>(handle, 3);
}

int main() {
  cublasHandle_t handle;
  BLAS(cublasCreate(&handle));
  all<float>(handle);
  all<double>(handle);
  BLAS(cublasDestroy(handle));
}
