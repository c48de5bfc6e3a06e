// expect: racecheck: pass
// says: global memory that a thread of another block
/* A flag says that the data are there; but a relaxed store may be seen before what was written earlier. */
#include "program.h"

#ifdef FIXED
#define ORDER __NV_ATOMIC_RELEASE
#else
#define ORDER __NV_ATOMIC_RELAXED
#endif

__global__ void pass(int *data, int *flag, int *out) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    data[0] = 42;
    __nv_atomic_store_n(flag, 1, ORDER, __NV_THREAD_SCOPE_DEVICE);
  } else {
    while (__nv_atomic_load_n(flag, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE) == 0) {
    }
    out[0] = data[0]; // <- at
  }
}

int main() {
  int *data, *flag, *out;
  CHECK(cudaMalloc(&data, sizeof *data));
  CHECK(cudaMalloc(&flag, sizeof *flag));
  CHECK(cudaMalloc(&out, sizeof *out));
  CHECK(cudaMemset(flag, 0, sizeof *flag));
  pass<<<2, 32>>>(data, flag, out);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(data));
  CHECK(cudaFree(flag));
  CHECK(cudaFree(out));
}
