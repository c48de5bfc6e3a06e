/* One pass of a radix sort by one bit: flags, an exclusive scan in shared memory, a stable scatter. */
#include "program.h"

__global__ void split(const unsigned *in, unsigned *out, int bit) {
  __shared__ unsigned zeros[2][256];
  const int t = threadIdx.x, n = blockDim.x;
  const unsigned v = in[t], zero = !(v >> bit & 1);
  int from = 0;
  zeros[0][t] = zero;
  __syncthreads();
  for (int d = 1; d < n; d *= 2, from ^= 1) {
    zeros[from ^ 1][t] = zeros[from][t] + (t >= d ? zeros[from][t - d] : 0);
    __syncthreads();
  }
  const unsigned before = zeros[from][t] - zero, all = zeros[from][n - 1];
  out[zero ? before : all + (t - before)] = v;
}

int main() {
  const int n = 256;
  unsigned h[n], *a, *b;
  for (int i = 0; i < n; i++) h[i] = (unsigned)(i * 167 + 13) % n;
  CHECK(cudaMalloc(&a, sizeof h));
  CHECK(cudaMalloc(&b, sizeof h));
  CHECK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
  for (int bit = 0; bit < 8; bit++) split<<<1, n>>>(bit % 2 ? b : a, bit % 2 ? a : b, bit);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) expect("sorted", i, h[i], i);
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
}
