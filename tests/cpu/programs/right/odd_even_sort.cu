/* Odd-even transposition: a launch for each phase, so that all
   blocks have ended one before the next begins. */
#include "program.h"

__global__ void phase(short *x, int n, int odd) {
  const int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + odd;
  if (i + 1 < n && x[i] > x[i + 1]) {
    const short v = x[i];
    x[i] = x[i + 1];
    x[i + 1] = v;
  }
}

int main() {
  const int n = 100;
  short h[n], *d;
  for (int i = 0; i < n; i++) h[i] = (short)(n - 1 - i);
  CHECK(cudaMalloc(&d, sizeof h));
  CHECK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  for (int p = 0; p < n; p++) phase<<<2, 32>>>(d, n, p % 2);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) expect("sorted", i, h[i], i);
  CHECK(cudaFree(d));
}
