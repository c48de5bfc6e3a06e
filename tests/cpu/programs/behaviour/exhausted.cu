/* Allocates pieces of 96 MiB (larger than those that get filled) until there is no more, goes on after that,
 * and frees them. */
#include "program.h"

__global__ void one(int *p) { *p = 1; }

int main() {
  static char *piece[1024];
  int n = 0, *small;
  CHECK(cudaMalloc(&small, sizeof *small));
  while (n < 1024 && cudaMalloc(&piece[n], (size_t)96 << 20) == cudaSuccess) n++;
  printf("pieces %d error %d", n, (int)cudaPeekAtLastError());
  one<<<1, 1>>>(small);
  printf(" last %d", (int)cudaGetLastError());
  printf(" then %d %d\n", (int)cudaGetLastError(), (int)cudaDeviceSynchronize());
  for (int i = 0; i < n; i++) CHECK(cudaFree(piece[i]));
  CHECK(cudaMalloc(&piece[0], (size_t)96 << 20));
  CHECK(cudaFree(piece[0]));
  CHECK(cudaFree(small));
}
