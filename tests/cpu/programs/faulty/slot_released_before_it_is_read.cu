// expect: racecheck: sums
// says: shared memory that another thread of its block; an access after arriving
/* A consumer says that the slot is empty before it has read what lies there. */
#include "program.h"
#include <cuda/barrier>
using barrier = cuda::barrier<cuda::thread_scope_block>;

enum { SLOTS = 2, ROUNDS = 6 };

__global__ void sums(const int *in, int *out) {
  __shared__ int slots[SLOTS][32];
  __shared__ barrier full[SLOTS], empty[SLOTS];
  if (threadIdx.x < SLOTS) {
    init(&full[threadIdx.x], 64);
    init(&empty[threadIdx.x], 64);
  }
  __syncthreads();
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32)
    for (int r = 0; r < ROUNDS; r++) {
      if (r >= SLOTS) empty[r % SLOTS].arrive_and_wait();
      slots[r % SLOTS][lane] = in[r * 32 + lane]; // <- at
      (void)full[r % SLOTS].arrive();
    }
  else {
    int sum = 0;
    for (int r = 0; r < ROUNDS; r++) {
      full[r % SLOTS].arrive_and_wait();
#ifdef FIXED
      sum += slots[r % SLOTS][31 - lane];
      (void)empty[r % SLOTS].arrive();
#else
      (void)empty[r % SLOTS].arrive();
      sum += slots[r % SLOTS][31 - lane]; // <- at
#endif
    }
    out[lane] = sum;
  }
}

int main() {
  int *in, *out;
  CHECK(cudaMalloc(&in, ROUNDS * 32 * sizeof *in));
  CHECK(cudaMalloc(&out, 32 * sizeof *out));
  CHECK(cudaMemset(in, 1, ROUNDS * 32 * sizeof *in));
  sums<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}
