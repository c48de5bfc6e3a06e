// expect: ld.requests = 2**18 / 32
// expect: ld.sectors = 2**18 / 32 * 4
// expect: st.requests = 2**18 / 32
// expect: st.sectors = 2**18 / 32 * 4
/* Neighbouring lanes, neighbouring floats: 32 lanes of 4 bytes are 128 bytes, four sectors. */
#include "profile.h"

__global__ void copy(float *out, const float *in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}

int main() {
  const size_t n = 1 << 18;
  float *in = device_array<float>(n, number), *out = device_array<float>(n, nothing);
  copy<<<n / 256, 256>>>(out, in);
  expect_array(out, n, number);
  CHECK(cudaFree(in));
}
