// expect: racecheck warning: sum_up
// says: loads, changes and stores; another thread can come between the load and the store
// says: no error in a loop that repeats
/* The same with the compiler's functions, and with a sum that others add to in one step. */
#include "program.h"

__global__ void sum_up(const int *in, int *sum) {
  const int v = in[threadIdx.x];
#ifdef FIXED
  __nv_atomic_fetch_add(sum, v, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
#else
  if (threadIdx.x % 2)
    __nv_atomic_fetch_add(sum, v, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE); // <- at
  else {
    const int old = __nv_atomic_load_n(sum, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_store_n(sum, old + v, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE); // <- at
  }
#endif
}

int main() {
  int h[64], *in, *sum;
  for (int i = 0; i < 64; i++) h[i] = i + 1;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&sum, sizeof *sum));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(sum, 0, sizeof *sum));
  sum_up<<<1, 64>>>(in, sum);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(in));
  CHECK(cudaFree(sum));
}
