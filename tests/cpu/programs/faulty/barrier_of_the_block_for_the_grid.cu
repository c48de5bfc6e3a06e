// expect: racecheck: meet
// says: global memory that a thread of another block; it takes thread_scope_device
/* Two blocks meet at a barrier whose scope is one block. */
#include "program.h"
#include <cuda/barrier>

#ifdef FIXED
#define SCOPE cuda::thread_scope_device
#else
#define SCOPE cuda::thread_scope_block
#endif
using barrier = cuda::barrier<SCOPE>;

__global__ void begin(barrier *both) { init(both, 2); }

__global__ void meet(barrier *both, int *values, int *out) {
  const int b = blockIdx.x;
  values[b] = b + 1;
  both->arrive_and_wait(); // <- at
  out[b] = values[1 - b];
}

int main() {
  barrier *both;
  int *values, *out;
  CHECK(cudaMalloc(&both, sizeof *both));
  CHECK(cudaMalloc(&values, 2 * sizeof *values));
  CHECK(cudaMalloc(&out, 2 * sizeof *out));
  begin<<<1, 1>>>(both);
  void *arguments[] = {&both, &values, &out};
  CHECK(cudaLaunchCooperativeKernel((void *)meet, dim3(2), dim3(1), arguments, 0, 0));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(both));
  CHECK(cudaFree(values));
  CHECK(cudaFree(out));
}
