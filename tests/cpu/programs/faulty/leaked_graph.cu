// expect: leakcheck: -
// says: executable graph; cudaGraphExecDestroy
/* The graph is destroyed, what was made of it is not. */
#include "program.h"

__global__ void fill(int *p) { p[threadIdx.x] = 1; }

int main() {
  int *p;
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CHECK(cudaMalloc(&p, 32 * sizeof *p));
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  fill<<<1, 32, 0, stream>>>(p);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0)); // <- at
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
#ifdef FIXED
  CHECK(cudaGraphExecDestroy(exec));
#endif
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(p));
}
