// expect: ld.requests = 4 * 512 * 512 / 32
// expect: ld.sectors = 4 * 512 * 512 / 32 * 5 - 2 * (512 / 4) * (512 / 32)
// expect: st.requests = 512 * 512 / 32
// expect: st.sectors = 512 * 512 / 32 * 5
/* Rows of 514 floats begin 2 floats further in a sector each, so warps are seldom aligned: five sectors, and
 * four only for the left neighbours in one row of four, and the right ones in another. */
#include "profile.h"

#define WIDTH 514

__global__ void sweep(float *out, const float *in) {
  const int x = 1 + blockIdx.x * 32 + threadIdx.x, y = 1 + blockIdx.y * 8 + threadIdx.y, i = y * WIDTH + x;
  out[i] = 0.25f * (in[i - 1] + in[i + 1] + in[i - WIDTH] + in[i + WIDTH]);
}

static float result(size_t i) {
  const size_t x = i % WIDTH, y = i / WIDTH;
  if (x == 0 || y == 0 || x == WIDTH - 1 || y == WIDTH - 1) return nothing(i);
  return 0.25f * (number(i - 1) + number(i + 1) + number(i - WIDTH) + number(i + WIDTH));
}

int main() {
  float *in = device_array<float>(WIDTH * WIDTH, number), *out = device_array<float>(WIDTH * WIDTH, nothing);
  sweep<<<dim3(16, 64), dim3(32, 8)>>>(out, in);
  expect_array(out, WIDTH * WIDTH, result);
  CHECK(cudaFree(in));
}
