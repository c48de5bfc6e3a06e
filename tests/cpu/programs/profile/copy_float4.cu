// expect: ld.requests = 2**18 / 4 / 32
// expect: ld.sectors = 2**18 / 4 / 32 * 16
// expect: st.requests = 2**18 / 4 / 32
// expect: st.sectors = 2**18 / 4 / 32 * 16
/* 16 bytes a lane: a quarter of the requests, each of four times as many sectors, none wasted. */
#include "profile.h"

__global__ void copy4(float4 *out, const float4 *in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}

int main() {
  const size_t n = 1 << 18;
  float *in = device_array<float>(n, number), *out = device_array<float>(n, nothing);
  copy4<<<n / 4 / 256, 256>>>((float4 *)out, (const float4 *)in);
  expect_array(out, n, number);
  CHECK(cudaFree(in));
}
