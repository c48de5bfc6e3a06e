/* The modelled timeline of two devices, and of a graph compared with the same launches one by one. */
#include "cucc.h"
#include "program.h"

__global__ void work(int *x) { x[threadIdx.x] = 1; }

int main() {
  int *x[2];
  cucc_activity a[2];
  for (int d = 0; d < 2; d++) {
    CHECK(cudaSetDevice(d));
    CHECK(cudaMalloc(&x[d], 1024 * sizeof(int)));
  }
  cucc_reset();
  for (int d = 0; d < 2; d++) {
    CHECK(cudaSetDevice(d));
    work<<<1, 1024>>>(x[d]);
  }
  expect("activities", 0, (double)cucc_timeline(a, 2), 2);
  expect("device", 0, a[0].device + 10 * a[1].device, 10);
  printf("devices overlap %d\n", a[1].start_us < a[0].end_us);
  CHECK(cudaDeviceSynchronize());

  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  double us[2];
  const int launches = 20;
  cucc_activity all[launches];
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  for (int i = 0; i < launches; i++) work<<<1, 32, 0, stream>>>(x[1]);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  for (int by_graph = 0; by_graph < 2; by_graph++) {
    CHECK(cudaStreamSynchronize(stream));
    cucc_reset();
    if (by_graph)
      CHECK(cudaGraphLaunch(exec, stream));
    else
      for (int i = 0; i < launches; i++) work<<<1, 32, 0, stream>>>(x[1]);
    expect("activities", by_graph, (double)cucc_timeline(all, launches), launches);
    us[by_graph] = all[launches - 1].end_us;
  }
  printf("a graph is no later %d\n", us[1] <= us[0] + 0.001); /* sums of times are rounded */
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(stream));
  for (int *p : x) CHECK(cudaFree(p));
}
