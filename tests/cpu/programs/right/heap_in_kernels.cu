/* Memory that kernels allocate: malloc and free by each thread, a list that one kernel builds and another one
 * sums up and frees, new and delete, and a null pointer where there is no room. */
#include "program.h"
#define THREADS 64

struct node {
  int value;
  node *next;
};

struct pair {
  int a, b;
  __device__ pair(int x, int y) : a(x), b(y) {}
  __device__ int sum() const { return a + b; }
};

__global__ void scratch(int *out) {
  const int t = threadIdx.x, n = t % 7 + 1;
  int *mine = (int *)malloc(n * sizeof *mine), sum = 0;
  if (!mine) return;
  for (int i = 0; i < n; i++) mine[i] = t + i;
  for (int i = 0; i < n; i++) sum += mine[i];
  out[t] = sum;
  free(mine);
}

__global__ void build(node **heads) {
  node *head = nullptr;
  for (int i = 0; i < 5; i++) {
    node *n = new node;
    n->value = threadIdx.x + i;
    n->next = head;
    head = n;
  }
  heads[threadIdx.x] = head;
}

__global__ void sum_up(node **heads, int *out) {
  int sum = 0;
  for (node *n = heads[threadIdx.x]; n;) {
    node *next = n->next;
    sum += n->value;
    delete n;
    n = next;
  }
  pair *p = new pair(sum, 1);
  int *few = new int[3];
  for (int i = 0; i < 3; i++) few[i] = p->sum() + i;
  out[threadIdx.x] = few[2];
  delete p;
  delete[] few;
}

__global__ void too_much(int *refused, size_t size) {
  void *volatile p = malloc(size);
  *refused = p == nullptr;
  free(p);
}

int main() {
  int h[THREADS], *d;
  node **heads;
  CHECK(cudaMalloc(&d, sizeof h));
  CHECK(cudaMalloc(&heads, THREADS * sizeof *heads));
  for (int round = 0; round < 3; round++) {
    scratch<<<1, THREADS>>>(d);
    CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    for (int t = 0; t < THREADS; t++) expect("scratch", t, h[t], (t % 7 + 1) * (t + t % 7 * 0.5));
    build<<<1, THREADS>>>(heads);
    sum_up<<<1, THREADS>>>(heads, d);
    CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    for (int t = 0; t < THREADS; t++) expect("list", t, h[t], 5 * t + 10 + 1 + 2);
  }
  too_much<<<1, 1>>>(d, ~(size_t)0 / 4);
  CHECK(cudaMemcpy(h, d, sizeof *h, cudaMemcpyDeviceToHost));
  expect("refused", 0, h[0], 1);
  CHECK(cudaFree(d));
  CHECK(cudaFree(heads));
  int *on_host = new int[10]();
  free(malloc(100));
  delete[] on_host;
}
