/* Managed memory and variables: host and kernels in turn, with
   advice and prefetching, and in a linked list. */
#include "program.h"

struct node {
  int value;
  struct node *next;
};

__managed__ int counter = 3;
__managed__ float table[8];

__global__ void scale(float *x, int n, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= factor;
  if (i == 0) counter++;
  if (i < 8) table[i] = (float)i;
}

__global__ void sum_list(const struct node *first, int *sum) {
  *sum = 0;
  for (const struct node *p = first; p; p = p->next) *sum += p->value;
}

int main() {
  const int n = 1000;
  float *x;
  CHECK(cudaMallocManaged(&x, n * sizeof *x));
  for (int i = 0; i < n; i++) x[i] = (float)i;
  int device, concurrent;
  CHECK(cudaGetDevice(&device));
  CHECK(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, device));
  const cudaMemLocation here = {cudaMemLocationTypeDevice, device}, host = {cudaMemLocationTypeHost, 0};
  if (concurrent) {
    CHECK(cudaMemAdvise(x, n * sizeof *x, cudaMemAdviseSetPreferredLocation, here));
    CHECK(cudaMemAdvise(x, n * sizeof *x, cudaMemAdviseSetReadMostly, here));
    CHECK(cudaMemPrefetchAsync(x, n * sizeof *x, here, 0, 0));
  }
  scale<<<(n + 127) / 128, 128>>>(x, n, 2.0f);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < n; i++) {
    expect("x", i, x[i], 2.0 * i);
    x[i] += 1;
  }
  expect("counter", 0, counter, 4);
  expect("table", 7, table[7], 7);
  counter = 10;
  scale<<<(n + 127) / 128, 128>>>(x, n, 0.5f);
  if (concurrent) CHECK(cudaMemPrefetchAsync(x, n * sizeof *x, host, 0, 0));
  float h[4];
  CHECK(cudaMemcpy(h, x, sizeof h, cudaMemcpyDefault));
  expect("h", 3, h[3], 3.5);
  CHECK(cudaDeviceSynchronize());
  expect("x", n - 1, x[n - 1], n - 0.5);
  expect("counter", 1, counter, 11);

  struct node *nodes;
  int *sum;
  CHECK(cudaMallocManaged(&nodes, 10 * sizeof *nodes));
  CHECK(cudaMallocManaged(&sum, sizeof *sum, cudaMemAttachGlobal));
  for (int i = 0; i < 10; i++) {
    nodes[i].value = i;
    nodes[i].next = i < 9 ? &nodes[i + 1] : NULL;
  }
  sum_list<<<1, 1>>>(nodes, sum);
  CHECK(cudaDeviceSynchronize());
  expect("sum", 0, *sum, 45);
  CHECK(cudaMemset(sum, 0, sizeof *sum));
  CHECK(cudaDeviceSynchronize());
  expect("sum", 1, *sum, 0);
  cudaPointerAttributes attributes;
  CHECK(cudaPointerGetAttributes(&attributes, nodes + 1));
  expect("type", 0, attributes.type, cudaMemoryTypeManaged);
  expect("pointers", 0, attributes.devicePointer == attributes.hostPointer, 1);
  CHECK(cudaFree(sum));
  CHECK(cudaFree(nodes));
  CHECK(cudaFree(x));
}
