// expect: racecheck: -
// says: may still be
/* The graph's copies read the host's buffer at each launch: it is filled for the next one while the last one
 * runs. */
#include "program.h"

__global__ void add(float *sum, const float *x) { sum[threadIdx.x] += x[threadIdx.x]; }

int main() {
  float *sum, *x, *h;
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CHECK(cudaMallocHost(&h, 32 * sizeof *h));
  CHECK(cudaMalloc(&x, 32 * sizeof *x));
  CHECK(cudaMalloc(&sum, 32 * sizeof *sum));
  CHECK(cudaMemset(sum, 0, 32 * sizeof *sum));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMemcpyAsync(x, h, 32 * sizeof *x, cudaMemcpyHostToDevice, stream));
  add<<<1, 32, 0, stream>>>(sum, x);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  for (int round = 0; round < 2; round++) {
    for (int i = 0; i < 32; i++) h[i] = 1; // <- at
    CHECK(cudaGraphLaunch(exec, stream));
#ifdef FIXED
    CHECK(cudaStreamSynchronize(stream));
#endif
  }
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(sum));
  CHECK(cudaFree(x));
  CHECK(cudaFreeHost(h));
}
