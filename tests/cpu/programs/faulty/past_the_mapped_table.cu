// expect: memcheck: gather
// says: bytes past the end of the nearest array; 4096 bytes of pinned host memory, cudaHostRegister; never set
/* A key is used as an index, far past the end of a table in page-locked memory: no host pointer, a wrong index. */
#include "program.h"

__global__ void gather(const float *table, const unsigned *keys, float *out, int n) {
  int i = threadIdx.x;
#ifdef FIXED
  if (i < n) out[i] = table[keys[i] % 1024];
#else
  if (i < n) out[i] = table[(size_t)keys[i] << 30]; // <- at
#endif
}

int main() {
  const int n = 32;
  unsigned h_keys[n], *keys;
  float *table = (float *)aligned_alloc(4096, 4096), *out;
  for (int i = 0; i < n; i++) h_keys[i] = 4000000000u - i;
  for (int i = 0; i < 1024; i++) table[i] = i;
  CHECK(cudaHostRegister(table, 4096, cudaHostRegisterMapped));
  CHECK(cudaMalloc(&keys, sizeof h_keys));
  CHECK(cudaMalloc(&out, n * sizeof *out));
  CHECK(cudaMemcpy(keys, h_keys, sizeof h_keys, cudaMemcpyHostToDevice));
  gather<<<1, n>>>(table, keys, out, n);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(keys));
  CHECK(cudaFree(out));
  CHECK(cudaHostUnregister(table));
  free(table);
}
