/* Signals, exceptions and ends of processes around kernels: argv[1] chooses. Prints what happened. */
#include "program.h"
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdexcept>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

__global__ void swaps(int *p, int rounds) {
  __shared__ int tile[64];
  for (int i = 0; i < rounds; i++) {
    tile[threadIdx.x] = i;
    __syncthreads();
    p[blockIdx.x * 64 + threadIdx.x] += tile[63 - threadIdx.x];
    __syncthreads();
  }
}
__global__ void wild(int *p) { *p = 1; }

static pthread_t self;
static volatile sig_atomic_t ticks, elsewhere, caught;
static sigjmp_buf back;

static void work(int *d) {
  swaps<<<4, 64>>>(d, 50);
  CHECK(cudaDeviceSynchronize());
}

static void tick(int) {
  ticks++;
  if (!pthread_equal(pthread_self(), self)) elsewhere++;
}

/* A timer whose handler belongs on the program's own thread. */
static void timer(int *d) {
  struct itimerval t = {{0, 300}, {0, 300}};
  signal(SIGALRM, tick);
  setitimer(ITIMER_REAL, &t, NULL);
  for (int i = 0; i < 50; i++) work(d);
  t = {};
  setitimer(ITIMER_REAL, &t, NULL);
  printf("ticks %d, on other threads %d\n", ticks > 0, (int)elsewhere);
}

/* A signal that the program waits for, once the runtime has its threads. */
static void waits(int *d) {
  sigset_t set;
  int got = 0;
  work(d);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  kill(getpid(), SIGUSR1);
  sigwait(&set, &got);
  printf("got %d\n", got == SIGUSR1);
}

static void on_fault(int) {
  caught++;
  siglongjmp(back, 1);
}

/* The program's own handler of SIGSEGV gets the host's faults, and no kernel's. */
static void fault(int *d) {
  signal(SIGSEGV, on_fault);
  for (int i = 0; i < 2; i++) {
    work(d);
    if (!sigsetjmp(back, 1)) *(volatile int *)8 = 1;
  }
  wild<<<1, 1>>>((int *)8);
  const int error = cudaDeviceSynchronize();
  printf("caught %d, kernel %d\n", (int)caught, error);
  exit(0);
}

static void exits(void *) { exit(5); }

static void children(int *d) {
  char text[8] = "";
  swaps<<<4, 64>>>(d, 50);
  printf("system %d", WEXITSTATUS(system("exit 3")));
  FILE *pipe = popen("echo good", "r");
  if (!pipe || !fgets(text, sizeof text, pipe) || pclose(pipe)) exit(1);
  printf(" popen %s", text);
}

static void throws(int *d) {
  try {
    swaps<<<4, 64>>>(d, 50);
    throw std::runtime_error("of the host");
  } catch (const std::exception &e) {
    printf("caught an exception %s\n", e.what());
  }
}

int main(int, char **argv) {
  int *d;
  const char *what = argv[1];
  sigset_t all;
  self = pthread_self();
  sigfillset(&all);
  if (!strcmp(what, "blocked")) pthread_sigmask(SIG_BLOCK, &all, NULL);
  CHECK(cudaMalloc(&d, 1024));
  CHECK(cudaMemset(d, 0, 1024));
  if (!strcmp(what, "blocked")) {
    wild<<<1, 1>>>((int *)8);
    printf("kernel %d\n", cudaDeviceSynchronize());
    return 0;
  }
  if (!strcmp(what, "timer")) timer(d);
  if (!strcmp(what, "waits")) waits(d);
  if (!strcmp(what, "fault")) fault(d);
  if (!strcmp(what, "children")) children(d);
  if (!strcmp(what, "throws")) throws(d);
  if (!strcmp(what, "exit")) CHECK(cudaLaunchHostFunc(0, exits, NULL));
  work(d);
  CHECK(cudaFree(d));
}
