/* 32 flags to a word, by ballot; and bits set by atomicOr from anywhere. */
#include "program.h"

__global__ void pack(const int *in, unsigned *bits, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned word = __ballot_sync(0xffffffffu, i < n && in[i] % 3 == 0);
  if (threadIdx.x % 32 == 0 && i < n) bits[i / 32] = word;
}

__global__ void pack_by_atomics(const int *in, unsigned *bits, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] % 3 == 0) atomicOr(&bits[i / 32], 1u << (i % 32));
}

int main() {
  const int n = 300, words = (n + 31) / 32;
  int h[n], *in;
  unsigned *bits[2], a[words], b[words];
  for (int i = 0; i < n; i++) h[i] = i;
  CHECK(cudaMalloc(&in, sizeof h));
  for (int k = 0; k < 2; k++) CHECK(cudaMalloc(&bits[k], sizeof a));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(bits[1], 0, sizeof a));
  pack<<<(n + 63) / 64, 64>>>(in, bits[0], n);
  pack_by_atomics<<<(n + 63) / 64, 64>>>(in, bits[1], n);
  CHECK(cudaMemcpy(a, bits[0], sizeof a, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(b, bits[1], sizeof b, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) {
    expect("ballot", i, a[i / 32] >> (i % 32) & 1, i % 3 == 0);
    expect("atomic", i, b[i / 32] >> (i % 32) & 1, i % 3 == 0);
  }
  CHECK(cudaFree(in));
  for (int k = 0; k < 2; k++) CHECK(cudaFree(bits[k]));
}
