// expect: ld.requests = 3 * 2**15 / 32
// expect: ld.sectors = 3 * 2**15 / 32 * 4
// expect: st.requests = 2**15 / 32
// expect: st.sectors = 2**15 / 32 * 4
/* An array for each member: four sectors a load. */
#include "profile.h"

__global__ void combine(float *out, const float *x, const float *z, const float *vy) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = x[i] + z[i] + vy[i];
}

int main() {
  const size_t n = 1 << 15;
  float *in = device_array<float>(3 * n, number), *out = device_array<float>(n, nothing);
  combine<<<n / 256, 256>>>(out, in, in + n, in + 2 * n);
  expect_array(out, n, [](size_t i) { return number(i) + number(i + (1 << 15)) + number(i + (2 << 15)); });
  CHECK(cudaFree(in));
}
