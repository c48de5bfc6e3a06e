/* Graphs as nodes of a graph, added or launched in a stream that is captured: their nodes come after what their
 * node needs, and before what needs it. */
#include "program.h"

__global__ void add(int *x, int k) { x[threadIdx.x] += k; }
__global__ void times(int *x, int k) { x[threadIdx.x] *= k; }

static cudaGraph_t captured(cudaStream_t stream, int *x, int k) {
  cudaGraph_t graph;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add<<<1, 32, 0, stream>>>(x, k);
  times<<<1, 32, 0, stream>>>(x, 2);
  CHECK(cudaStreamEndCapture(stream, &graph));
  return graph;
}

static void expect_all(const int *x, int value) {
  int h[32];
  CHECK(cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; i++) expect("x", i, h[i], value);
}

int main() {
  int *x;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMalloc(&x, 32 * sizeof *x));
  CHECK(cudaMemset(x, 0, 32 * sizeof *x));

  cudaGraph_t one = captured(stream, x, 1), chain, empty;
  cudaGraphNode_t node, last = NULL;
  CHECK(cudaGraphCreate(&chain, 0));
  CHECK(cudaGraphCreate(&empty, 0));
  for (int step = 0; step < 3; step++) {
    CHECK(cudaGraphAddChildGraphNode(&node, chain, last ? &last : NULL, last ? 1 : 0, one));
    CHECK(cudaGraphAddChildGraphNode(&last, chain, &node, 1, empty));
  }
  cudaGraphNodeType type;
  size_t nodes;
  CHECK(cudaGraphNodeGetType(node, &type));
  expect("type", 0, type, cudaGraphNodeTypeGraph);
  CHECK(cudaGraphGetNodes(chain, NULL, &nodes));
  expect("nodes", 0, (double)nodes, 6);
  CHECK(cudaGraphDestroy(one));
  CHECK(cudaGraphDestroy(empty));
  cudaGraphExec_t exec, outer;
  CHECK(cudaGraphInstantiate(&exec, chain, 0));
  CHECK(cudaGraphDestroy(chain));
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
  expect_all(x, 14); /* ((0 + 1) 2 + 1) 2 + 1) 2 */

  cudaGraph_t graph;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  add<<<1, 32, 0, stream>>>(x, -14);
  CHECK(cudaGraphLaunch(exec, stream));
  add<<<1, 32, 0, stream>>>(x, 3);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphInstantiate(&outer, graph, 0));
  CHECK(cudaGraphDestroy(graph));
  for (int i = 0; i < 2; i++) CHECK(cudaGraphLaunch(outer, stream));
  CHECK(cudaStreamSynchronize(stream));
  expect_all(x, 41); /* 14 + 3 = 17; (17 - 14) 8 + 14 + 3 */
  CHECK(cudaGraphExecDestroy(outer));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(x));
}
