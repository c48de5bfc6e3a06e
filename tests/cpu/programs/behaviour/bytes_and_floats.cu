/* An array touched as floats, then byte by byte, by different threads each: says the growth of the resident
 * set, in MiB, for an array of argv[1] MiB. */
#include <sys/resource.h>

#include "program.h"

static long most_mib(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

__global__ void as_floats(float *x, size_t n) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
    x[i] = 1;
}

/* One byte of each word is enough for the word to have parts. */
__global__ void as_bytes(unsigned char *x, size_t n) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
    x[4 * i + i % 4] = x[4 * i + 2];
}

int main(int argc, char **argv) {
  const size_t size = (size_t)(argc > 1 ? atoi(argv[1]) : 64) << 20;
  float *x;
  const long before = most_mib();
  CHECK(cudaMalloc(&x, size));
  as_floats<<<1024, 256>>>(x, size / 4);
  as_bytes<<<1024, 256>>>((unsigned char *)x, size / 4);
  CHECK(cudaDeviceSynchronize());
  printf("grown %ld\n", most_mib() - before);
  CHECK(cudaFree(x));
}
