// expect: memcheck: insert
// says: before the start of its array; element -; % of a negative
/* A hash in an int becomes negative, and so does its remainder. */
#include "program.h"

__global__ void insert(const int *keys, int *table, int size) {
  int key = keys[threadIdx.x];
#ifdef FIXED
  unsigned hash = (unsigned)key * 2654435761u;
  unsigned slot = hash % (unsigned)size;
#else
  int hash = (int)((unsigned)key * 2654435761u);
  int slot = hash % size;
#endif
  atomicAdd(&table[slot], 1); // <- at
}

int main() {
  const int n = 32, size = 64;
  int h[n], *keys, *table;
  for (int i = 0; i < n; i++) h[i] = i;
  CHECK(cudaMalloc(&keys, sizeof h));
  CHECK(cudaMalloc(&table, size * sizeof *table));
  CHECK(cudaMemcpy(keys, h, sizeof h, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(table, 0, size * sizeof *table));
  insert<<<1, n>>>(keys, table, size);
  cudaDeviceSynchronize();
  cudaFree(keys);
  cudaFree(table);
}
