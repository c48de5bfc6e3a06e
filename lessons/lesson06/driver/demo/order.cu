/*
 * order.cu: the effect of the order of blocks on sums. The same numbers are added as integers, as floats by one
 * atomic a block, and as floats with a place for each block's part. There is nothing to write here: build it,
 * run it in several orders, and compare.
 *
 *     common/cpu/cucc -o build/order lessons/lesson06/driver/demo/order.cu
 *     CUCC_WORKERS=1 CUCC_ORDER=reverse build/order
 */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>

#define COUNT  100000
#define WARP   32
#define BLOCKS (COUNT / WARP)

typedef struct sums {
  int integers;
  float floats;
  float parts[BLOCKS];
} sums;

/* Any numbers of both signs; small enough for the integers' sum. */
static __device__ int number(int i) { return (int)((uint32_t)i * 2654435761u >> 18) - 8192; }

static __global__ void sum_kernel(sums *d_sums) {
  int whole = number(blockIdx.x * WARP + threadIdx.x);
  float part = (float)whole / 1000;
  for (int apart = WARP / 2; apart > 0; apart /= 2) {
    whole += __shfl_down_sync(0xffffffff, whole, apart);
    part += __shfl_down_sync(0xffffffff, part, apart);
  }
  if (threadIdx.x > 0) return;
  atomicAdd(&d_sums->integers, whole);
  atomicAdd(&d_sums->floats, part);
  d_sums->parts[blockIdx.x] = part;
}

int main(void) {
  static sums h;
  sums *d_sums;
  cudaError_t error = cudaMalloc(&d_sums, sizeof h);
  if (!error) error = cudaMemset(d_sums, 0, sizeof h);
  if (!error) {
    sum_kernel<<<BLOCKS, WARP>>>(d_sums);
    error = cudaGetLastError();
  }
  if (!error) error = cudaMemcpy(&h, d_sums, sizeof h, cudaMemcpyDeviceToHost);
  if (!error) error = cudaFree(d_sums);
  if (error) {
    fprintf(stderr, "order: %s\n", cudaGetErrorString(error));
    return 1;
  }
  float ordered = 0;
  for (int b = 0; b < BLOCKS; b++) ordered += h.parts[b];
  printf("integers %d   floats by atomics %.9g   floats in a fixed order %.9g\n", h.integers, h.floats,
         ordered);
  return 0;
}
