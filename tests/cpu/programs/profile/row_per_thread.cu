// expect: ld.requests = 2048 / 32 * 128
// expect: ld.sectors = 2048 / 32 * 128 * 32
// expect: st.requests = 2048 / 32
// expect: st.sectors = 2048 / 32 * 4
/* Each thread sums a row of its own: at any time the lanes are in 32 different rows, 32 sectors. */
#include "profile.h"

#define COLUMNS 128

__global__ void row_sums(float *out, const float *in) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < COLUMNS; k++) sum += in[row * COLUMNS + k];
  out[row] = sum;
}

int main() {
  const size_t rows = 2048;
  float *in = device_array<float>(rows * COLUMNS, [](size_t i) { return (float)(i / COLUMNS % 100); });
  float *out = device_array<float>(rows, nothing);
  row_sums<<<rows / 256, 256>>>(out, in);
  expect_array(out, rows, [](size_t i) { return COLUMNS * (i % 100); });
  CHECK(cudaFree(in));
}
