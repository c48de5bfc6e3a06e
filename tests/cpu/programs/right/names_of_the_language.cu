/* Names of the language are variables: host code gives them to its own, in every way that C++ knows. Kernels
 * and functions for both keep theirs, and may hide them, too. */
#include "program.h"

namespace shapes {
dim3 gridDim(2), blockDim(32);
int warpSize = 7, threadIdx = 9;
} // namespace shapes

struct shape {
  dim3 gridDim, blockDim;
  int threadIdx = 0, blockIdx = 0, warpSize = 0;
  shape(dim3 gridDim, dim3 blockDim) : gridDim(gridDim), blockDim(blockDim) {}
  unsigned threads() const { return gridDim.x * blockDim.x; }
};

enum class part { threadIdx, blockIdx, blockDim, gridDim };

__host__ __device__ inline unsigned half(unsigned blockDim) { return blockDim / 2; }

/* On the device the thread's place; on the host, 1000. */
__host__ __device__ inline unsigned place() {
#ifdef __CUDA_ARCH__
  return blockIdx.x * blockDim.x + threadIdx.x;
#else
  return 1000;
#endif
}

__device__ unsigned row_of(const uint3 &threadIdx) { return threadIdx.y; }
template <class T> __device__ T smaller(T a, T b) { return a < b ? a : b; }

/* Writes for each thread: where it is, read in several ways. */
__global__ void places(unsigned *out) {
  const unsigned i = place();
  const dim3 block = blockDim;
  const auto grid = gridDim;
  const uint3 thread = threadIdx;
  dim3 copy(blockDim);
  copy = i % 2 ? blockDim : block;
  const auto inner = [=] { return thread.x + blockIdx.x * copy.x; };
  out[i] = inner() + half(blockDim.x) + 100 * grid.x + row_of(threadIdx) + smaller(blockDim.y, gridDim.y);
  __syncthreads();
  {
    struct {
      unsigned x;
    } threadIdx = {i + 1}; /* a kernel may hide them, too */
    out[i] += threadIdx.x - i;
  }
  if (threadIdx.x >= blockDim.x || warpSize != 32) out[i] = 0;
}

static void launch_of(dim3 gridDim, dim3 blockDim, unsigned *d_out) { places<<<gridDim, blockDim>>>(d_out); }

static void judge(const char *what, const unsigned *d_out) {
  unsigned out[64];
  CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
  for (unsigned i = 0; i < 64; i++) expect(what, i, out[i], i + 16 + 200 + 1 + 1);
}

int main() {
  unsigned *d_out;
  CHECK(cudaMalloc(&d_out, 64 * sizeof *d_out));
  {
    dim3 gridDim(2, 1), blockDim(16, 16);
    blockDim.x = 32;
    blockDim.y = 1;
    places<<<gridDim, blockDim>>>(d_out);
    judge("locals", d_out);
    const auto again = [=] { places<<<gridDim, blockDim.x>>>(d_out); };
    again();
    judge("captured", d_out);
    const auto with_own = [gridDim = dim3(2), blockDim = 32, d_out] { places<<<gridDim, blockDim>>>(d_out); };
    with_own();
    judge("captures of its own", d_out);
  }
  launch_of({2}, {32}, d_out);
  judge("parameters", d_out);
  {
    using namespace shapes;
    places<<<shapes::gridDim, shapes::blockDim>>>(d_out);
    judge("a namespace", d_out);
    expect("numbers", 0, shapes::warpSize + shapes::threadIdx, 16);
  }
  shape s({2}, {32});
  s.blockDim.y = 1;
  places<<<s.gridDim, s.blockDim>>>(d_out);
  judge("members", d_out);
  expect("members", 0, s.threads() + s.threadIdx + s.blockIdx + s.warpSize, 64);
  for (int blockIdx = 0, threadIdx = 1; blockIdx < 2; blockIdx++) {
    const int blockDim = 32, gridDim = 2, warpSize = threadIdx;
    places<<<gridDim, blockDim * warpSize>>>(d_out);
    judge("numbers", d_out);
  }
  const auto &[threadIdx, blockIdx] = int2{3, 4};
  expect("a structure taken apart", 0, threadIdx * blockIdx + (int)part::blockDim, 14);
  cudaLaunchConfig_t config = {};
  config.gridDim = 2;
  config.blockDim = dim3(32);
  CHECK(cudaLaunchKernelEx(&config, places, d_out));
  judge("a configuration", d_out);
  expect("the host's", 0, place(), 1000);
  CHECK(cudaFree(d_out));
}
