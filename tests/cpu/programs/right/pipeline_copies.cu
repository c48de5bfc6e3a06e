/* cuda_pipeline.h: two tiles in turn, one being filled in the background while the other is read; copies of
   4, 8 and 16 bytes, and one whose end is filled with zeros. */
#include <cuda_pipeline.h>

#include "program.h"

enum { THREADS = 64, TILES = 5 };

__global__ void sums(const float4 *in, float *out) {
  __shared__ float4 tile[2][THREADS];
  float sum = 0;
  __pipeline_memcpy_async(&tile[0][threadIdx.x], &in[threadIdx.x], sizeof(float4));
  __pipeline_commit();
  for (int t = 0; t < TILES; t++) {
    if (t + 1 < TILES)
      __pipeline_memcpy_async(&tile[(t + 1) % 2][threadIdx.x], &in[(t + 1) * THREADS + threadIdx.x],
                              sizeof(float4));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    const float4 v = tile[t % 2][THREADS - 1 - threadIdx.x];
    sum += v.x + v.y + v.z + v.w;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void widths(const int *in, int *out) {
  __shared__ __align__(16) int part[8];
  if (threadIdx.x == 0) {
    __pipeline_memcpy_async(part, in, 4);
    __pipeline_memcpy_async(part + 2, in + 2, 8);
    __pipeline_memcpy_async(part + 4, in + 4, 16, 8); /* the last two are zeros, and in has none */
    __pipeline_commit();
    __pipeline_wait_prior(0);
    part[1] = 1;
  }
  __syncthreads();
  out[threadIdx.x] = part[threadIdx.x];
}

int main() {
  static float4 h_in[TILES * THREADS];
  float h_out[THREADS];
  for (int i = 0; i < TILES * THREADS; i++) h_in[i] = make_float4(i, 1, 2, 3);
  float4 *in;
  float *out;
  CHECK(cudaMalloc(&in, sizeof h_in));
  CHECK(cudaMalloc(&out, sizeof h_out));
  CHECK(cudaMemcpy(in, h_in, sizeof h_in, cudaMemcpyHostToDevice));
  sums<<<1, THREADS>>>(in, out);
  CHECK(cudaMemcpy(h_out, out, sizeof h_out, cudaMemcpyDeviceToHost));
  for (int i = 0; i < THREADS; i++)
    expect("sum", i, h_out[i], TILES * (THREADS - 1 - i + 6) + THREADS * TILES * (TILES - 1) / 2);
  const int six[6] = {10, 11, 12, 13, 14, 15}, want[8] = {10, 1, 12, 13, 14, 15, 0, 0};
  int *d_six, *d_eight, eight[8];
  CHECK(cudaMalloc(&d_six, sizeof six));
  CHECK(cudaMalloc(&d_eight, sizeof eight));
  CHECK(cudaMemcpy(d_six, six, sizeof six, cudaMemcpyHostToDevice));
  widths<<<1, 8>>>(d_six, d_eight);
  CHECK(cudaMemcpy(eight, d_eight, sizeof eight, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 8; i++) expect("part", i, eight[i], want[i]);
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  CHECK(cudaFree(d_six));
  CHECK(cudaFree(d_eight));
}
