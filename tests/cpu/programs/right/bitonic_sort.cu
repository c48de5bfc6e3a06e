/* Bitonic sort of one block's worth in shared memory: pairs exchange, a barrier after each step. */
#include "program.h"

__global__ void sort(int *data) {
  __shared__ int s[256];
  const unsigned t = threadIdx.x;
  s[t] = data[t];
  __syncthreads();
  for (unsigned size = 2; size <= blockDim.x; size *= 2)
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      const unsigned partner = t ^ stride;
      if (partner > t) {
        const bool up = (t & size) == 0;
        if ((s[t] > s[partner]) == up) {
          const int v = s[t];
          s[t] = s[partner];
          s[partner] = v;
        }
      }
      __syncthreads();
    }
  data[t] = s[t];
}

int main() {
  const int n = 256;
  int h[n], *d;
  for (int i = 0; i < n; i++) h[i] = (i * 73) % n;
  CHECK(cudaMalloc(&d, sizeof h));
  CHECK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  sort<<<1, n>>>(d);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) expect("sorted", i, h[i], i);
  CHECK(cudaFree(d));
}
