// expect: memcheck: labels
/* A text that the compiler knows, copied beyond the end of an array: a compiler would make a plain store of it. */
#include "program.h"

__global__ void labels(char *text) {
  strncpy(text + 4 * threadIdx.x, "abc", 4); // <- at
}

int main() {
  char *d;
#ifdef FIXED
  CHECK(cudaMalloc(&d, 32));
#else
  CHECK(cudaMalloc(&d, 30));
#endif
  labels<<<1, 8>>>(d);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(d));
}
