// expect: memcheck: scale
// says: freed
/* The graph keeps the address of a buffer that is freed between the capture and the launch. */
#include "program.h"

__global__ void scale(float *x, float a) { x[threadIdx.x] *= a; } // <- at

int main() {
  float *x;
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CHECK(cudaMalloc(&x, 32 * sizeof *x));
  CHECK(cudaMemset(x, 0, 32 * sizeof *x));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  scale<<<1, 32, 0, stream>>>(x, 2);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
#ifndef FIXED
  CHECK(cudaFree(x));
#endif
  CHECK(cudaGraphLaunch(exec, stream));
  cudaStreamSynchronize(stream);
#ifdef FIXED
  CHECK(cudaFree(x));
#endif
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
}
