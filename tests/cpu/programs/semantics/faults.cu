// with: CUCC_CHECK=none
/* A kernel's fault: the launch succeeds, the next synchronise tells, and so does every call after it, for
 * ever. Only cudaGetLastError gives it once for each call that failed. Each fault in a process of its own,
 * made before CUDA is first used. Prints nothing when all is as on an H200 with CUDA 13. */
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gives.h"

enum fault { ILLEGAL_ADDRESS, MISALIGNED, ASSERTION, TRAP, FAULTS };

__global__ void commit(int fault, int *p) {
  switch (fault) {
  case ILLEGAL_ADDRESS:
    p[(size_t)1 << 40] = 1;
    break;
  case MISALIGNED:
    *(int *)((char *)p + 1) = 1;
    break;
  case ASSERTION:
    assert(p[0] == 17);
    break;
  case TRAP:
    __trap();
  }
}

static int see(int fault, cudaError_t want) {
  int *p, *q;
  if (!freopen("/dev/null", "w", stderr)) exit(3); /* a failed assertion prints */
  CHECK(cudaMalloc(&p, 64));
  CHECK(cudaMemset(p, 0, 64));
  commit<<<1, 1>>>(fault, p);
  gives("the launch", cudaGetLastError(), cudaSuccess);
  gives("synchronise", cudaDeviceSynchronize(), want);
  gives("the last error, looked at", cudaPeekAtLastError(), want);
  gives("the last error", cudaGetLastError(), want);
  gives("the last error again", cudaGetLastError(), cudaSuccess);
  gives("synchronise again", cudaDeviceSynchronize(), want);
  gives("allocate", cudaMalloc(&q, 64), want);
  gives("fill", cudaMemset(p, 0, 64), want);
  gives("free", cudaFree(p), want);
  gives("query", cudaStreamQuery(0), want);
  commit<<<1, 1>>>(FAULTS, p);
  gives("the last error after another launch", cudaGetLastError(), want);
  return finish();
}

int main() {
  const cudaError_t want[FAULTS] = {cudaErrorIllegalAddress, cudaErrorMisalignedAddress, cudaErrorAssert,
                                    cudaErrorLaunchFailure};
  for (int fault = 0; fault < FAULTS; fault++) {
    int status;
    const pid_t child = fork();
    if (child == 0) _exit(see(fault, want[fault]));
    waitpid(child, &status, 0);
    expect("status of the process with fault", fault, WIFEXITED(status) ? WEXITSTATUS(status) : 99, 0);
  }
}
