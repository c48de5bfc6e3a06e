// expect: shared_st.wavefronts = 2**12 * 32
// expect: shared_st.conflicts = 2**12 * 31
// expect: shared_ld.wavefronts = 2**12 * 32
// expect: shared_ld.conflicts = 2**12 * 31
// expect: ld.requests = 2**12
// expect: st.requests = 2**12
// expect: ld.sectors = 2**12 * 4
// expect: st.sectors = 2**12 * 4
/* All lanes in one bank. */
#include "profile.h"

#define STRIDE 32

__global__ void pass(float *out, const float *in) {
  __shared__ float line[32 * STRIDE];
  const int t = threadIdx.x;
  line[STRIDE * t] = in[blockIdx.x * 32 + t];
  __syncthreads();
  out[blockIdx.x * 32 + t] = line[STRIDE * (31 - t)];
}

int main() {
  const size_t n = 1 << 17;
  float *in = device_array<float>(n * sizeof(float) / 4, number),
        *out = device_array<float>(n * sizeof(float) / 4, nothing);
  pass<<<n / 32, 32>>>(out, in);
  expect_array(out, n, [](size_t i) { return number(i / 32 * 32 + 31 - i % 32); });
  CHECK(cudaFree(in));
}
