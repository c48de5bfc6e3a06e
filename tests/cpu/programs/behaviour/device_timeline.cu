/* The modelled timeline of two devices, of copies between them, and of a graph compared with the same launches one
 * by one. */
#include "cucc.h"
#include <string.h>
#include "program.h"

__global__ void work(int *x) { x[threadIdx.x] = 1; }

/* A copy from device 0 to device 1, with and without peer access, next to a kernel; and what was counted. */
static void copies(int *const x[2]) {
  double us[2];
  cudaStream_t stream;
  char counters[16384];
  CHECK(cudaSetDevice(0));
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (int peers = 0; peers < 2; peers++) {
    cucc_activity a[2];
    if (peers) CHECK(cudaDeviceEnablePeerAccess(1, 0));
    CHECK(cudaDeviceSynchronize());
    cucc_reset();
    cucc_call_time(0);
    CHECK(cudaMemcpyPeerAsync(x[1], 1, x[0], 0, 512 * sizeof(int), stream));
    work<<<1, 32>>>(x[0] + 512);
    expect("activities", peers, (double)cucc_timeline(a, 2), 2);
    expect("ends", peers, a[0].device + 10 * a[0].to_device + 100 * (a[1].to_device + 1), 10);
    expect("without time for calls", peers, a[0].start_us, a[1].start_us);
    us[peers] = a[0].end_us - a[0].start_us;
    cucc_call_time(-1);
    cucc_counters_json(counters, sizeof counters);
    printf("%s\n", strstr(counters, "\"peers\"") ? strtok(strstr(counters, "\"peers\""), "}") : "no peers");
  }
  printf("peer access helps %d\n", us[1] < us[0]);
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaStreamDestroy(stream));
}

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
  copies(x);
  CHECK(cudaSetDevice(1));

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
