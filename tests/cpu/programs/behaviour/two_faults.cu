/* A leak, and a read of what was never written. */
#include "program.h"

__global__ void copy(const int *from, int *to) { *to = *from; }

int main() {
  int *a, *b;
  CHECK(cudaMalloc(&a, 4));
  CHECK(cudaMalloc(&b, 4));
  copy<<<1, 1>>>(a, b);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(a));
}
