/* Streams, events and launches that end leave nothing on the heap: a harness counts its bytes there to find what
 * a function of C does not free. */
#include <malloc.h>
#include <stdio.h>

__global__ void increment(float *x) { x[threadIdx.x] += 1; }

static long heap() {
  const struct mallinfo2 now = mallinfo2();
  return (long)(now.uordblks + now.hblkhd);
}

static void call(float *d_x) {
  cudaStream_t stream;
  cudaEvent_t before, after;
  cudaStreamCreate(&stream);
  cudaEventCreate(&before);
  cudaEventCreate(&after);
  for (int threads = 1; threads <= 32; threads++) {
    cudaEventRecord(before, stream);
    increment<<<1, threads, 0, stream>>>(d_x);
    cudaEventRecord(after, stream);
    cudaEventSynchronize(after);
  }
  cudaEventDestroy(before);
  cudaEventDestroy(after);
  cudaStreamDestroy(stream);
}

int main() {
  float *d_x;
  cudaMalloc(&d_x, 32 * sizeof(float));
  cudaMemset(d_x, 0, 32 * sizeof(float));
  for (int i = 0; i < 60; i++) call(d_x);
  long least = 1L << 30;
  for (int i = 0; i < 40; i++) {
    const long start = heap();
    call(d_x);
    const long kept = heap() - start;
    if (kept < least) least = kept;
  }
  cudaFree(d_x);
  printf(least > 0 ? "each call keeps at least %ld bytes\n" : "a call keeps nothing\n", least);
}
