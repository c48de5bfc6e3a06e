/* Zero copy: the kernel reads and writes the host's pinned memory; the host waits before it looks and before
 * it writes. */
#include "program.h"

__global__ void square(const int *in, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * in[i];
}

int main() {
  const int n = 100;
  int *in, *out;
  cudaStream_t stream;
  cudaEvent_t done;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaEventCreate(&done));
  CHECK(cudaHostAlloc(&in, n * sizeof *in, cudaHostAllocMapped));
  CHECK(cudaHostAlloc(&out, 2 * n * sizeof *out, cudaHostAllocMapped));
  for (int round = 0; round < 4; round++) {
    for (int i = 0; i < n; i++) in[i] = i + round;
    square<<<2, 64, 0, stream>>>(in, out + n * (round % 2), n);
    CHECK(cudaEventRecord(done, stream));
    if (round > 0)
      expect("last round", round, out[n * ((round + 1) % 2) + 3],
             (2 + round) * (2 + round)); // while this one runs
    if (round % 2)
      CHECK(cudaEventSynchronize(done));
    else
      while (cudaStreamQuery(stream) == cudaErrorNotReady)
        ;
    for (int i = 0; i < n; i++) expect("out", i, out[n * (round % 2) + i], (i + round) * (i + round));
  }
  CHECK(cudaFreeHost(in));
  CHECK(cudaFreeHost(out));
  CHECK(cudaEventDestroy(done));
  CHECK(cudaStreamDestroy(stream));
}
