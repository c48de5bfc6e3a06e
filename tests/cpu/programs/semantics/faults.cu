// with: CUCC_CHECK=none
/* A kernel's fault: the launch succeeds, the next synchronise tells, and so does every call after it, for
 * ever. Each fault in a process of its own, made before CUDA is first used. Prints nothing when all is as on
 * an H200 with CUDA 13. */
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../program.h"

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

static void see(int fault, cudaError_t want) {
  int *p, *q;
  if (!freopen("/dev/null", "w", stderr)) exit(3); /* a failed assertion prints */
  CHECK(cudaMalloc(&p, 64));
  CHECK(cudaMemset(p, 0, 64));
  commit<<<1, 1>>>(fault, p);
  CHECK(cudaGetLastError());
  if (cudaDeviceSynchronize() != want) _exit(10);
  if (cudaGetLastError() != want) _exit(11);
  if (cudaGetLastError() != want) _exit(12); /* it cannot be cleared */
  if (cudaMalloc(&q, 64) != want) _exit(13);
  if (cudaMemset(p, 0, 64) != want) _exit(14);
  _exit(0);
}

int main() {
  const cudaError_t want[FAULTS] = {cudaErrorIllegalAddress, cudaErrorMisalignedAddress, cudaErrorAssert,
                                    cudaErrorLaunchFailure};
  for (int fault = 0; fault < FAULTS; fault++) {
    int status;
    const pid_t child = fork();
    if (child == 0) see(fault, want[fault]);
    waitpid(child, &status, 0);
    expect("step that went otherwise, of fault", fault, WIFEXITED(status) ? WEXITSTATUS(status) : 99, 0);
  }
}
