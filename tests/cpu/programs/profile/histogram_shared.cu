// expect: ld.requests = 2**18 / 32
// expect: ld.sectors = 2**18 / 32 * 4
// expect: shared_st.wavefronts = 64 * 256 / 32
// expect: shared_st.conflicts = 0
// expect: atomics.shared = 2**18 / 32
// expect: operations.shared = 2**18
// expect: most.shared = 2**18 / 64 / 256
// expect: atomics.global = 64 * 256 / 32
// expect: operations.global = 64 * 256
// expect: most.global = 64
/* 64 blocks with bins of their own in shared memory, added up in global memory at their end: 16 times fewer
 * atomics there. */
#include "profile.h"

__global__ void histogram(unsigned *bins, const unsigned *in, int n) {
  __shared__ unsigned mine[256];
  mine[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&mine[in[i]], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

int main() {
  const size_t n = 1 << 18;
  unsigned *in = device_array<unsigned>(n, [](size_t i) { return (unsigned)(i * 5 % 256); });
  unsigned *bins = device_array<unsigned>(256, [](size_t) { return 0u; });
  histogram<<<64, 256>>>(bins, in, (int)n);
  expect_array(bins, 256, [](size_t) { return 1024; });
  CHECK(cudaFree(in));
}
