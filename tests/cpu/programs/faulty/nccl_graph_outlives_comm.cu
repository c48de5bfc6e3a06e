// expect: memcheck: -
// says: a graph was launched whose ncclAllReduce has a communicator that was destroyed; destroy the graph first
// flags: -lnccl
// with: CUCC_DEVICES=1
/* The communicator is destroyed, then the graph that was captured with it is launched once more. */
#include "../ranks.h"

int main() {
  float *d;
  ncclComm_t comm;
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t repeat;
  CHECK(cudaMalloc(&d, 100 * sizeof *d));
  CHECK(cudaMemset(d, 0, 100 * sizeof *d));
  CHECK(cudaStreamCreate(&stream));
  NCCL(ncclCommInitAll(&comm, 1, nullptr));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  NCCL(ncclAllReduce(d, d, 100, ncclFloat, ncclSum, comm, stream)); // <- at
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&repeat, graph, 0));
  CHECK(cudaGraphLaunch(repeat, stream));
#ifndef FIXED
  NCCL(ncclCommDestroy(comm));
#endif
  CHECK(cudaGraphLaunch(repeat, stream));
  if (cudaStreamSynchronize(stream) != cudaSuccess) exit(1);
  CHECK(cudaGraphExecDestroy(repeat));
  CHECK(cudaGraphDestroy(graph));
#ifdef FIXED
  NCCL(ncclCommDestroy(comm));
#endif
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(d));
}
