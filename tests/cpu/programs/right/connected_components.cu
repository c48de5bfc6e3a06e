/* Connected components by passing on the smaller label, with atomicMin, until nothing changes. */
#include "program.h"

__global__ void hook(const int *from, const int *to, int edges, int *label, int *changed) {
  const int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= edges) return;
  const int a = atomicAdd(&label[from[e]], 0), b = atomicAdd(&label[to[e]], 0);
  if (a == b) return;
  atomicMin(a < b ? &label[to[e]] : &label[from[e]], a < b ? a : b);
  atomicExch(changed, 1);
}

int main() {
  const int n = 90, edges = n - 3; // three chains
  int from[edges], to[edges], h[n], *d_from, *d_to, *label, *changed, again = 1;
  for (int i = 0, e = 0; i < n; i++) {
    h[i] = i;
    if (i % 30 != 29) {
      from[e] = i;
      to[e++] = i + 1;
    }
  }
  CHECK(cudaMalloc(&d_from, sizeof from));
  CHECK(cudaMalloc(&d_to, sizeof to));
  CHECK(cudaMalloc(&label, sizeof h));
  CHECK(cudaMalloc(&changed, sizeof *changed));
  CHECK(cudaMemcpy(d_from, from, sizeof from, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_to, to, sizeof to, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(label, h, sizeof h, cudaMemcpyHostToDevice));
  while (again) {
    CHECK(cudaMemset(changed, 0, sizeof *changed));
    hook<<<3, 32>>>(d_from, d_to, edges, label, changed);
    CHECK(cudaMemcpy(&again, changed, sizeof again, cudaMemcpyDeviceToHost));
  }
  CHECK(cudaMemcpy(h, label, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) expect("label", i, h[i], i / 30 * 30);
  CHECK(cudaFree(d_from));
  CHECK(cudaFree(d_to));
  CHECK(cudaFree(label));
  CHECK(cudaFree(changed));
}
