/* What must not be done while a stream is captured gives errors of the 900s and spoils the capture. */
#include "program.h"

__global__ void touch(int *p) { p[0]++; }

static cudaStream_t stream;

static void gives(const char *what, cudaError_t got, cudaError_t want) {
  expect(what, 0, got, want);
  cudaGetLastError();
}

static void begin(cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal) {
  CHECK(cudaStreamBeginCapture(stream, mode));
}

static void is_spoilt(const char *what) {
  cudaGraph_t graph;
  gives(what, cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
}

static void misplaced() {
  cudaGraph_t graph;
  gives("end without begin", cudaStreamEndCapture(stream, &graph), cudaErrorIllegalState);
  gives("default stream", cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal),
        cudaErrorStreamCaptureUnsupported);
  begin();
  gives("begin twice", cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaErrorIllegalState);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphDestroy(graph));
}

int main() {
  int *p;
  void *q;
  cudaGraph_t graph;
  cudaStream_t other;
  cudaEvent_t event, outside;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&event));
  CHECK(cudaEventCreate(&outside));
  CHECK(cudaMalloc(&p, sizeof *p));
  CHECK(cudaMemset(p, 0, sizeof *p));
  CHECK(cudaEventRecord(outside, other));
  CHECK(cudaDeviceSynchronize());

  misplaced();

  begin();
  gives("synchronise", cudaStreamSynchronize(stream), cudaErrorStreamCaptureUnsupported);
  is_spoilt("after synchronise");
  begin();
  gives("query", cudaStreamQuery(stream), cudaErrorStreamCaptureUnsupported);
  is_spoilt("after query");
  begin();
  gives("allocate", cudaMalloc(&q, 64), cudaErrorStreamCaptureUnsupported);
  is_spoilt("after allocate");
  begin();
  touch<<<1, 1>>>(p);
  gives("default stream during a capture", cudaGetLastError(), cudaErrorStreamCaptureImplicit);
  is_spoilt("after the default stream");
  begin();
  gives("event from outside", cudaStreamWaitEvent(stream, outside, 0), cudaErrorStreamCaptureIsolation);
  is_spoilt("after an event from outside");
  begin();
  CHECK(cudaEventRecord(event, stream));
  gives("captured event", cudaEventSynchronize(event), cudaErrorCapturedEvent);
  is_spoilt("after the event");

  begin();
  CHECK(cudaEventRecord(event, stream));
  CHECK(cudaStreamWaitEvent(other, event, 0));
  touch<<<1, 1, 0, other>>>(p);
  gives("work that is not joined", cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureUnjoined);

  begin(cudaStreamCaptureModeRelaxed); /* forbids only what cannot be */
  CHECK(cudaMalloc(&q, 64));
  touch<<<1, 1, 0, stream>>>(p);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaFree(q));
  int h;
  CHECK(cudaMemcpy(&h, p, sizeof h, cudaMemcpyDeviceToHost));
  expect("nothing ran", 0, h, 0);
  CHECK(cudaEventDestroy(event));
  CHECK(cudaEventDestroy(outside));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaStreamDestroy(other));
  CHECK(cudaFree(p));
}
