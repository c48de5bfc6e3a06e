/* Sums of few lanes: the upper half reads lanes that do not exist, into values that are not used. */
#include "program.h"
__global__ void sum16(const int *in, int *out) {
  int v = in[threadIdx.x];
  for (int o = 8; o > 0; o /= 2) v += __shfl_down_sync(0xffff, v, o);
  if (threadIdx.x == 0) *out = v;
}
__global__ void sum_block(const int *in, int *out) {
  __shared__ int s[8];
  int v = in[threadIdx.x];
  for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(0xffffffff, v, o);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x < 8) {
    v = s[threadIdx.x];
    for (int o = 4; o > 0; o /= 2) v += __shfl_down_sync(0xff, v, o);
    if (threadIdx.x == 0) *out = v;
  }
}
__global__ void sum_xor(const int *in, int *out) {
  const unsigned mask = __ballot_sync(0xffffffff, threadIdx.x < 24);
  if (threadIdx.x >= 24) return;
  int v = in[threadIdx.x];
  for (int o = 4; o > 0; o /= 2) v += __shfl_xor_sync(mask, v, o);
  if (threadIdx.x % 8 == 0) out[threadIdx.x / 8] = v;
}
int main() {
  int h[256], *in, *out, r[3], want = 0;
  for (int i = 0; i < 256; i++) h[i] = i * i % 37;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, 12));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  sum16<<<1, 16>>>(in, out);
  CHECK(cudaMemcpy(r, out, 4, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 16; i++) want += h[i];
  expect("16", 0, r[0], want);
  sum_block<<<1, 256>>>(in, out);
  CHECK(cudaMemcpy(r, out, 4, cudaMemcpyDeviceToHost));
  for (int i = 16; i < 256; i++) want += h[i];
  expect("256", 0, r[0], want);
  sum_xor<<<1, 32>>>(in, out);
  CHECK(cudaMemcpy(r, out, 12, cudaMemcpyDeviceToHost));
  for (int k = 0; k < 3; k++) {
    want = 0;
    for (int i = 0; i < 8; i++) want += h[k * 8 + i];
    expect("8", k, r[k], want);
  }
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}
