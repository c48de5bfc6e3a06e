/* fork before the first use: parent and child both work. fork after it: the child gets an error from every
 * call, and the parent goes on. Prints what each sees. */
#include "program.h"
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

__global__ void add_one(int *p) { p[threadIdx.x] += 1; }

static int work() {
  int *d, h[32] = {0};
  if (cudaMalloc(&d, sizeof h) || cudaMemset(d, 0, sizeof h)) return 1;
  add_one<<<1, 32>>>(d);
  if (cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost) || cudaFree(d)) return 1;
  return h[31] != 1;
}

static int child(int (*what)()) {
  int status;
  fflush(stdout);
  const pid_t pid = fork();
  if (pid == 0) exit(what());
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int refused() {
  int *d, n, wrong = 0;
  wrong += cudaMalloc(&d, 4) != cudaErrorInitializationError;
  wrong += cudaDeviceSynchronize() != cudaErrorInitializationError;
  wrong += cudaGetDeviceCount(&n) != cudaErrorInitializationError;
  add_one<<<1, 1>>>((int *)8);
  wrong += cudaGetLastError() != cudaErrorInitializationError;
  return wrong;
}

int main() {
  printf("before: child %d", child(work));
  printf(" parent %d\n", work());
  printf("after: child %d", child(refused));
  printf(" parent %d\n", work());
  return 0;
}
