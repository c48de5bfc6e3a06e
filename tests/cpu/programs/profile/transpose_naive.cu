// expect: ld.requests = 512 * 512 / 32
// expect: ld.sectors = 512 * 512 / 32 * 4
// expect: st.requests = 512 * 512 / 32
// expect: st.sectors = 512 * 512 / 32 * 32
/* Rows are read side by side and written one below the other: each lane's store has a sector of its own. */
#include "profile.h"

#define N 512

__global__ void transpose(float *out, const float *in) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  out[x * N + y] = in[y * N + x];
}

int main() {
  float *in = device_array<float>(N * N, number), *out = device_array<float>(N * N, nothing);
  transpose<<<dim3(N / 32, N / 8), dim3(32, 8)>>>(out, in);
  expect_array(out, N * N, [](size_t i) { return number(i % N * N + i / N); });
  CHECK(cudaFree(in));
}
