// expect: ld.requests = 2**18 / 32
// expect: ld.sectors = 2**18 / 32 * 4
// expect: st.requests = 2**18 / 256
// expect: st.sectors = 2**18 / 256
// expect: shared_st.wavefronts = 2**18 / 256 * (8 + 4 + 2 + 1 + 1 + 1 + 1 + 1 + 1)
// expect: shared_st.conflicts = 0
// expect: shared_ld.wavefronts = 2**18 / 256 * (2 * (4 + 2 + 1 + 1 + 1 + 1 + 1 + 1) + 1)
// expect: shared_ld.conflicts = 0
// expect: barriers = 2**18 / 256 * (1 + 8)
/* A tree in shared memory: 8 warps put in their numbers, then 4, 2 and 1 warps add, the last five times with
 * fewer lanes. */
#include "profile.h"

__global__ void reduce(float *out, const float *in) {
  __shared__ float sum[256];
  const int t = threadIdx.x;
  sum[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (int s = 128; s > 0; s /= 2) {
    if (t < s) sum[t] += sum[t + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sum[0];
}

int main() {
  const size_t n = 1 << 18;
  float *in = device_array<float>(n, [](size_t i) { return (float)(i / 256 % 100); });
  float *out = device_array<float>(n / 256, nothing);
  reduce<<<n / 256, 256>>>(out, in);
  expect_array(out, n / 256, [](size_t i) { return 256 * (i % 100); });
  CHECK(cudaFree(in));
}
