/* Threads say when they run. */
#include <stdio.h>

__global__ void speak() { printf("block %d thread %d\n", blockIdx.x, threadIdx.x); }

int main() {
  speak<<<2, 3>>>();
  cudaDeviceSynchronize();
}
