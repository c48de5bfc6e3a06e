/* One stream produces, another consumes: an event orders them, another one gives the buffer back. */
#include "program.h"

__global__ void produce(int *buffer, int n, int round) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) buffer[i] = round * 1000 + i;
}

__global__ void consume(const int *buffer, long long *sums, int n, int round) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd((unsigned long long *)&sums[round], (unsigned long long)buffer[i]);
}

int main() {
  const int n = 500, rounds = 4;
  int *buffer;
  long long *d_sums, sums[rounds];
  cudaStream_t producer, consumer;
  cudaEvent_t full, empty;
  CHECK(cudaMalloc(&buffer, n * sizeof *buffer));
  CHECK(cudaMalloc(&d_sums, sizeof sums));
  CHECK(cudaMemset(d_sums, 0, sizeof sums));
  CHECK(cudaStreamCreate(&producer));
  CHECK(cudaStreamCreate(&consumer));
  CHECK(cudaEventCreateWithFlags(&full, cudaEventDisableTiming));
  CHECK(cudaEventCreateWithFlags(&empty, cudaEventDisableTiming));
  for (int r = 0; r < rounds; r++) {
    if (r > 0) CHECK(cudaStreamWaitEvent(producer, empty, 0));
    produce<<<(n + 127) / 128, 128, 0, producer>>>(buffer, n, r);
    CHECK(cudaEventRecord(full, producer));
    CHECK(cudaStreamWaitEvent(consumer, full, 0));
    consume<<<(n + 127) / 128, 128, 0, consumer>>>(buffer, d_sums, n, r);
    CHECK(cudaEventRecord(empty, consumer));
  }
  CHECK(cudaStreamSynchronize(consumer));
  CHECK(cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost));
  for (int r = 0; r < rounds; r++) expect("sum", r, (double)sums[r], r * 1000.0 * n + n * (n - 1) / 2);
  CHECK(cudaEventDestroy(full));
  CHECK(cudaEventDestroy(empty));
  CHECK(cudaStreamDestroy(producer));
  CHECK(cudaStreamDestroy(consumer));
  CHECK(cudaFree(buffer));
  CHECK(cudaFree(d_sums));
}
