/* Calls one function after another and prints its name; when one fails, says which and ends with 2. */
#include "program.h"

#define CALL(function, ...)                                                                                  \
  do {                                                                                                       \
    if (function(__VA_ARGS__) != cudaSuccess) {                                                              \
      printf(#function " failed\n");                                                                         \
      exit(2);                                                                                               \
    }                                                                                                        \
    printf(#function "\n");                                                                                  \
  } while (0)

static void nothing(void *) {}
static void nothing_either(cudaStream_t, cudaError_t, void *) {}
__global__ void kernel() {}

static int n, m;
static unsigned flags;
static size_t size;

static void devices() {
  char text[32];
  cudaDeviceProp prop;
  cudaFuncCache cache;
  CALL(cudaGetDeviceCount, &n);
  CALL(cudaGetDevice, &n);
  CALL(cudaSetDevice, 0);
  CALL(cudaGetDeviceProperties, &prop, 0);
  CALL(cudaChooseDevice, &n, &prop);
  CALL(cudaDeviceGetPCIBusId, text, sizeof text, 0);
  CALL(cudaDeviceGetByPCIBusId, &n, text);
  CALL(cudaDeviceCanAccessPeer, &n, 0, 1);
  CALL(cudaDeviceGetP2PAttribute, &n, cudaDevP2PAttrAccessSupported, 0, 1);
  CALL(cudaDeviceEnablePeerAccess, 1, 0);
  CALL(cudaDeviceDisablePeerAccess, 1);
  CALL(cudaDeviceGetLimit, &size, cudaLimitStackSize);
  CALL(cudaDeviceSetLimit, cudaLimitStackSize, size);
  CALL(cudaDeviceGetCacheConfig, &cache);
  CALL(cudaGetDeviceFlags, &flags);
  CALL(cudaDeviceGetStreamPriorityRange, &n, &m);
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor, &n, kernel, 128, 0);
  CALL(cudaOccupancyAvailableDynamicSMemPerBlock, &size, kernel, 1, 128);
}

int main() {
  unsigned long long id;
  float ms;
  cudaStream_t s;
  cudaEvent_t a, b;
  cudaGraph_t graph, clone;
  cudaGraphExec_t exec;
  cudaGraphNode_t node;
  cudaStreamCaptureStatus status;
  devices();
  CALL(cudaStreamCreate, &s);
  CALL(cudaStreamGetFlags, s, &flags);
  CALL(cudaStreamGetId, s, &id);
  CALL(cudaEventCreate, &a);
  CALL(cudaEventCreateWithFlags, &b, cudaEventDefault);
  CALL(cudaEventRecord, a, s);
  CALL(cudaStreamWaitEvent, s, a, 0);
  CALL(cudaLaunchHostFunc, s, nothing, nullptr);
  CALL(cudaStreamAddCallback, s, nothing_either, nullptr, 0);
  CALL(cudaEventRecordWithFlags, b, s, cudaEventRecordDefault);
  CALL(cudaStreamSynchronize, s);
  CALL(cudaEventSynchronize, b);
  CALL(cudaEventQuery, b);
  CALL(cudaEventElapsedTime, &ms, a, b);
  CALL(cudaStreamBeginCapture, s, cudaStreamCaptureModeGlobal);
  CALL(cudaStreamIsCapturing, s, &status);
  CALL(cudaStreamEndCapture, s, &graph);
  CALL(cudaGraphAddEmptyNode, &node, graph, nullptr, 0);
  CALL(cudaGraphAddChildGraphNode, &node, graph, nullptr, 0, graph);
  CALL(cudaGraphGetNodes, graph, nullptr, &size);
  CALL(cudaGraphClone, &clone, graph);
  CALL(cudaGraphInstantiate, &exec, graph, 0);
  CALL(cudaGraphLaunch, exec, s);
  CALL(cudaGraphExecDestroy, exec);
  CALL(cudaGraphDestroy, graph);
  CALL(cudaGraphDestroy, clone);
  CALL(cudaEventDestroy, a);
  CALL(cudaEventDestroy, b);
  CALL(cudaStreamDestroy, s);
  CALL(cudaDeviceSynchronize, );
}
