/* A scan in one pass: each block publishes its own sum at once, then looks back at the blocks before it until
 * one has published the sum of everything up to itself (Merrill and Garland's decoupled look-back). Blocks
 * take their numbers from a counter, so that a block only waits for blocks that have started. */
#include "program.h"

#define THREADS 128

/* Of a block: 0 nothing yet, 1 its own sum, 2 the sum up to and with it; flag and value in one word. */
#define PACK(flag, value) ((unsigned long long)(flag) << 32 | (unsigned)(value))

__global__ void scan(const int *in, int *out, int n, unsigned *ticket, unsigned long long *state) {
  __shared__ int tile[THREADS];
  __shared__ int number, before;
  const int t = threadIdx.x;
  if (t == 0) number = (int)atomicAdd(ticket, 1);
  __syncthreads();
  const int i = number * THREADS + t;
  tile[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int step = 1; step < THREADS; step *= 2) {
    const int add = t >= step ? tile[t - step] : 0;
    __syncthreads();
    tile[t] += add;
    __syncthreads();
  }
  if (t == 0) {
    const int own = tile[THREADS - 1];
    int sum = 0;
    if (number > 0) {
      atomicExch(&state[number], PACK(1, own));
      for (int look = number - 1;;) {
        const unsigned long long seen = atomicAdd(&state[look], 0ull);
        if (!(seen >> 32)) continue; /* not yet */
        sum += (int)(unsigned)seen;
        if (seen >> 32 == 2) break;
        look--;
      }
    }
    atomicExch(&state[number], PACK(2, sum + own));
    before = sum;
  }
  __syncthreads();
  if (i < n) out[i] = before + tile[t];
}

int main() {
  const int n = 20000, blocks = (n + THREADS - 1) / THREADS;
  int *h = (int *)malloc(n * sizeof(int)), *in, *out;
  unsigned *ticket;
  unsigned long long *state;
  for (int i = 0; i < n; i++) h[i] = i % 11 - 3;
  CHECK(cudaMalloc(&in, n * sizeof(int)));
  CHECK(cudaMalloc(&out, n * sizeof(int)));
  CHECK(cudaMalloc(&ticket, sizeof *ticket));
  CHECK(cudaMalloc(&state, blocks * sizeof *state));
  CHECK(cudaMemset(ticket, 0, sizeof *ticket));
  CHECK(cudaMemset(state, 0, blocks * sizeof *state));
  CHECK(cudaMemcpy(in, h, n * sizeof(int), cudaMemcpyHostToDevice));
  scan<<<blocks, THREADS>>>(in, out, n, ticket, state);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(h, out, n * sizeof(int), cudaMemcpyDeviceToHost));
  int want = 0;
  for (int i = 0; i < n; i++) {
    want += i % 11 - 3;
    expect("scanned", i, h[i], want);
  }
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  CHECK(cudaFree(ticket));
  CHECK(cudaFree(state));
  free(h);
  return 0;
}
