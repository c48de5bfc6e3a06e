/* A graph put together node by node, with a diamond of dependencies, and a kernel's arguments changed
 * afterwards. */
#include "program.h"

__global__ void scale(float *y, const float *x, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i];
}

__global__ void add(float *z, const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] += x[i];
}

static void count_up(void *counter) { ++*(int *)counter; }

static cudaGraphNode_t kernel_node(cudaGraph_t graph, const cudaGraphNode_t *needs, size_t count,
                                   void *kernel, int n, void **arguments) {
  cudaGraphNode_t node;
  cudaKernelNodeParams p = {};
  p.func = kernel;
  p.gridDim = dim3((n + 63) / 64);
  p.blockDim = dim3(64);
  p.kernelParams = arguments;
  CHECK(cudaGraphAddKernelNode(&node, graph, needs, count, &p));
  return node;
}

static void run(cudaGraphExec_t exec, cudaStream_t stream) {
  CHECK(cudaGraphLaunch(exec, stream));
  CHECK(cudaStreamSynchronize(stream));
}

int main() {
  int n = 200, counter = 0;
  float *x, *y, *z, *h, a = 3;
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMallocHost(&h, n * sizeof *h));
  for (float **p : {&x, &y, &z}) CHECK(cudaMalloc(p, n * sizeof(float)));
  for (int i = 0; i < n; i++) h[i] = (float)i;

  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t in, clear, left, right, out, after;
  cudaMemsetParams zero = {};
  zero.dst = z;
  zero.elementSize = sizeof(float);
  zero.width = (size_t)n;
  zero.height = 1;
  cudaHostNodeParams call = {count_up, &counter};
  void *scale_arguments[] = {&y, &x, &a, &n}, *add_arguments[] = {&z, &x, &n},
       *last_arguments[] = {&z, &y, &n};
  CHECK(cudaGraphAddMemcpyNode1D(&in, graph, NULL, 0, x, h, n * sizeof *h, cudaMemcpyHostToDevice));
  CHECK(cudaGraphAddMemsetNode(&clear, graph, NULL, 0, &zero));
  left = kernel_node(graph, &in, 1, (void *)scale, n, scale_arguments);
  cudaGraphNode_t both[] = {in, clear};
  right = kernel_node(graph, both, 2, (void *)add, n, add_arguments);
  out = kernel_node(graph, &left, 1, (void *)add, n, last_arguments);
  CHECK(cudaGraphAddDependencies(graph, &right, &out, NULL, 1));
  CHECK(cudaGraphAddDependencies(graph, &clear, &out, 1)); /* as CUDA 12 has it */
  CHECK(cudaGraphAddHostNode(&after, graph, &out, 1, &call));
  cudaGraphNode_t back;
  CHECK(cudaGraphAddMemcpyNode1D(&back, graph, &after, 1, h, z, n * sizeof *h, cudaMemcpyDeviceToHost));
  size_t nodes;
  CHECK(cudaGraphGetNodes(graph, NULL, &nodes));
  expect("nodes", 0, (double)nodes, 7);

  CHECK(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0)); /* as CUDA 11 has it */
  run(exec, stream);
  expect("function", 0, counter, 1);
  for (int i = 0; i < n; i++) expect("h", i, h[i], 4.0 * i);
  a = 5; /* the value was copied: only SetParams changes it */
  for (int i = 0; i < n; i++) h[i] = (float)i;
  run(exec, stream);
  for (int i = 0; i < n; i++) expect("h", i, h[i], 4.0 * i);
  cudaKernelNodeParams changed = {};
  changed.func = (void *)scale;
  changed.gridDim = dim3((n + 63) / 64);
  changed.blockDim = dim3(64);
  changed.kernelParams = scale_arguments;
  CHECK(cudaGraphExecKernelNodeSetParams(exec, left, &changed));
  for (int i = 0; i < n; i++) h[i] = (float)i;
  run(exec, stream);
  for (int i = 0; i < n; i++) expect("h", i, h[i], 6.0 * i);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFreeHost(h));
  for (float *p : {x, y, z}) CHECK(cudaFree(p));
}
