/* Kernels that wait, by volatile reads: in a block for its last thread, in a grid for a later block, and for
 * the host's flag in mapped memory. "empty": a loop without any access. "overflow": a deep recursion; "wild":
 * a pointer to nowhere; "stopped": as "host", while the process is stopped by a signal; "rests": a while after deep stacks, prints the MiB that stay. Prints the error of
 * each synchronise. */
#include "program.h"
#include <signal.h>
#include <string.h>
#include <unistd.h>

__global__ void last_thread(volatile int *flag) {
  if (threadIdx.x == blockDim.x - 1) *flag = 1;
  while (*flag == 0)
    ;
}

__global__ void later_block(volatile int *flags) {
  if (threadIdx.x == 0) {
    flags[blockIdx.x] = 1;
    __threadfence();
    if (blockIdx.x + 1 < gridDim.x)
      while (flags[blockIdx.x + 1] == 0)
        ;
  }
}

__global__ void for_host(volatile int *flag) {
  while (*flag == 0)
    ;
  *flag = 2;
}

__global__ void empty(int *out, int n) {
  unsigned x = 1;
  do x = x * 1664525u + 1013904223u;
  while (n || x == 5);
  *out = (int)x;
}

__device__ int deep(int n) {
  volatile int local[64];
  local[n % 64] = n;
  if (n == 0) __syncthreads(); /* so all threads are down here at once */
  return n == 0 ? local[0] : deep(n - 1) + local[n % 64];
}
__global__ void recursion(int *out, int n) { out[threadIdx.x] = deep(n); }

__global__ void wild(int *p) { *p = 1; }

/* Until it is below 100, or ten seconds have passed. */
static int resident_mib() {
  long total, resident = 0;
  for (int i = 0; i < 100; i++) {
    usleep(100000);
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f || fscanf(f, "%ld %ld", &total, &resident) != 2) return -1;
    fclose(f);
    resident = resident * sysconf(_SC_PAGESIZE) >> 20;
    if (resident < 100) break;
  }
  return (int)resident;
}

int main(int argc, char **argv) {
  int *d, *h;
  const char *what = argc > 1 ? argv[1] : "";
  CHECK(cudaMalloc(&d, 4096));
  CHECK(cudaMemset(d, 0, 4096));
  CHECK(cudaMallocHost(&h, sizeof *h));
  *h = 0;
  if (!strcmp(what, "thread")) last_thread<<<1, 100>>>(d);
  if (!strcmp(what, "block")) later_block<<<20, 32>>>(d);
  if (!strcmp(what, "host")) {
    cudaStream_t s;
    CHECK(cudaStreamCreate(&s));
    for_host<<<1, 1, 0, s>>>(h);
    while (cudaStreamQuery(s) == cudaErrorNotReady && *(volatile int *)h == 0) *(volatile int *)h = 1;
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaStreamDestroy(s));
    if (*h != 2) return 1;
  }
  if (!strcmp(what, "stopped")) {
    for_host<<<1, 1>>>(h);
    if (cudaStreamQuery(0) != cudaErrorNotReady) return 1;
    usleep(50000); /* the kernel begins */
    raise(SIGSTOP);
    usleep(150000);
    *(volatile int *)h = 1;
  }
  if (!strcmp(what, "empty")) empty<<<3, 32>>>(d, 1);
  if (!strcmp(what, "overflow")) recursion<<<2, 64>>>(d, 1 << 20);
  if (!strcmp(what, "deep")) recursion<<<2, 1024>>>(d, 300);
  if (!strcmp(what, "wild")) wild<<<2, 1>>>((int *)8);
  if (!strcmp(what, "rests")) {
    for (int i = 0; i < 2; i++) {
      recursion<<<2, 1024>>>(d, 300);
      CHECK(cudaDeviceSynchronize());
      printf("%d MiB\n", resident_mib());
    }
  }
  printf("%d\n", cudaDeviceSynchronize());
  cudaFree(d);
  cudaFreeHost(h);
  return 0;
}
