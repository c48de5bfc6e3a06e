// compiler: g++
// expect: ld.requests = 2**18 / 4 / 32
// expect: ld.sectors = 2**18 / 4 / 32 * 16
// expect: st.requests = 2**18 / 4 / 32
// expect: st.sectors = 2**18 / 4 / 32 * 16
/* 16 bytes a lane, through a variable whose members are changed: still one load and one store. clang takes
   the variable apart before it places its hooks. */
#include "profile.h"

__global__ void scale4(float4 *out, const float4 *in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 v = in[i];
  v.x *= 2;
  v.y *= 2;
  v.z *= 2;
  v.w *= 2;
  out[i] = v;
}

static float twice(size_t i) { return 2 * number(i); }

int main() {
  const size_t n = 1 << 18;
  float *in = device_array<float>(n, number), *out = device_array<float>(n, nothing);
  scale4<<<n / 4 / 256, 256>>>((float4 *)out, (const float4 *)in);
  expect_array(out, n, twice);
  CHECK(cudaFree(in));
}
