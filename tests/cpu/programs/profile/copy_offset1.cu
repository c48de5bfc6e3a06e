// expect: ld.requests = 2**18 / 32
// expect: ld.sectors = 2**18 / 32 * 5
// expect: st.requests = 2**18 / 32
// expect: st.sectors = 2**18 / 32 * 4
/* One float further: 128 bytes that begin in the middle of a sector touch five. */
#include "profile.h"

__global__ void shift(float *out, const float *in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i + 1];
}

int main() {
  const size_t n = 1 << 18;
  float *in = device_array<float>(n + 1, number), *out = device_array<float>(n, nothing);
  shift<<<n / 256, 256>>>(out, in);
  expect_array(out, n, [](size_t i) { return number(i + 1); });
  CHECK(cudaFree(in));
}
