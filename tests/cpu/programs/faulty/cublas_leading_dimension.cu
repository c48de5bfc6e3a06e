// expect: memcheck: -
// flags: -lcublas
// says: cublasSgemv reads A, 4 x 8 with leading dimension 8: 240 bytes; the allocation has only 128
// says: 128 bytes of device memory; rows and columns exchanged
/* A is 4 rows by 8 columns; the leading dimension was taken for
   the columns, as in matrices stored by rows. */
#include "../blas.h"

int main() {
  const int rows = 4, columns = 8;
  cublasHandle_t handle;
  BLAS(cublasCreate(&handle));
  {
    device_array<float> A(numbers<float>(rows * columns, 1)), x(numbers<float>(columns, 2)), y(rows);
    const float one = 1, zero = 0;
#ifdef FIXED
    const int lda = rows;
#else
    const int lda = columns;
#endif
    BLAS(cublasSgemv(handle, CUBLAS_OP_N, rows, columns, &one, A.at, lda, x.at, 1, &zero, y.at, 1)); // <- at
    if (cudaDeviceSynchronize() != cudaSuccess) exit(1);
  }
  BLAS(cublasDestroy(handle));
}
