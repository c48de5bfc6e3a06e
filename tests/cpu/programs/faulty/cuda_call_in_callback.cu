// expect: synccheck: -
// says: cudaStreamSynchronize is called from within a host callback; must not call CUDA
/* The function wants to be sure that the copy has come, and waits for the stream that waits for it. */
#include "program.h"

struct result {
  cudaStream_t stream;
  int *h, sum;
};

static void add_up(void *argument) {
  result *r = (result *)argument;
#ifndef FIXED
  cudaStreamSynchronize(r->stream);
#endif
  for (int i = 0; i < 32; i++) r->sum += r->h[i];
}

int main() {
  int *d;
  result r = {};
  CHECK(cudaStreamCreate(&r.stream));
  CHECK(cudaMallocHost(&r.h, 32 * sizeof(int)));
  CHECK(cudaMalloc(&d, 32 * sizeof(int)));
  CHECK(cudaMemsetAsync(d, 0, 32 * sizeof(int), r.stream));
  CHECK(cudaMemcpyAsync(r.h, d, 32 * sizeof(int), cudaMemcpyDeviceToHost, r.stream));
  CHECK(cudaLaunchHostFunc(r.stream, add_up, &r)); // <- at
  CHECK(cudaStreamSynchronize(r.stream));
  expect("sum", 0, r.sum, 0);
  CHECK(cudaStreamDestroy(r.stream));
  CHECK(cudaFreeHost(r.h));
  CHECK(cudaFree(d));
}
