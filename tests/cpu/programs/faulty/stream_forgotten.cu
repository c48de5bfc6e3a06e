// expect: racecheck: ?
// says: without synchronisation between them
/* The launch forgot its stream: it goes to the default stream, which
   a non-blocking stream does not wait for. */
#include "program.h"

__global__ void square(float *x) { x[threadIdx.x] *= x[threadIdx.x]; } // <- at

int main() {
  float *h, *d;
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK(cudaMallocHost(&h, 64 * sizeof *h));
  CHECK(cudaMalloc(&d, 64 * sizeof *d));
  for (int i = 0; i < 64; i++) h[i] = (float)i;
  CHECK(cudaMemcpy(d, h, 64 * sizeof *h, cudaMemcpyHostToDevice));
#ifdef FIXED
  square<<<1, 64, 0, stream>>>(d);
#else
  square<<<1, 64>>>(d);
#endif
  CHECK(cudaMemcpyAsync(h, d, 64 * sizeof *h, cudaMemcpyDeviceToHost, stream)); // <- at
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFreeHost(h));
  CHECK(cudaFree(d));
}
