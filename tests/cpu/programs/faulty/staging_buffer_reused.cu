// expect: racecheck: -
// says: the host writes pinned memory that a copy in stream; still be reading
/* The next batch overwrites the pinned buffer while the last one is still on its way. */
#include "program.h"

__global__ void add(int *sum, const int *batch) { sum[threadIdx.x] += batch[threadIdx.x]; }

int main() {
  int *h, *d, *sum;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMallocHost(&h, 64 * sizeof *h));
  CHECK(cudaMalloc(&d, 64 * sizeof *d));
  CHECK(cudaMalloc(&sum, 64 * sizeof *sum));
  CHECK(cudaMemset(sum, 0, 64 * sizeof *sum));
  for (int batch = 0; batch < 3; batch++) {
    for (int i = 0; i < 64; i++) h[i] = batch; // <- at
    CHECK(cudaMemcpyAsync(d, h, 64 * sizeof *h, cudaMemcpyHostToDevice, stream));
    add<<<1, 64, 0, stream>>>(sum, d);
#ifdef FIXED
    CHECK(cudaStreamSynchronize(stream));
#endif
  }
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFreeHost(h));
  CHECK(cudaFree(d));
  CHECK(cudaFree(sum));
}
