/* Chunks over streams, issued depth first (all of a chunk at once) and breadth first (each step for all
 * chunks). */
#include "program.h"

__global__ void work(float *x, int n, float a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = a * x[i] + 1;
}

static const int chunks = 4, chunk = 600;

static void to_device(float *d, const float *h, int c, cudaStream_t stream) {
  CHECK(cudaMemcpyAsync(d + c * chunk, h + c * chunk, chunk * sizeof *h, cudaMemcpyHostToDevice, stream));
}
static void compute(float *d, int c, cudaStream_t stream) {
  work<<<(chunk + 127) / 128, 128, 0, stream>>>(d + c * chunk, chunk, (float)(c + 2));
}
static void to_host(float *h, const float *d, int c, cudaStream_t stream) {
  CHECK(cudaMemcpyAsync(h + c * chunk, d + c * chunk, chunk * sizeof *h, cudaMemcpyDeviceToHost, stream));
}

int main() {
  const int n = chunks * chunk;
  float *h, *d;
  cudaStream_t streams[chunks];
  CHECK(cudaMallocHost(&h, n * sizeof *h));
  CHECK(cudaMalloc(&d, n * sizeof *d));
  for (int c = 0; c < chunks; c++) CHECK(cudaStreamCreateWithFlags(&streams[c], cudaStreamNonBlocking));
  for (int breadth = 0; breadth < 2; breadth++) {
    for (int i = 0; i < n; i++) h[i] = (float)i;
    if (breadth) {
      for (int c = 0; c < chunks; c++) to_device(d, h, c, streams[c]);
      for (int c = 0; c < chunks; c++) compute(d, c, streams[c]);
      for (int c = 0; c < chunks; c++) to_host(h, d, c, streams[c]);
    } else
      for (int c = 0; c < chunks; c++) {
        to_device(d, h, c, streams[c]);
        compute(d, c, streams[c]);
        to_host(h, d, c, streams[c]);
      }
    for (int c = chunks - 1; c >= 0; c--) { /* each chunk is looked at as soon as it is there */
      CHECK(cudaStreamSynchronize(streams[c]));
      for (int i = c * chunk; i < (c + 1) * chunk; i++) expect("h", i, h[i], (c + 2.0) * i + 1);
    }
  }
  for (int c = 0; c < chunks; c++) CHECK(cudaStreamDestroy(streams[c]));
  CHECK(cudaFree(d));
  CHECK(cudaFreeHost(h));
}
