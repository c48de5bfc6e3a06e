/* What a stream says of itself, functions in streams, and the calling thread's own default stream. */
#include "program.h"

__global__ void add(int *x, int value) { x[threadIdx.x] += value; }

static void append(void *text) {
  char *end = (char *)text;
  while (*end) end++;
  *end = 'f';
}
static void CUDART_CB append_status(cudaStream_t, cudaError_t status, void *text) {
  append(text);
  if (status != cudaSuccess) append(text);
}

int main() {
  int least, greatest, priority, h[32], *d;
  unsigned flags;
  unsigned long long id, other_id;
  char text[8] = "";
  cudaStream_t blocking, urgent;
  CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  if (least < greatest) expect("priorities", 0, least, greatest);
  CHECK(cudaStreamCreate(&blocking));
  CHECK(cudaStreamCreateWithPriority(&urgent, cudaStreamNonBlocking, greatest - 100));
  CHECK(cudaStreamGetPriority(urgent, &priority));
  expect("priority", 0, priority, greatest);
  CHECK(cudaStreamGetFlags(urgent, &flags));
  expect("flags", 0, flags, cudaStreamNonBlocking);
  CHECK(cudaStreamGetId(blocking, &id));
  CHECK(cudaStreamGetId(urgent, &other_id));
  if (id == other_id) expect("ids", 0, (double)id, -1);

  CHECK(cudaMalloc(&d, sizeof h));
  CHECK(cudaMemset(d, 0, sizeof h));
  add<<<1, 32, 0, cudaStreamPerThread>>>(d, 1); /* the legacy default stream and this one order each other */
  add<<<1, 32, 0, cudaStreamLegacy>>>(d, 10);
  add<<<1, 32, 0, blocking>>>(d, 100);
  CHECK(cudaLaunchHostFunc(blocking, append, text));
  CHECK(cudaStreamAddCallback(blocking, append_status, text, 0));
  CHECK(cudaStreamSynchronize(blocking));
  if (text[0] != 'f' || text[1] != 'f' || text[2]) expect("functions called", 0, text[0] + text[1], 2 * 'f');
  CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; i++) expect("h", i, h[i], 111);
  CHECK(cudaStreamDestroy(blocking));
  CHECK(cudaStreamDestroy(urgent));
  CHECK(cudaFree(d));
}
