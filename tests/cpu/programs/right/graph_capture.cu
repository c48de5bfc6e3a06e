/* A graph by capture, with a fork and a join through events: captured once, launched often, updated. */
#include "program.h"

__global__ void scale(float *y, const float *x, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i];
}

__global__ void add(float *z, const float *x, const float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] = x[i] + y[i];
}

static void count_up(void *counter) { ++*(int *)counter; }

struct arrays {
  float *in, *left, *right, *out;
};

/* in -> left, right (side by side) -> out */
static cudaGraph_t capture(const arrays &d, float *h_out, const float *h_in, float a, int *counter, int n) {
  cudaStream_t first, second;
  cudaEvent_t fork, join;
  cudaGraph_t graph;
  const int blocks = (n + 127) / 128;
  CHECK(cudaStreamCreate(&first));
  CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  CHECK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  CHECK(cudaMemcpyAsync(d.in, h_in, n * sizeof(float), cudaMemcpyHostToDevice, first));
  CHECK(cudaEventRecord(fork, first));
  CHECK(cudaStreamWaitEvent(second, fork, 0));
  scale<<<blocks, 128, 0, first>>>(d.left, d.in, a, n);
  scale<<<blocks, 128, 0, second>>>(d.right, d.in, 10 * a, n);
  CHECK(cudaEventRecord(join, second));
  CHECK(cudaStreamWaitEvent(first, join, 0));
  add<<<blocks, 128, 0, first>>>(d.out, d.left, d.right, n);
  CHECK(cudaMemcpyAsync(h_out, d.out, n * sizeof(float), cudaMemcpyDeviceToHost, first));
  CHECK(cudaLaunchHostFunc(first, count_up, counter));
  CHECK(cudaGetLastError());
  cudaStreamCaptureStatus status;
  CHECK(cudaStreamIsCapturing(second, &status));
  expect("capturing", 0, status, cudaStreamCaptureStatusActive);
  CHECK(cudaStreamEndCapture(first, &graph));
  CHECK(cudaStreamIsCapturing(second, &status));
  expect("capturing", 1, status, cudaStreamCaptureStatusNone);
  CHECK(cudaEventDestroy(fork));
  CHECK(cudaEventDestroy(join));
  CHECK(cudaStreamDestroy(first));
  CHECK(cudaStreamDestroy(second));
  return graph;
}

int main() {
  const int n = 1000;
  arrays d;
  float *h_in, *h_out;
  int counter = 0;
  size_t nodes = 0, roots = 0;
  cudaStream_t stream;
  cudaGraphExec_t exec;
  CHECK(cudaMallocHost(&h_in, n * sizeof(float)));
  CHECK(cudaMallocHost(&h_out, n * sizeof(float)));
  for (float **p : {&d.in, &d.left, &d.right, &d.out}) CHECK(cudaMalloc(p, n * sizeof(float)));
  CHECK(cudaStreamCreate(&stream));
  for (int i = 0; i < n; i++) h_in[i] = h_out[i] = -1;

  cudaGraph_t graph = capture(d, h_out, h_in, 1, &counter, n);
  expect("nothing ran", 0, h_out[0] + counter, -1);
  CHECK(cudaGraphGetNodes(graph, NULL, &nodes));
  expect("nodes", 0, (double)nodes, 6);
  CHECK(cudaGraphGetRootNodes(graph, NULL, &roots));
  expect("roots", 0, (double)roots, 1);
  cudaGraphNode_t root;
  cudaGraphNodeType type;
  CHECK(cudaGraphGetRootNodes(graph, &root, &roots));
  CHECK(cudaGraphNodeGetType(root, &type));
  expect("type", 0, type, cudaGraphNodeTypeMemcpy);
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphDestroy(graph)); /* the executable one has all that it needs */
  for (int round = 0; round < 4; round++) {
    for (int i = 0; i < n; i++) h_in[i] = (float)(i + round);
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    for (int i = 0; i < n; i++) expect("out", i, h_out[i], 11.0 * (i + round));
  }
  for (int round = 0; round < 3; round++) CHECK(cudaGraphLaunch(exec, stream)); /* one after another */
  CHECK(cudaStreamSynchronize(stream));
  expect("launches", 0, counter, 7);

  cudaGraphExecUpdateResultInfo result;
  graph = capture(d, h_out, h_in, 2, &counter, n);
  CHECK(cudaGraphExecUpdate(exec, graph, &result));
  expect("update", 0, result.result, cudaGraphExecUpdateSuccess);
  cudaGraphNode_t failed;
  cudaGraphExecUpdateResult outcome;
  CHECK(cudaGraphExecUpdate(exec, graph, &failed, &outcome)); /* as CUDA 11 has it */
  expect("update", 1, outcome, cudaGraphExecUpdateSuccess);
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaGraphLaunch(exec, 0)); /* in the default stream, too */
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < n; i++) expect("updated", i, h_out[i], 22.0 * (i + 3));

  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaStreamDestroy(stream));
  for (float *p : {d.in, d.left, d.right, d.out}) CHECK(cudaFree(p));
  CHECK(cudaFreeHost(h_in));
  CHECK(cudaFreeHost(h_out));
}
