// expect: memcheck: count_letters
// says: reads 1 byte, immediately past the end; 11 bytes of device memory; element 11 of 11 (of 1 byte)
/* strlen does not count the terminator, so it is neither allocated
   nor copied, and the kernel looks for it. */
#include <string.h>

#include "program.h"

__global__ void count_letters(const char *text, int *count) {
  int n = 0;
  while (text[n]) n++; // <- at
  *count = n;
}

int main() {
  const char *h = "hello world";
#ifdef FIXED
  const size_t bytes = strlen(h) + 1;
#else
  const size_t bytes = strlen(h);
#endif
  char *text;
  int *count;
  CHECK(cudaMalloc(&text, bytes));
  CHECK(cudaMalloc(&count, sizeof *count));
  CHECK(cudaMemcpy(text, h, bytes, cudaMemcpyHostToDevice));
  count_letters<<<1, 1>>>(text, count);
  cudaDeviceSynchronize();
  cudaFree(text);
  cudaFree(count);
}
