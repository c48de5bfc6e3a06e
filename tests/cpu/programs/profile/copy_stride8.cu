// expect: ld.requests = 2**15 / 32
// expect: ld.sectors = 2**15 / 32 * 32
// expect: st.requests = 2**15 / 32
// expect: st.sectors = 2**15 / 32 * 4
/* One float of every eight: each lane has a sector of its own. */
#include "profile.h"

#define STRIDE 8

__global__ void gather(float *out, const float *in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[STRIDE * i];
}

int main() {
  const size_t n = 1 << 15;
  float *in = device_array<float>(STRIDE * n, number), *out = device_array<float>(n, nothing);
  gather<<<n / 256, 256>>>(out, in);
  expect_array(out, n, [](size_t i) { return number(STRIDE * i); });
  CHECK(cudaFree(in));
}
