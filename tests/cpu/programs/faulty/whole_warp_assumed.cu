// expect: memcheck: compact
// says: writes 4 bytes; past the end of its array
/* Each group of lanes that come here together takes 32 places, as if a warp always came whole: the places run
 * out. */
#include "program.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void compact(const int *in, int *out, int *count) {
  const int v = in[threadIdx.x];
  if (v > 0) {
    const auto group = cg::coalesced_threads();
#ifdef FIXED
    const int places = group.size();
#else
    const int places = 32;
#endif
    int first = 0;
    if (group.thread_rank() == 0) first = atomicAdd(count, places);
    out[group.shfl(first, 0) + group.thread_rank()] = v; // <- at
  }
}

int main() {
  const int n = 128;
  int h[n], *in, *out, *count;
  for (int i = 0; i < n; i++) h[i] = i % 2;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, n / 2 * sizeof *out));
  CHECK(cudaMalloc(&count, sizeof *count));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(count, 0, sizeof *count));
  compact<<<1, n>>>(in, out, count);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  cudaFree(count);
}
