// expect: memcheck: -
// says: cudaMemcpyAsync of 1024 bytes: the source has only 512 bytes from that address on
/* The last chunk is only half a chunk. */
#include "program.h"

int main() {
  const int n = 640, chunk = 256; // ints: two chunks and a half
  int *h, *d;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMallocHost(&h, n * sizeof *h));
  CHECK(cudaMalloc(&d, 3 * chunk * sizeof *d));
  for (int i = 0; i < n; i += chunk) {
#ifdef FIXED
    const int length = n - i < chunk ? n - i : chunk;
#else
    const int length = chunk;
#endif
    cudaMemcpyAsync(d + i, h + i, length * sizeof *h, cudaMemcpyHostToDevice, stream); // <- at
  }
  cudaStreamSynchronize(stream);
  cudaFreeHost(h);
  cudaFree(d);
  cudaStreamDestroy(stream);
}
