/* Half precision as programs use it: dot products in half2 with float sums, shuffles of halves, atomic sums,
 * and a template that takes float, half or bfloat16. */
#include "program.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void dot(const __half2 *a, const __half2 *b, int pairs, float *out) {
  float sum = 0.0f;
  for (int i = threadIdx.x; i < pairs; i += blockDim.x) {
    const float2 product = __half22float2(__hmul2(a[i], b[i]));
    sum += product.x + product.y;
  }
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
  if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}

__global__ void sums(__half *out, __half2 *out2) {
  __half v = __float2half((float)threadIdx.x);
  for (int d = 1; d < 32; d *= 2) v = __hadd(v, __shfl_xor_sync(0xffffffff, v, d));
  const __half2 pair = __shfl_sync(0xffffffff, __floats2half2_rn((float)threadIdx.x, -1.0f), 5);
  if (threadIdx.x == 0) out[0] = v;
  atomicAdd(&out[1], __float2half(0.5f));
  atomicAdd(out2, pair);
}

template <class T> __global__ void scale(T *x, T factor) {
  x[threadIdx.x] = x[threadIdx.x] * factor + T(1.0f);
}

template <class T> static void judge_scale() {
  T h[16], *d;
  for (int i = 0; i < 16; i++) h[i] = T((float)i);
  CHECK(cudaMalloc(&d, sizeof h));
  CHECK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  scale<T><<<1, 16>>>(d, T(0.5f));
  CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 16; i++) expect("scaled", i, (float)h[i], 0.5 * i + 1);
  CHECK(cudaFree(d));
}

int main() {
  const int pairs = 200;
  __half2 a[pairs], b[pairs], *d_a, *d_b;
  float sum = 0.0f, *d_sum;
  double want = 0;
  for (int i = 0; i < pairs; i++) {
    a[i] = __floats2half2_rn(i % 7, -i % 5);
    b[i] = __floats2half2_rn(0.25f, i % 3);
    want += 0.25 * (i % 7) + (double)(-i % 5) * (i % 3);
  }
  CHECK(cudaMalloc(&d_a, sizeof a));
  CHECK(cudaMalloc(&d_b, sizeof b));
  CHECK(cudaMalloc(&d_sum, sizeof sum));
  CHECK(cudaMemcpy(d_a, a, sizeof a, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_b, b, sizeof b, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(d_sum, 0, sizeof sum));
  dot<<<1, 64>>>(d_a, d_b, pairs, d_sum);
  CHECK(cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost));
  expect("dot", 0, sum, want);
  CHECK(cudaFree(d_a));
  CHECK(cudaFree(d_b));
  CHECK(cudaFree(d_sum));

  __half out[2], *d_out;
  __half2 out2, *d_out2;
  CHECK(cudaMalloc(&d_out, sizeof out));
  CHECK(cudaMalloc(&d_out2, sizeof out2));
  CHECK(cudaMemset(d_out, 0, sizeof out));
  CHECK(cudaMemset(d_out2, 0, sizeof out2));
  sums<<<1, 32>>>(d_out, d_out2);
  CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(&out2, d_out2, sizeof out2, cudaMemcpyDeviceToHost));
  expect("shuffled sum", 0, __half2float(out[0]), 496);
  expect("atomic sum", 0, __half2float(out[1]), 16);
  expect("atomic pair", 0, __low2float(out2), 160);
  expect("atomic pair", 1, __high2float(out2), -32);
  CHECK(cudaFree(d_out));
  CHECK(cudaFree(d_out2));

  judge_scale<float>();
  judge_scale<__half>();
  judge_scale<__nv_bfloat16>();
}
