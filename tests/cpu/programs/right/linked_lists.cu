/* Lists built by atomicExch on their heads: nodes from a pool, each thread pushes its own. */
#include "program.h"

#define LISTS 7

struct node {
  int value, next;
};

__global__ void push(node *pool, int *heads, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  pool[i].value = i;
  pool[i].next = atomicExch(&heads[i % LISTS], i);
}

__global__ void sum(const node *pool, const int *heads, int *sums) {
  int s = 0;
  for (int i = heads[threadIdx.x]; i >= 0; i = pool[i].next) s += pool[i].value;
  sums[threadIdx.x] = s;
}

int main() {
  const int n = 150;
  int h[LISTS], *heads, *sums;
  node *pool;
  CHECK(cudaMalloc(&pool, n * sizeof *pool));
  CHECK(cudaMalloc(&heads, sizeof h));
  CHECK(cudaMalloc(&sums, sizeof h));
  CHECK(cudaMemset(heads, 0xff, sizeof h));
  push<<<3, 64>>>(pool, heads, n);
  sum<<<1, LISTS>>>(pool, heads, sums);
  CHECK(cudaMemcpy(h, sums, sizeof h, cudaMemcpyDeviceToHost));
  for (int l = 0; l < LISTS; l++) {
    int s = 0;
    for (int i = l; i < n; i += LISTS) s += i;
    expect("sum", l, h[l], s);
  }
  CHECK(cudaFree(pool));
  CHECK(cudaFree(heads));
  CHECK(cudaFree(sums));
}
