/* Sums by an atomic load and an atomic store: prints how many of the 64 updates are left. */
#include "program.h"
#include <cuda/atomic>

using word = cuda::atomic<int, cuda::thread_scope_device>;

__global__ void relaxed(word *sum) {
  sum->store(sum->load(cuda::memory_order_relaxed) + 1, cuda::memory_order_relaxed);
}
__global__ void in_order(word *sum) { *sum = *sum + 1; }
/* The word is this thread's own while it has the lock: none is lost. */
__global__ void behind_a_lock(word *sum) {
  while (sum[1].exchange(1) != 0) {
  }
  sum->store(sum->load(cuda::memory_order_relaxed) + 1, cuda::memory_order_relaxed);
  sum[1].store(0);
}

static void run(void (*kernel)(word *), const char *name) {
  word *sum;
  int h;
  CHECK(cudaMalloc(&sum, 2 * sizeof *sum));
  CHECK(cudaMemset(sum, 0, 2 * sizeof *sum));
  kernel<<<1, 64>>>(sum);
  CHECK(cudaMemcpy(&h, sum, sizeof h, cudaMemcpyDeviceToHost));
  printf("%s: %s\n", name, h == 64 ? "all" : "some");
  CHECK(cudaFree(sum));
}

int main() {
  run(relaxed, "relaxed");
  run(in_order, "in order");
  run(behind_a_lock, "behind a lock");
}
