// expect: racecheck: shift
// says: shared memory; a missing wait
/* One of the two barriers of a round is missing: a thread writes what its neighbour may not have read yet. */
#include "program.h"
#include <cuda/std/barrier>
#include <new>

__global__ void shift(int *x, int rounds) {
  __shared__ int values[64];
  __shared__ alignas(8) unsigned char place[sizeof(cuda::std::barrier<>)];
  auto *barrier = reinterpret_cast<cuda::std::barrier<> *>(place);
  const int t = threadIdx.x;
  if (t == 0) new (barrier) cuda::std::barrier<>(64);
  values[t] = x[t];
  __syncthreads();
  for (int round = 0; round < rounds; round++) {
    const int next = values[(t + 1) % 64]; // <- at
#ifdef FIXED
    barrier->arrive_and_wait();
#endif
    values[t] = next; // <- at
    barrier->arrive_and_wait();
  }
  x[t] = values[t];
}

int main() {
  int *x;
  CHECK(cudaMalloc(&x, 64 * sizeof *x));
  CHECK(cudaMemset(x, 0, 64 * sizeof *x));
  shift<<<1, 64>>>(x, 2);
  if (cudaDeviceSynchronize() != cudaSuccess) exit(1);
  CHECK(cudaFree(x));
}
