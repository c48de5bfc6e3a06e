/* The kernel and its launch live in a header. */
#include "program.h"
#include "launch_in_header.cuh"

int main() {
  const int n = 100;
  short h[n], *d;
  CHECK(cudaMalloc(&d, sizeof h));
  fill_with(d, n, 9);
  CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) expect("h", i, h[i], 9);
  CHECK(cudaFree(d));
}
