// What cucc.h offers a program that watches other code: calls that fail on purpose, arrays whose ends are
// known to copies, what is left allocated, and work that is left undone.
#include <cassert>
#include <cstdio>
#include <cstring>
#include <cucc.h>

__global__ void set(int *x, int value) { *x = value; }

static cudaError_t copy_in(int *host, int n) {
  int *device = NULL;
  cudaError_t error = cudaMalloc(&device, n * sizeof *host);
  if (!error) error = cudaMemcpy(device, host, n * sizeof *host, cudaMemcpyHostToDevice);
  if (!error) set<<<1, 1>>>(device, 1);
  if (!error) error = cudaGetLastError();
  cudaFree(device);
  return error;
}

static void calls_fail_in_turn() {
  int host[4] = {0};
  const cudaError_t wanted[] = {cudaSuccess, cudaErrorMemoryAllocation, cudaErrorECCUncorrectable,
                                cudaErrorLaunchOutOfResources};
  for (int number = 0; number < 4; number++) {
    cucc_fail_call(number);
    assert(copy_in(host, 4) == wanted[number]);
    assert(cucc_failed_call().error == wanted[number]);
  }
  assert(cucc_failed_call().calls == 3);
  assert(!strcmp(cucc_call_that_may_fail(1), "cudaMalloc"));
  assert(!strcmp(cucc_call_that_may_fail(3), "cudaLaunchKernel"));
  assert(!*cucc_call_that_may_fail(4));
  cucc_fail_call(2);
  cucc_fail_none(1);
  assert(copy_in(host, 4) == cudaSuccess && cucc_failed_call().calls == 0);
  cucc_fail_none(0);
  cudaStream_t stream;
  cudaEvent_t event;
  assert(cudaStreamCreate(&stream) == cudaSuccess);
  assert(cudaEventCreate(&event) == cudaErrorDevicesUnavailable);
  cudaStreamDestroy(stream);
  assert(cudaGetLastError() == cudaErrorDevicesUnavailable);
  cucc_fail_call(-1);
  assert(copy_in(host, 4) == cudaSuccess && cucc_failed_call().calls == 0);
}

static void waits_fail_when_they_have_waited() {
  int *device;
  assert(cudaMalloc(&device, 4) == cudaSuccess);
  cucc_fail_call(2);
  assert(cudaMemsetAsync(device, 1, 4) == cudaSuccess);
  assert(cudaDeviceSynchronize() == cudaErrorIllegalAddress && cucc_failed_call().final);
  assert(cudaStreamQuery(0) == cudaSuccess); /* it did wait */
  cucc_fail_call(1);
  assert(cudaDeviceSynchronize() == cudaSuccess && cucc_failed_call().calls == 0); /* nothing was left */
  cucc_fail_call(-1);
  cudaFree(device);
  cudaGetLastError();
}

/* The wait before the call that failed does not fail, the one after it does. */
static void later_waits_fail_too() {
  int *device;
  assert(cudaMalloc(&device, 4) == cudaSuccess);
  cucc_fail_call(3);
  cucc_fail_later();
  assert(cudaMemsetAsync(device, 1, 4) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess);
  assert(cudaMemsetAsync(device, 1, 4) == cudaErrorECCUncorrectable);
  set<<<1, 1>>>(device, 1);
  assert(cudaDeviceSynchronize() == cudaErrorUnknown);
  assert(cucc_failed_call().error == cudaErrorECCUncorrectable);
  cucc_fail_call(-1);
  cudaFree(device);
  cudaGetLastError();
}

static int queued_questions(int *device) {
  int asked = 0;
  if (cudaMemsetAsync(device, 1, 4)) return -1;
  while (cudaStreamQuery(0) != cudaSuccess) asked++;
  return asked;
}

/* The same question counts once. When it has failed, it and all waits fail for a long time, as after a fault. */
static void questions_go_on_failing() {
  int *device;
  assert(cudaMalloc(&device, 4) == cudaSuccess);
  cucc_fail_call(0);
  assert(queued_questions(device) >= 0 && cucc_failed_call().calls == 2);
  assert(!strcmp(cucc_call_that_may_fail(2), "cudaStreamQuery"));
  cucc_fail_call(2);
  assert(cudaMemsetAsync(device, 1, 4) == cudaSuccess);
  assert(cudaStreamQuery(0) == cudaErrorIllegalAddress && cucc_failed_call().final);
  assert(cudaStreamQuery(0) == cudaErrorIllegalAddress && cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  assert(cucc_failed_call().calls == 3);
  cucc_fail_call(2);
  assert(queued_questions(device) >= 1000);
  cucc_fail_call(-1);
  cudaFree(device);
  cudaGetLastError();
}

/* A program that does not look at the error has neither a number nor a graph. */
static void questions_fail_in_turn() {
  int device = -7, *array, host = 0;
  cudaStream_t stream;
  cudaGraph_t graph;
  assert(cudaMalloc(&array, sizeof *array) == cudaSuccess && cudaStreamCreate(&stream) == cudaSuccess);
  cucc_fail_call(1);
  assert(cudaGetDevice(&device) == cudaErrorInitializationError && device == -7);
  assert(cudaGetDevice(&device) == cudaSuccess && device == 0);
  cucc_fail_call(1);
  assert(cudaDeviceGetAttribute(&device, cudaDevAttrWarpSize, 0) == cudaErrorInitializationError);
  assert(!strcmp(cucc_call_that_may_fail(1), "cudaDeviceGetAttribute"));
  cucc_fail_call(3);
  assert(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed) == cudaSuccess);
  assert(cudaMemcpyAsync(array, &host, 0, cudaMemcpyHostToDevice, stream) == cudaSuccess);
  assert(cudaStreamEndCapture(stream, &graph) == cudaErrorStreamCaptureInvalidated && !graph);
  cudaStreamCaptureStatus status;
  assert(cudaStreamIsCapturing(stream, &status) == cudaSuccess && status == cudaStreamCaptureStatusNone);
  cucc_fail_call(-1);
  cudaStreamDestroy(stream);
  cudaFree(array);
  cudaGetLastError();
}

static bool counted(const char *words) {
  static char json[65536];
  cucc_counters_json(json, sizeof json);
  return strstr(json, words) != NULL;
}

static void pinned_memory_that_is_freed_while_copied_counts() {
  int *device, *pinned;
  cudaStream_t stream;
  cudaEvent_t copied;
  assert(cudaMalloc(&device, 4096) == cudaSuccess && cudaStreamCreate(&stream) == cudaSuccess);
  assert(cudaEventCreate(&copied) == cudaSuccess && counted("\"freed_while_copied\":0,"));
  assert(cudaMallocHost(&pinned, 4096) == cudaSuccess);
  memset(pinned, 0, 4096);
  cudaMemcpyAsync(device, pinned, 2048, cudaMemcpyHostToDevice, stream);
  cudaEventRecord(copied, stream);
  cudaMemsetAsync(device, 1, 4096, stream); /* may still be queued: it does not use the memory */
  cudaEventSynchronize(copied);
  assert(cudaFreeHost(pinned) == cudaSuccess && counted("\"freed_while_copied\":0,"));
  assert(cudaMallocHost(&pinned, 4096) == cudaSuccess);
  memset(pinned, 0, 4096);
  cudaMemcpyAsync(device, pinned + 512, 2048, cudaMemcpyHostToDevice, stream);
  assert(cudaFreeHost(pinned) == cudaSuccess && counted("\"freed_while_copied\":1,"));
  cudaEventDestroy(copied);
  cudaStreamDestroy(stream);
  cudaFree(device);
}

static void what_is_left_shows() {
  const cucc_alive before = cucc_alive_now();
  void *device, *pinned;
  cudaStream_t stream;
  cudaMalloc(&device, 100);
  cudaMallocHost(&pinned, 10);
  cudaStreamCreate(&stream);
  const cucc_alive now = cucc_alive_now();
  assert(now.device_bytes == before.device_bytes + 100 && now.pinned_bytes == before.pinned_bytes + 10);
  assert(now.streams == before.streams + 1 && now.events == before.events);
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  assert(cucc_alive_now().graphs == before.graphs + 1);
  cudaGraphDestroy(graph);
  assert(cucc_alive_now().graphs == before.graphs && now.loaded == before.loaded);
  cudaFree(device);
  cudaFreeHost(pinned);
  cudaStreamDestroy(stream);
  assert(cucc_alive_now().device_bytes == before.device_bytes);
}

static void undone_work_shows() {
  int *x;
  cudaStream_t blocking, other;
  cudaMalloc(&x, 3 * sizeof *x);
  cudaStreamCreate(&blocking);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  set<<<1, 1>>>(x, 1);
  set<<<1, 1, 0, blocking>>>(x + 1, 1);
  set<<<1, 1, 0, other>>>(x + 2, 1);
  assert(cucc_undone(CUCC_NO_WAIT) == 3);
  assert(cucc_undone(CUCC_WAIT_DEFAULT) == 2);
  assert(cucc_undone(CUCC_WAIT_BLOCKING) == 1);
  cudaDeviceSynchronize();
  assert(cucc_undone(CUCC_NO_WAIT) == 0);
  cudaStreamDestroy(blocking);
  cudaStreamDestroy(other);
  cudaFree(x);
}

static bool found(const char *words) {
  static char json[65536];
  cucc_findings_json(json, sizeof json);
  return strstr(json, words) != NULL;
}

static void copies_that_leave_an_array_fail() {
  static int host[64], *array = host + 16;
  cucc_array(array, 8 * sizeof *array, "h_x");
  assert(copy_in(array, 8) == cudaSuccess && copy_in(array + 4, 4) == cudaSuccess && !found("h_x"));
  assert(copy_in(array, 9) == cudaErrorInvalidValue);
  assert(found("reads 4 bytes past the end of h_x, which has 32 bytes"));
  int *device;
  cudaMalloc(&device, 16);
  assert(cudaMemcpy(device, array - 1, 8, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  cudaFree(device);
  assert(found("reads h_x from 4 bytes before its start on"));
  assert(copy_in(array + 9, 1) == cudaErrorInvalidValue);
  cucc_no_arrays();
  cudaGetLastError();
  assert(copy_in(array, 9) == cudaSuccess);
  cucc_reset();
}

int main() {
  calls_fail_in_turn();
  waits_fail_when_they_have_waited();
  later_waits_fail_too();
  questions_go_on_failing();
  questions_fail_in_turn();
  pinned_memory_that_is_freed_while_copied_counts();
  what_is_left_shows();
  undone_work_shows();
  copies_that_leave_an_array_fail();
  puts("watched");
  return 0;
}
