// expect: racecheck: transpose
// says: global memory that; without synchronisation between them
/* Both threads of a pair exchange the two elements, at the same time. */
#include "program.h"

__global__ void transpose(float *a, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
#ifdef FIXED
  if (x >= n || y >= x) return;
#else
  if (x >= n || y >= n) return;
#endif
  float v = a[y * n + x];      // <- at
  a[y * n + x] = a[x * n + y]; // <- at
  a[x * n + y] = v;            // <- at
}

int main() {
  const int n = 32;
  static float h[n * n];
  for (int i = 0; i < n * n; i++) h[i] = (float)i;
  float *a;
  CHECK(cudaMalloc(&a, sizeof h));
  CHECK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
  transpose<<<dim3(2, 2), dim3(16, 16)>>>(a, n);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(a));
}
