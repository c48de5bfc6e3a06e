// expect: shared_st.wavefronts = 2**12 * 4
// expect: shared_st.conflicts = 2**12 * 0
// expect: shared_ld.wavefronts = 2**12 * 4
// expect: shared_ld.conflicts = 2**12 * 0
// expect: ld.requests = 2**12
// expect: st.requests = 2**12
// expect: ld.sectors = 2**12 * 16
// expect: st.sectors = 2**12 * 16
/* 16 bytes a lane go in four quarters of the warp: four wavefronts, and no conflict. */
#include "profile.h"

#define STRIDE 1

__global__ void pass(float4 *out, const float4 *in) {
  __shared__ float4 line[32 * STRIDE];
  const int t = threadIdx.x;
  line[STRIDE * t] = in[blockIdx.x * 32 + t];
  __syncthreads();
  out[blockIdx.x * 32 + t] = line[STRIDE * (31 - t)];
}

int main() {
  const size_t n = 1 << 17;
  float *in = device_array<float>(n * sizeof(float4) / 4, number),
        *out = device_array<float>(n * sizeof(float4) / 4, nothing);
  pass<<<n / 32, 32>>>((float4 *)out, (const float4 *)in);
  expect_array(out, 4 * n, [](size_t i) { return number((i / 128 * 32 + 31 - i / 4 % 32) * 4 + i % 4); });
  CHECK(cudaFree(in));
}
