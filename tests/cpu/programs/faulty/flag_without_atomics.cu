// expect: racecheck: hand_over
// says: global memory that a thread of another block
/* One block leaves a result and raises a flag; another one looks whether the flag is up. */
#include "program.h"

__global__ void hand_over(int *flag, int *value, int *taken) {
#ifdef FIXED
  if (blockIdx.x == 0) {
    *value = 42;
    __threadfence();
    atomicExch(flag, 1);
  } else if (atomicAdd(flag, 0)) {
    __threadfence();
    *taken = *value;
  }
#else
  if (blockIdx.x == 0) {
    *value = 42;
    *flag = 1;      // <- at
  } else if (*flag) // <- at
    *taken = 2;
#endif
}

int main() {
  int *memory;
  CHECK(cudaMalloc(&memory, 3 * sizeof *memory));
  CHECK(cudaMemset(memory, 0, 3 * sizeof *memory));
  hand_over<<<2, 1>>>(memory, memory + 1, memory + 2);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(memory));
}
