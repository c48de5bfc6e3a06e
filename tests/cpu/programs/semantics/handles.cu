// with: CUCC_CHECK=none
/* What calls answer about memory, devices, events and captures, as CUDA 13's documentation says it. Tells
 * each difference; prints nothing when all is so. */
#include <string.h>

#include "gives.h"

__device__ int table[4];

__global__ void touch(int *p) { p[threadIdx.x] = 1; }

/* cudaErrorNotReady is an answer, and is not kept. */
static void pending(int *d) {
  cudaEvent_t event;
  CHECK(cudaEventCreate(&event));
  gives("a query of an event never recorded", cudaEventQuery(event), cudaSuccess);
  gives("waiting for an event never recorded", cudaEventSynchronize(event), cudaSuccess);
  for (int i = 0; i < 100; i++) touch<<<1, 16>>>(d);
  CHECK(cudaEventRecord(event, 0));
  const cudaError_t of_event = cudaEventQuery(event), of_stream = cudaStreamQuery(0);
  gives("an answer of cudaEventQuery", of_event == cudaSuccess || of_event == cudaErrorNotReady, 1);
  gives("an answer of cudaStreamQuery", of_stream == cudaSuccess || of_stream == cudaErrorNotReady, 1);
  gives("the last error after queries", cudaGetLastError(), cudaSuccess);
  CHECK(cudaEventSynchronize(event));
  CHECK(cudaEventDestroy(event));
}

/* Pageable memory is taken when the call is made. */
static void staged(int *d) {
  int host[16], back[16];
  for (int i = 0; i < 16; i++) host[i] = i;
  CHECK(cudaMemcpyAsync(d, host, sizeof host, cudaMemcpyHostToDevice, 0));
  memset(host, 0, sizeof host);
  CHECK(cudaMemcpy(back, d, sizeof back, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 16; i++) gives("an element of a staged copy", back[i], i);
}

static void bounds() {
  int host[8] = {0};
  void *address;
  size_t size;
  fails("a copy past a symbol's end", cudaMemcpyToSymbol(table, host, 20), cudaErrorInvalidValue);
  fails("a copy past a symbol", cudaMemcpyToSymbol(table, host, 4, 16), cudaErrorInvalidValue);
  fails("a copy from past a symbol's end", cudaMemcpyFromSymbol(host, table, 8, 12), cudaErrorInvalidValue);
  fails("the address of no symbol", cudaGetSymbolAddress(&address, (const void *)host),
        cudaErrorInvalidSymbol);
  CHECK(cudaGetSymbolSize(&size, table));
  gives("a symbol's size", (long)size, 16);
}

static void kind(const char *what, const void *pointer, cudaMemoryType type) {
  cudaPointerAttributes a;
  CHECK(cudaPointerGetAttributes(&a, pointer));
  gives(what, a.type, type);
}

static void kinds(int *d) {
  int on_stack, *pinned, *managed;
  CHECK(cudaMallocHost(&pinned, 64));
  CHECK(cudaMallocManaged(&managed, 64));
  kind("the kind of device memory", d + 3, cudaMemoryTypeDevice);
  kind("the kind of pinned memory", pinned, cudaMemoryTypeHost);
  kind("the kind of managed memory", managed, cudaMemoryTypeManaged);
  kind("the kind of a variable of the host", &on_stack, cudaMemoryTypeUnregistered);
  fails("cudaFree of pinned memory", cudaFree(pinned), cudaErrorInvalidValue);
  fails("cudaFreeHost of device memory", cudaFreeHost(d), cudaErrorInvalidValue);
  CHECK(cudaFreeHost(pinned));
  CHECK(cudaFree(managed));
}

static void registered() {
  const size_t size = 1 << 16;
  void *const host = aligned_alloc(4096, size);
  CHECK(cudaHostRegister(host, size, cudaHostRegisterDefault));
  fails("registering twice", cudaHostRegister(host, size, cudaHostRegisterDefault),
        cudaErrorHostMemoryAlreadyRegistered);
  CHECK(cudaHostUnregister(host));
  fails("unregistering twice", cudaHostUnregister(host), cudaErrorHostMemoryNotRegistered);
  free(host);
}

static void devices() {
  cudaDeviceProp p;
  int value, count;
  CHECK(cudaGetDeviceCount(&count));
  fails("device -1", cudaSetDevice(-1), cudaErrorInvalidDevice);
  fails("properties of no device", cudaGetDeviceProperties(&p, count), cudaErrorInvalidDevice);
  CHECK(cudaGetDeviceProperties(&p, 0));
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, 0));
  gives("threads of a block", value, p.maxThreadsPerBlock);
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
  gives("multiprocessors", value, p.multiProcessorCount);
  gives("threads of a warp", p.warpSize, 32);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&value, touch, 1024, 0));
  gives("at least one block of 1024 threads", value >= 1, 1);
  gives("blocks that fit", value <= p.maxThreadsPerMultiProcessor / 1024, 1);
}

/* What may not be done while a stream is captured, and what that makes of the capture. */
static void captures(int *d) {
  cudaStream_t stream;
  cudaGraph_t graph;
  CHECK(cudaStreamCreate(&stream));
  fails("ending what never began", cudaStreamEndCapture(stream, &graph), cudaErrorIllegalState);
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  touch<<<1, 16, 0, stream>>>(d);
  fails("waiting for a captured stream", cudaStreamSynchronize(stream), cudaErrorStreamCaptureUnsupported);
  fails("ending a spoilt capture", cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  gives("work after a spoilt capture", cudaStreamSynchronize(stream), cudaSuccess);
  CHECK(cudaStreamDestroy(stream));
}

int main() {
  int *d;
  CHECK(cudaMalloc(&d, 64));
  pending(d);
  staged(d);
  fails("filling past the end", cudaMemset(d, 0, (size_t)8 << 20), cudaErrorInvalidValue);
  bounds();
  kinds(d);
  registered();
  devices();
  captures(d);
  CHECK(cudaFree(d));
  return finish();
}
