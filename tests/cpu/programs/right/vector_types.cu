/* float4 loads and stores, with a tail for what is left. */
#include "program.h"

__global__ void scale4(const float4 *in, float4 *out, int n4, const float *in1, float *out1, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n4) {
    float4 v = in[i];
    out[i] = make_float4(2.0f * v.x, 2.0f * v.y, 2.0f * v.z, 2.0f * v.w);
  }
  int tail = n4 * 4 + i;
  if (tail < n) out1[tail] = 2.0f * in1[tail];
}

int main() {
  const int n = 1027;
  float h[n], *in, *out;
  for (int i = 0; i < n; i++) h[i] = (float)i;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, sizeof h));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  scale4<<<3, 96>>>((const float4 *)in, reinterpret_cast<float4 *>(out), n / 4, in, out, n);
  CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) expect("out", i, h[i], 2.0 * i);
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}
