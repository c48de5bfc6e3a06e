// expect: racecheck: labels
// says: writes global memory; writes it
/* A text that the compiler knows, copied into the place of the next block: a compiler would make a plain store of it. */
#include "program.h"

__global__ void labels(char *text) {
#ifdef FIXED
  strncpy(text + 4 * blockIdx.x, "abc", 4);
#else
  strncpy(text + 4 * blockIdx.x, "abcd", 5); // <- at
#endif
}

int main() {
  char *d;
  CHECK(cudaMalloc(&d, 33));
  labels<<<8, 1>>>(d);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(d));
}
