/* Takes all memory that the system gives: a launch has an error for that, the record of an event has not. */
#include <sys/resource.h>

#include "program.h"

__global__ void one(int *p) { *p = 1; }

static void *volatile taken; /* so that no malloc is left out */

static void take_all(void) {
  const struct rlimit none = {0, 0};
  if (setrlimit(RLIMIT_AS, &none)) exit(3);
  for (size_t size = 1 << 20; size >= 16; size /= 2)
    while ((taken = malloc(size))) continue;
}

int main() {
  int *d;
  cudaEvent_t event;
  CHECK(cudaMalloc(&d, sizeof *d));
  one<<<1, 1>>>(d);
  CHECK(cudaDeviceSynchronize());
  setvbuf(stdout, NULL, _IONBF, 0);
  take_all();
  one<<<1, 1>>>(d);
  printf("launch %d\n", cudaGetLastError());
  cudaEventCreate(&event);
  cudaEventRecord(event);
  one<<<1, 1>>>(d);
  printf("second launch %d\n", cudaGetLastError());
}
