/* Shared memory in the ways that programs lay it out: rows of one array seen as one row, a structure of
 * arrays walked by a pointer to its first, a union, an array taken for one of another type, parts of one
 * array handed to a function. */
#include "program.h"

#define N 32

struct particles {
  float x[N], y[N], z[N];
};
union either {
  int whole[N];
  unsigned char byte[4 * N];
};

__device__ float total(const float *p, int n) {
  float sum = 0;
  for (int i = 0; i < n; i++) sum += p[i];
  return sum;
}

__global__ void layouts(float *out) {
  __shared__ float rows[4][N];
  __shared__ particles all;
  __shared__ either bytes;
  __shared__ double pool[2 * N];
  int i = threadIdx.x;
  for (int r = 0; r < 4; r++) rows[r][i] = 1;
  all.x[i] = 1;
  all.y[i] = 2;
  all.z[i] = 3;
  bytes.whole[i] = 0x01010101;
  int *counts = (int *)pool;
  float4 *quads = (float4 *)(pool + N);
  counts[i] = counts[N + i] = 1;
  if (i < N / 2) quads[i] = make_float4(1, 2, 3, 4);
  __syncthreads();
  if (i == 0) out[0] = total(&rows[0][0], 4 * N);
  if (i == 1) out[1] = total(&rows[2][N / 2], N);
  if (i == 2) out[2] = total(reinterpret_cast<float *>(&all), 3 * N);
  if (i == 3) {
    int sum = 0;
    for (int k = 0; k < 4 * N; k++) sum += bytes.byte[k];
    out[3] = sum;
  }
  if (i == 4) out[4] = total((float *)(pool + N), 2 * N);
  if (i == 5) {
    int sum = 0;
    for (const int *c = counts; c != counts + 2 * N; c++) sum += *c;
    out[5] = sum;
  }
}

int main() {
  const double want[] = {4 * N, N, 6 * N, 4 * N, 5 * N, 2 * N};
  float h[6], *d;
  CHECK(cudaMalloc(&d, sizeof h));
  layouts<<<1, N>>>(d);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 6; i++) expect("layout", i, h[i], want[i]);
  CHECK(cudaFree(d));
}
