/* A plain read before an atomic operation does no harm where a stale value costs only another turn, and where
 * one swap claims a place. */
#include "program.h"

#include <cuda/atomic>

__global__ void by_reading_again(int *most, const int *in) {
  for (;;) {
    const int old = *most;
    if (old >= in[blockIdx.x * 64 + threadIdx.x]) break;
    atomicCAS(most, old, in[blockIdx.x * 64 + threadIdx.x]);
  }
}

__global__ void by_looking_first(int *most, const int *in) {
  const int mine = in[blockIdx.x * 64 + threadIdx.x];
  if (mine > *most) atomicMax(most, mine);
}

__global__ void in_floats(int *most, const int *in) {
  const float mine = static_cast<float>(in[blockIdx.x * 64 + threadIdx.x]);
  int old = *most, expected;
  do {
    expected = old;
    old = atomicCAS(most, expected, max(expected, static_cast<int>(mine)));
  } while (old != expected);
}

__global__ void by_references(int *most, const int *in) {
  cuda::atomic_ref<int, cuda::thread_scope_device> shared_by_all(*most);
  shared_by_all.fetch_max(in[blockIdx.x * 64 + threadIdx.x], cuda::memory_order_relaxed);
}

__global__ void claim(int *place, int *claimed) {
  const int i = threadIdx.x % 16;
  if (place[i] == 0 && atomicCAS(&place[i], 0, 1) == 0) atomicAdd(claimed, 1);
}

int main() {
  int h[256], *in, *most, *place, result;
  for (int i = 0; i < 256; i++) h[i] = i * 7 % 256;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&most, sizeof *most));
  CHECK(cudaMalloc(&place, 16 * sizeof *place));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  void (*const kernels[])(int *, const int *) = {by_reading_again, by_looking_first, in_floats,
                                                 by_references};
  for (int k = 0; k < 4; k++) {
    CHECK(cudaMemset(most, 0, sizeof *most));
    kernels[k]<<<4, 64>>>(most, in);
    CHECK(cudaMemcpy(&result, most, sizeof result, cudaMemcpyDeviceToHost));
    expect("most", k, result, 255);
  }
  CHECK(cudaMemset(most, 0, sizeof *most));
  CHECK(cudaMemset(place, 0, 16 * sizeof *place));
  claim<<<4, 64>>>(place, most);
  CHECK(cudaMemcpy(&result, most, sizeof result, cudaMemcpyDeviceToHost));
  expect("claimed", 0, result, 16);
  CHECK(cudaFree(in));
  CHECK(cudaFree(most));
  CHECK(cudaFree(place));
}
