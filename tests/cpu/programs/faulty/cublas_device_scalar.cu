// expect: memcheck: -
// says: cublasSscal takes alpha on the host; device memory, cudaMalloc at; CUBLAS_POINTER_MODE_DEVICE
// flags: -lcublas
/* The norm stays on the device to save a copy, but the handle still takes its factors from the host. */
#include "../blas.h"

int main() {
  cublasHandle_t handle;
  float *x, *norm, one = 1;
  const std::vector<float> h = numbers<float>(64, 1);
  BLAS(cublasCreate(&handle));
  CHECK(cudaMalloc(&x, 64 * sizeof *x));
  CHECK(cudaMalloc(&norm, sizeof *norm));
  CHECK(cudaMemcpy(x, h.data(), 64 * sizeof *x, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(norm, &one, sizeof *norm, cudaMemcpyHostToDevice));
#ifdef FIXED
  BLAS(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  BLAS(cublasSnrm2(handle, 64, x, 1, norm));
#endif
  cublasSscal(handle, 64, norm, x, 1); // <- at
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(norm));
  BLAS(cublasDestroy(handle));
}
