/* Results that do not depend on the order: sums, extremes, a
   maximum of floats by compare-and-swap, tickets. */
#include "program.h"

__device__ float atomic_max(float *address, float value) {
  int *bits = (int *)address, old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __float_as_int(fmaxf(value, __int_as_float(assumed))));
  } while (assumed != old);
  return __int_as_float(old);
}

struct totals {
  int sum, low, high, tickets;
  unsigned int bits;
  float float_sum, float_high;
  double double_sum;
};

__global__ void collect(const int *in, int n, totals *t, int *slots) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicAdd(&t->sum, in[i]);
  atomicMin(&t->low, in[i]);
  atomicMax(&t->high, in[i]);
  atomicOr(&t->bits, 1u << (in[i] & 31));
  atomicAdd(&t->float_sum, 0.5f);
  atomicAdd(&t->double_sum, 0.25);
  atomic_max(&t->float_high, 0.5f * in[i]);
  slots[atomicAdd(&t->tickets, 1)] = in[i]; /* each thread a place of its own */
}

int main() {
  const int n = 300;
  int h[n], slots[n], *d, *d_slots, seen[n] = {0};
  totals t = {0, 1 << 30, -1, 0, 0, 0.0f, 0.0f, 0.0}, *d_t;
  for (int i = 0; i < n; i++) h[i] = (i * 7) % n;
  CHECK(cudaMalloc(&d, sizeof h));
  CHECK(cudaMalloc(&d_slots, sizeof slots));
  CHECK(cudaMalloc(&d_t, sizeof t));
  CHECK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_t, &t, sizeof t, cudaMemcpyHostToDevice));
  collect<<<5, 64>>>(d, n, d_t, d_slots);
  CHECK(cudaMemcpy(&t, d_t, sizeof t, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(slots, d_slots, sizeof slots, cudaMemcpyDeviceToHost));
  expect("sum", 0, t.sum, n * (n - 1) / 2);
  expect("low", 0, t.low, 0);
  expect("high", 0, t.high, n - 1);
  expect("bits", 0, t.bits, 0xffffffffu);
  expect("float_sum", 0, t.float_sum, 0.5 * n);
  expect("double_sum", 0, t.double_sum, 0.25 * n);
  expect("float_high", 0, t.float_high, 0.5 * (n - 1));
  for (int i = 0; i < n; i++) seen[slots[i]]++;
  for (int i = 0; i < n; i++) expect("seen", i, seen[i], 1);
  CHECK(cudaFree(d));
  CHECK(cudaFree(d_slots));
  CHECK(cudaFree(d_t));
}
