// expect: racecheck: ?
// says: in stream; without synchronisation between them
/* cudaMemcpy in the default stream waits for blocking streams, not
   for one made with cudaStreamNonBlocking. */
#include "program.h"

__global__ void fill(int *p) { p[threadIdx.x] = 2; } // <- at

int main() {
  int h[64], *d;
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK(cudaMalloc(&d, sizeof h));
  CHECK(cudaMemset(d, 0, sizeof h));
  CHECK(cudaDeviceSynchronize());
  fill<<<1, 64, 0, stream>>>(d);
#ifdef FIXED
  CHECK(cudaStreamSynchronize(stream));
#endif
  CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost)); // <- at
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(d));
}
