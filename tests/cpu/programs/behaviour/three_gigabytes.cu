/* c = a + b with arrays of 1 GiB; says the largest and the last resident set, in MiB. */
#include <string.h>
#include <sys/resource.h>

#include "program.h"

__global__ void fill(float *x, size_t n, float value) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
    x[i] = value;
}

__global__ void add(const float *a, const float *b, float *c, size_t n) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
    c[i] = a[i] + b[i];
}

static long resident_mib(void) {
  long pages = 0, resident = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  if (!f || fscanf(f, "%ld %ld", &pages, &resident) != 2) exit(3);
  fclose(f);
  return resident / 256;
}

int main() {
  const size_t n = (size_t)1 << 28;
  float *a, *b, *c, last;
  CHECK(cudaMalloc(&a, n * sizeof *a));
  CHECK(cudaMalloc(&b, n * sizeof *b));
  CHECK(cudaMalloc(&c, n * sizeof *c));
  fill<<<1024, 256>>>(a, n, 1);
  fill<<<1024, 256>>>(b, n, 2);
  add<<<1024, 256>>>(a, b, c, n);
  CHECK(cudaMemcpy(&last, c + n - 1, sizeof last, cudaMemcpyDeviceToHost));
  expect("c", (long)n - 1, last, 3);
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  CHECK(cudaFree(c));
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("most %ld left %ld\n", usage.ru_maxrss / 1024, resident_mib());
}
