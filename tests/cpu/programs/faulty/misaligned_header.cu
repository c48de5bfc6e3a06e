// expect: memcheck: read_records
// says: reads 4 bytes at an address that is not a multiple of 4
/* Records of five bytes: a tag and a number. The number is read where it lies. */
#include <string.h>

#include "program.h"

__global__ void read_records(const unsigned char *records, int *numbers, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
#ifdef FIXED
  int number;
  memcpy(&number, records + 5 * i + 1, sizeof number);
  numbers[i] = number;
#else
  numbers[i] = *(const int *)(records + 5 * i + 1); // <- at
#endif
}

int main() {
  const int n = 32;
  unsigned char h[5 * n] = {0}, *records;
  int *numbers;
  CHECK(cudaMalloc(&records, sizeof h));
  CHECK(cudaMalloc(&numbers, n * sizeof *numbers));
  CHECK(cudaMemcpy(records, h, sizeof h, cudaMemcpyHostToDevice));
  read_records<<<1, n>>>(records, numbers, n);
  cudaDeviceSynchronize();
  cudaFree(records);
  cudaFree(numbers);
}
