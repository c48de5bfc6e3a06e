// expect: shared_st.wavefronts = 2**12 * 2
// expect: shared_st.conflicts = 2**12 * 0
// expect: shared_ld.wavefronts = 2**12 * 2
// expect: shared_ld.conflicts = 2**12 * 0
// expect: ld.requests = 2**12
// expect: st.requests = 2**12
// expect: ld.sectors = 2**12 * 8
// expect: st.sectors = 2**12 * 8
/* 8 bytes a lane go in two halves of the warp: two wavefronts, and no conflict. */
#include "profile.h"

#define STRIDE 1

__global__ void pass(double *out, const double *in) {
  __shared__ double line[32 * STRIDE];
  const int t = threadIdx.x;
  line[STRIDE * t] = in[blockIdx.x * 32 + t];
  __syncthreads();
  out[blockIdx.x * 32 + t] = line[STRIDE * (31 - t)];
}

int main() {
  const size_t n = 1 << 17;
  double *in = device_array<double>(n, number), *out = device_array<double>(n, nothing);
  pass<<<n / 32, 32>>>(out, in);
  expect_array(out, n, [](size_t i) { return number(i / 32 * 32 + 31 - i % 32); });
  CHECK(cudaFree(in));
}
