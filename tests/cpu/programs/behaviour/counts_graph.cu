/* What a graph queues is counted apart from what the host queues itself; launches up to one before which the
 * host has waited for everything; and what is queued in the default stream and in streams that wait for it.
 * Prints the counts. */
#include "../program.h"
#include "cucc.h"

#include <stdio.h>
#include <string.h>

__global__ void add(float *p) { p[threadIdx.x] += 1; }

static int counter(const char *json, const char *name) {
  const char *at = strstr(json, name);
  return at ? atoi(at + strlen(name) + 1) : -1;
}

int main() {
  static char json[1 << 16];
  float *p, one;
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t repeat;
  CHECK(cudaMalloc(&p, 32 * sizeof *p));
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMemsetAsync(p, 0, 32 * sizeof *p, stream));
  add<<<1, 32, 0, stream>>>(p);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&repeat, graph, 0));
  for (int i = 0; i < 3; i++) CHECK(cudaGraphLaunch(repeat, stream));
  add<<<1, 32, 0, stream>>>(p);
  add<<<1, 1>>>(p + 1);
  CHECK(cudaStreamSynchronize(stream)); /* the default stream still works */
  add<<<1, 32, 0, stream>>>(p);
  CHECK(cudaDeviceSynchronize());
  add<<<1, 32, 0, stream>>>(p);
  CHECK(cudaDeviceSynchronize());
  cucc_counters_json(json, sizeof json);
  printf("operations %d, by graphs %d, launches %d, in a row %d\n", counter(json, "\"operations\""),
         counter(json, "\"graph_operations\""), counter(json, "\"launches\""),
         counter(json, "\"longest_run\""));
  printf("in the default stream %d, in blocking ones %d, streams of launches %d\n",
         counter(json, "\"default_stream_operations\""), counter(json, "\"blocking_stream_operations\""),
         counter(json, "\"launch_streams\""));
  const uint64_t before = cucc_counted("copied_bytes");
  CHECK(cudaMemcpy(&one, p, sizeof one, cudaMemcpyDeviceToHost));
  printf("copied %d bytes, of pageable memory %d times, unknown %d\n",
         (int)(cucc_counted("copied_bytes") - before), (int)cucc_counted("pageable_copies"),
         (int)cucc_counted("unknown"));
  CHECK(cudaGraphExecDestroy(repeat));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(p));
}
