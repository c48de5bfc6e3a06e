// expect: racecheck warning: atomically
// says: loads, changes and stores; another thread can come between the load and the store
/* Each access is atomic, so this is no data race; but the update is two steps, and another thread's maximum
 * can get lost between them. */
#include "program.h"
#include <cuda/atomic>

__global__ void atomically(const int *in, int *most) {
  cuda::atomic_ref<int> greatest(*most);
  const int v = in[blockIdx.x * blockDim.x + threadIdx.x];
#ifdef FIXED
  greatest.fetch_max(v);
#else
  if (v > greatest.load(cuda::memory_order_relaxed)) greatest.store(v, cuda::memory_order_relaxed); // <- at
#endif
}

int main() {
  int h[128], *in, *most;
  for (int i = 0; i < 128; i++) h[i] = i * 37 % 64;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&most, sizeof *most));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(most, 0, sizeof *most));
  atomically<<<2, 64>>>(in, most);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(in));
  CHECK(cudaFree(most));
}
