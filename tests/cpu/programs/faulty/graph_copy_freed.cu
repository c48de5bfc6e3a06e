// expect: memcheck: -
// says: freed
/* The same with a copy: the launch of the graph refuses it, and the report names the captured call. */
#include "program.h"

int main() {
  float *x, *h;
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CHECK(cudaMallocHost(&h, 32 * sizeof *h));
  CHECK(cudaMalloc(&x, 32 * sizeof *x));
  for (int i = 0; i < 32; i++) h[i] = (float)i;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMemcpyAsync(x, h, 32 * sizeof *x, cudaMemcpyHostToDevice, stream)); // <- at
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
#ifndef FIXED
  CHECK(cudaFree(x));
#endif
  cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
#ifdef FIXED
  CHECK(cudaFree(x));
#endif
  CHECK(cudaFreeHost(h));
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(stream));
}
