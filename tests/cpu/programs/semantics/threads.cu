// with: CUCC_CHECK=none
/* Threads that returned do not count at a barrier; shuffles past the segment; a variable of the device has a
 * shadow on the host, which begins as 0. Prints nothing when all is as on an H200 with CUDA 13. */
#include "../program.h"

__device__ int counter = 5;
__device__ int table[3] = {1, 2, 3};
__constant__ float factor = 2.5f;
__managed__ int shared_by_both = 9; /* one variable, no shadow */

__global__ void late_barrier(int *out) {
  __shared__ int seen;
  if (threadIdx.x == 0) seen = 0;
  __syncthreads();
  if (threadIdx.x >= 40) return;
  atomicAdd(&seen, 1);
  __syncthreads();
  if (threadIdx.x == 0) out[0] = seen;
  const int arrived = __syncthreads_count(1);
  if (threadIdx.x == 0) out[1] = arrived;
}

__global__ void shuffles(int *out) {
  const int lane = threadIdx.x, value = 100 + lane;
  out[lane] = __shfl_down_sync(0xffffffff, value, 5, 8);
  out[32 + lane] = __shfl_up_sync(0xffffffff, value, 5, 8);
  out[64 + lane] = __shfl_sync(0xffffffff, value, 35);
  out[96 + lane] = __shfl_sync(0xffffffff, value, 11, 8);
  out[128 + lane] = __shfl_xor_sync(0xffffffff, value, 8, 8);
}

__global__ void increase(float *out) {
  counter += 2;
  out[0] = factor + (float)table[2];
}

int main() {
  int *d, h[160];
  CHECK(cudaMalloc(&d, sizeof h));
  late_barrier<<<1, 96>>>(d);
  CHECK(cudaMemcpy(h, d, 8, cudaMemcpyDeviceToHost));
  expect("threads before the barrier", 0, h[0], 40);
  expect("threads at the barrier", 0, h[1], 40);

  shuffles<<<1, 32>>>(d);
  CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  for (int lane = 0; lane < 32; lane++) {
    const int first = lane / 8 * 8, place = lane % 8;
    expect("down", lane, h[lane], 100 + (place + 5 < 8 ? lane + 5 : lane));
    expect("up", lane, h[32 + lane], 100 + (place >= 5 ? lane - 5 : lane));
    expect("source 35 of 32", lane, h[64 + lane], 103);
    expect("source 11 of 8", lane, h[96 + lane], 100 + first + 3);
    /* lane ^ 8 is in the segment before or after: one before is read, one after is not */
    expect("xor 8 of 8", lane, h[128 + lane], 100 + (lane & 8 ? lane - 8 : lane));
  }

  expect("a managed variable", 0, shared_by_both, 9);
  increase<<<1, 1>>>((float *)d);
  CHECK(cudaDeviceSynchronize());
  expect("the host's shadow", 0, counter, 0);
  expect("the shadow of an array", 0, table[2], 0);
  expect("the shadow of a constant", 0, factor, 0);
  float sum;
  CHECK(cudaMemcpy(&sum, d, sizeof sum, cudaMemcpyDeviceToHost));
  expect("the device's constant and array", 0, sum, 5.5);
  counter = 40; /* the shadow, which a copy by symbol does not see */
  int now;
  CHECK(cudaMemcpyFromSymbol(&now, counter, sizeof now));
  expect("the device's variable", 0, now, 7);
  expect("the host's shadow", 1, counter, 40);
  CHECK(cudaFree(d));
}
