/* Producers fill slots in turn and consumers empty them: two cuda::barriers for each slot, full and empty, at
   which each side arrives and the other one waits. Once by plain stores of a warp whose first lane arrives, once
   by copies in the background. */
#include "program.h"
#include <cuda/barrier>
using barrier = cuda::barrier<cuda::thread_scope_block>;

enum { SLOTS = 2, SLOT = 64, ROUNDS = 7, PRODUCERS = 32, CONSUMERS = 64 };

template <bool Copies>
__device__ void produce(const int *in, int (*slots)[SLOT], barrier *full, barrier *empty) {
  const int lane = threadIdx.x;
  for (int r = 0; r < ROUNDS; r++) {
    const int s = r % SLOTS;
    empty[s].arrive_and_wait();
    if (Copies) {
      for (int i = lane; i < SLOT; i += PRODUCERS)
        cuda::memcpy_async(&slots[s][i], &in[r * SLOT + i], sizeof(int), full[s]);
      (void)full[s].arrive();
    } else {
      for (int i = lane; i < SLOT; i += PRODUCERS) slots[s][i] = in[r * SLOT + i];
      __syncwarp();
      if (lane == 0) (void)full[s].arrive(PRODUCERS);
    }
  }
}

__device__ int consume(int (*slots)[SLOT], barrier *full, barrier *empty) {
  const int me = threadIdx.x - PRODUCERS;
  int sum = 0;
  for (int s = 0; s < SLOTS; s++) (void)empty[s].arrive(); /* all are empty at first */
  for (int r = 0; r < ROUNDS; r++) {
    const int s = r % SLOTS;
    full[s].arrive_and_wait();
    sum += slots[s][me] + 2 * slots[s][SLOT - 1 - me] + slots[s][0];
    (void)empty[s].arrive();
  }
  return sum;
}

template <bool Copies> __global__ void sums(const int *in, int *out) {
  __shared__ int slots[SLOTS][SLOT];
  __shared__ barrier full[SLOTS], empty[SLOTS];
  if (threadIdx.x < SLOTS) {
    init(&full[threadIdx.x], PRODUCERS + CONSUMERS);
    init(&empty[threadIdx.x], PRODUCERS + CONSUMERS);
  }
  __syncthreads();
  if (threadIdx.x < PRODUCERS)
    produce<Copies>(in, slots, full, empty);
  else
    out[blockIdx.x * CONSUMERS + threadIdx.x - PRODUCERS] = consume(slots, full, empty);
}

int main() {
  static int h[ROUNDS * SLOT], result[2 * CONSUMERS];
  int *in, *out;
  for (int i = 0; i < ROUNDS * SLOT; i++) h[i] = i;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, sizeof result));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  for (int copies = 0; copies < 2; copies++) {
    CHECK(cudaMemset(out, 0, sizeof result));
    if (copies)
      sums<true><<<2, PRODUCERS + CONSUMERS>>>(in, out);
    else
      sums<false><<<2, PRODUCERS + CONSUMERS>>>(in, out);
    CHECK(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 2 * CONSUMERS; i++) {
      int want = 0;
      for (int r = 0; r < ROUNDS; r++)
        want += h[r * SLOT + i % 64] + 2 * h[r * SLOT + SLOT - 1 - i % 64] + h[r * SLOT];
      expect(copies ? "copied" : "stored", i, result[i], want);
    }
  }
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}
