/* A failed assertion prints what CUDA prints, and what follows it returns error 710. */
#include <assert.h>
#include <stdio.h>

__global__ void check(int limit) { assert(threadIdx.x < limit); }

int main() {
  check<<<2, 4>>>(4);
  printf("all hold: %d\n", cudaDeviceSynchronize());
  check<<<1, 4>>>(3);
  printf("one fails: %d\n", cudaDeviceSynchronize());
}
