// expect: racecheck: add
// says: a missing cudaStreamWaitEvent; that clear_and_add in stream
// with: CUCC_ORDER=forward
/* The first kernel clears the sum and adds to it; the second adds without having waited for that. */
#include "program.h"

__global__ void clear_and_add(int *sum) {
  if (threadIdx.x == 0) *sum = 0;
  __syncthreads();
  atomicAdd(sum, 1);
}

__global__ void add(int *sum) {
  atomicAdd(sum, 1); // <- at
}

int main() {
  int *sum;
  cudaStream_t first, second;
  cudaEvent_t cleared;
  CHECK(cudaMalloc(&sum, sizeof *sum));
  CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&cleared));
  clear_and_add<<<1, 64, 0, first>>>(sum);
  CHECK(cudaEventRecord(cleared, first));
#ifdef FIXED
  CHECK(cudaStreamWaitEvent(second, cleared, 0));
#endif
  add<<<1, 64, 0, second>>>(sum);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaEventDestroy(cleared));
  CHECK(cudaStreamDestroy(first));
  CHECK(cudaStreamDestroy(second));
  CHECK(cudaFree(sum));
}
