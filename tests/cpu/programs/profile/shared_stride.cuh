/* Through a shared line in which neighbours lie STRIDE words apart, there and back. */
#include "profile.h"

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
