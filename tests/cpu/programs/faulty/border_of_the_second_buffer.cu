// expect: initcheck: relax
// says: reads 4 bytes of device memory that was never written; of 256 (of 4 bytes)
/* The sweeps write the inner points only; the border was set in one of the two buffers. */
#include "program.h"

__global__ void relax(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) b[i] = 0.5f * (a[i - 1] + a[i + 1]); // <- at
}

int main() {
  const int n = 256;
  float *a, *b;
  CHECK(cudaMalloc(&a, n * sizeof *a));
  CHECK(cudaMalloc(&b, n * sizeof *b));
  CHECK(cudaMemset(a, 0, n * sizeof *a));
#ifdef FIXED
  CHECK(cudaMemcpy(b, a, n * sizeof *a, cudaMemcpyDeviceToDevice));
#endif
  for (int sweep = 0; sweep < 3; sweep++) {
    relax<<<1, n>>>(a, b, n);
    float *swap = a;
    a = b;
    b = swap;
  }
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
}
