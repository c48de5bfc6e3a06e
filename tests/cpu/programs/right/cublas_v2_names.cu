// flags: -lcublas
/* cublas_v2.h makes of each short name one that ends in _v2. Programs may write those themselves. */
#include "../blas.h"

int main() {
  cublasHandle_t handle;
  cudaStream_t stream, asked;
  cublasPointerMode_t mode;
  const std::vector<float> a = numbers<float>(6, 1), b = numbers<float>(6, 2);
  const std::vector<double> x = numbers<double>(6, 3), y = numbers<double>(6, 4);
  const float two = 2, zero = 0;
  BLAS(cublasCreate_v2(&handle));
  CHECK(cudaStreamCreate(&stream));
  BLAS(cublasSetStream_v2(handle, stream));
  BLAS(cublasGetStream_v2(handle, &asked));
  BLAS(cublasSetPointerMode_v2(handle, CUBLAS_POINTER_MODE_HOST));
  BLAS(cublasGetPointerMode_v2(handle, &mode));
  if (asked != stream || mode != CUBLAS_POINTER_MODE_HOST) return 1;
  {
    device_array<float> d_a(a), d_b(b), d_c(4);
    device_array<double> d_x(x), d_y(y);
    double dot = 0, want = 0;
    int largest = 0, want_largest = 0;
    BLAS(cublasSgemm_v2(handle, CUBLAS_OP_N, CUBLAS_OP_T, 2, 2, 3, &two, d_a.at, 2, d_b.at, 2, &zero, d_c.at,
                        2));
    BLAS(cublasDdot_v2(handle, 6, d_x.at, 1, d_y.at, 1, &dot));
    BLAS(cublasIdamax_v2(handle, 6, d_x.at, 1, &largest));
    CHECK(cudaStreamSynchronize(stream));
    std::vector<float> c(4);
    for (int j = 0; j < 2; j++)
      for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++) c[i + j * 2] += 2 * a[i + k * 2] * b[j + k * 2];
    expect_all("C of cublasSgemm_v2", d_c.host(), c);
    for (int i = 0; i < 6; i++) want += x[i] * y[i];
    for (int i = 5; i >= 0; i--)
      if (fabs(x[i]) >= fabs(x[want_largest])) want_largest = i;
    expect("cublasDdot_v2", 0, dot, want);
    expect("cublasIdamax_v2", 0, largest, want_largest + 1);
  }
  CHECK(cudaStreamDestroy(stream));
  BLAS(cublasDestroy_v2(handle));
}
