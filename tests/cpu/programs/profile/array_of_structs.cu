// expect: ld.requests = 3 * 2**15 / 32
// expect: ld.sectors = 3 * 2**15 / 32 * 32
// expect: st.requests = 2**15 / 32
// expect: st.sectors = 2**15 / 32 * 4
/* A struct of 32 bytes is a sector: each of the three loads touches 32 of them, for 4 bytes each. */
#include "profile.h"

struct body {
  float x, y, z, vx, vy, vz, mass, charge;
};

__global__ void combine(float *out, const body *in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i].x + in[i].z + in[i].vy; /* not neighbours in memory: nvcc cannot load two at a time */
}

int main() {
  const size_t n = 1 << 15;
  float *in = device_array<float>(8 * n, number), *out = device_array<float>(n, nothing);
  combine<<<n / 256, 256>>>(out, (const body *)in);
  expect_array(out, n, [](size_t i) { return number(8 * i) + number(8 * i + 2) + number(8 * i + 4); });
  CHECK(cudaFree(in));
}
