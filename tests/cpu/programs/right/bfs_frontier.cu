/* Breadth-first search on a grid graph: atomicCAS claims a node, atomicAdd gives it a place in the next
 * frontier. */
#include "program.h"

#define SIDE 24
#define N    (SIDE * SIDE)

__device__ void visit(int node, int level, int *distance, int *next, int *length) {
  if (distance[node] >= 0) return; // a look beforehand saves most of the atomics
  if (atomicCAS(&distance[node], -1, level) == -1) next[atomicAdd(length, 1)] = node;
}

__global__ void expand(const int *frontier, int count, int level, int *distance, int *next, int *length) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const int node = frontier[i], x = node % SIDE, y = node / SIDE;
  if (x > 0) visit(node - 1, level, distance, next, length);
  if (x < SIDE - 1) visit(node + 1, level, distance, next, length);
  if (y > 0) visit(node - SIDE, level, distance, next, length);
  if (y < SIDE - 1) visit(node + SIDE, level, distance, next, length);
}

int main() {
  int h[N], *distance, *queue[2], *length, count = 1;
  CHECK(cudaMalloc(&distance, sizeof h));
  CHECK(cudaMalloc(&queue[0], sizeof h));
  CHECK(cudaMalloc(&queue[1], sizeof h));
  CHECK(cudaMalloc(&length, sizeof *length));
  CHECK(cudaMemset(distance, 0xff, sizeof h));
  CHECK(cudaMemset(distance, 0, sizeof *distance));
  CHECK(cudaMemset(queue[0], 0, sizeof *queue[0]));
  for (int level = 1; count > 0; level++) {
    CHECK(cudaMemset(length, 0, sizeof *length));
    expand<<<(count + 31) / 32, 32>>>(queue[(level - 1) % 2], count, level, distance, queue[level % 2],
                                      length);
    CHECK(cudaMemcpy(&count, length, sizeof count, cudaMemcpyDeviceToHost));
  }
  CHECK(cudaMemcpy(h, distance, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < N; i++) expect("distance", i, h[i], i % SIDE + i / SIDE);
  CHECK(cudaFree(distance));
  CHECK(cudaFree(queue[0]));
  CHECK(cudaFree(queue[1]));
  CHECK(cudaFree(length));
}
