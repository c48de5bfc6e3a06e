// expect: ld.requests = 2**18 / 32
// expect: ld.sectors = 2**18 / 32 * 4
// expect: atomics.global = 2**18 / 32
// expect: operations.global = 2**18
// expect: most.global = 2**18 / 256
/* Every element is an atomic operation in global memory; 256 bins get 1024 each. */
#include "profile.h"

__global__ void histogram(unsigned *bins, const unsigned *in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&bins[in[i]], 1u);
}

int main() {
  const size_t n = 1 << 18;
  unsigned *in = device_array<unsigned>(n, [](size_t i) { return (unsigned)(i * 5 % 256); });
  unsigned *bins = device_array<unsigned>(256, [](size_t) { return 0u; });
  histogram<<<n / 256, 256>>>(bins, in);
  expect_array(bins, 256, [](size_t) { return 1024; });
  CHECK(cudaFree(in));
}
