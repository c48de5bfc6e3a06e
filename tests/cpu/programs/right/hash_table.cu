/* Open addressing: atomicCAS claims a slot, atomicAdd counts; a second launch looks up plainly. */
#include "program.h"

#define SLOTS 512
#define EMPTY -1

__global__ void insert(const int *keys, int n, int *table, int *counts) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int key = keys[i];
  unsigned slot = (unsigned)key * 2654435761u % SLOTS;
  for (;;) {
    const int old = atomicCAS(&table[slot], EMPTY, key);
    if (old == EMPTY || old == key) break;
    slot = (slot + 1) % SLOTS;
  }
  atomicAdd(&counts[slot], 1);
}

__global__ void look_up(const int *table, const int *counts, int *found, int keys) {
  const int key = blockIdx.x * blockDim.x + threadIdx.x;
  if (key >= keys) return;
  unsigned slot = (unsigned)key * 2654435761u % SLOTS;
  while (table[slot] != key && table[slot] != EMPTY) slot = (slot + 1) % SLOTS;
  found[key] = table[slot] == key ? counts[slot] : 0;
}

int main() {
  const int n = 600, distinct = 100;
  int h[n], back[distinct + 1], *keys, *table, *counts, *found;
  for (int i = 0; i < n; i++) h[i] = i % distinct;
  CHECK(cudaMalloc(&keys, sizeof h));
  CHECK(cudaMalloc(&table, SLOTS * sizeof *table));
  CHECK(cudaMalloc(&counts, SLOTS * sizeof *counts));
  CHECK(cudaMalloc(&found, sizeof back));
  CHECK(cudaMemcpy(keys, h, sizeof h, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(table, 0xff, SLOTS * sizeof *table));
  CHECK(cudaMemset(counts, 0, SLOTS * sizeof *counts));
  insert<<<(n + 63) / 64, 64>>>(keys, n, table, counts);
  look_up<<<2, 64>>>(table, counts, found, distinct + 1);
  CHECK(cudaMemcpy(back, found, sizeof back, cudaMemcpyDeviceToHost));
  for (int k = 0; k < distinct; k++) expect("count", k, back[k], n / distinct);
  expect("absent", distinct, back[distinct], 0);
  CHECK(cudaFree(keys));
  CHECK(cudaFree(table));
  CHECK(cudaFree(counts));
  CHECK(cudaFree(found));
}
