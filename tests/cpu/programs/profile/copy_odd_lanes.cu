// expect: ld.requests = 2**18 / 32
// expect: ld.sectors = 2**18 / 32 * 4
// expect: st.requests = 2**18 / 32
// expect: st.sectors = 2**18 / 32 * 4
/* Half of the lanes, all of the sectors: what is saved by a condition is not saved in memory. */
#include "profile.h"

__global__ void copy_odd(float *out, const float *in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 2 == 1) out[i] = in[i];
}

int main() {
  const size_t n = 1 << 18;
  float *in = device_array<float>(n, number), *out = device_array<float>(n, nothing);
  copy_odd<<<n / 256, 256>>>(out, in);
  expect_array(out, n, [](size_t i) { return i % 2 == 1 ? number(i) : nothing(i); });
  CHECK(cudaFree(in));
}
