// expect: racecheck: ?
// says: cublasSscal in stream 0; without synchronisation between them; cudaStreamWaitEvent
// flags: -lcublas
/* The kernel runs in a stream of its own, the handle in the default one. */
#include "../blas.h"

__global__ void fill(float *p) { p[threadIdx.x] = static_cast<float>(threadIdx.x); } // <- at

int main() {
  cublasHandle_t handle;
  cudaStream_t stream;
  float *x;
  const float two = 2;
  BLAS(cublasCreate(&handle));
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK(cudaMalloc(&x, 64 * sizeof *x));
  CHECK(cudaMemset(x, 0, 64 * sizeof *x));
  CHECK(cudaDeviceSynchronize());
#ifdef FIXED
  BLAS(cublasSetStream(handle, stream));
#endif
  fill<<<1, 64, 0, stream>>>(x);             // <- at
  BLAS(cublasSscal(handle, 64, &two, x, 1)); // <- at
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaStreamDestroy(stream));
  BLAS(cublasDestroy(handle));
}
