// expect: racecheck: collect
// says: a plain access to a value that others update atomically
/* The place in the list is read first and counted up by one of the compiler's atomic functions later: two threads
 * can read the same one. */
#include "program.h"

__global__ void collect(const int *in, int *list, int *length, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || in[i] % 3) return;
#ifdef FIXED
  int place = __nv_atomic_fetch_add(length, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
#else
  int place = *length;                                                       // <- at
  __nv_atomic_add(length, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE); // <- at
#endif
  list[place] = in[i]; // <- at
}

int main() {
  const int n = 100;
  int h[n], *in, *list, *length;
  for (int i = 0; i < n; i++) h[i] = i;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&list, sizeof h));
  CHECK(cudaMalloc(&length, sizeof *length));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(length, 0, sizeof *length));
  collect<<<2, 64>>>(in, list, length, n);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(in));
  CHECK(cudaFree(list));
  CHECK(cudaFree(length));
}
