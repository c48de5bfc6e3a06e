// flags: -default-stream per-thread
/* Compiled so that each thread of the host has its own default stream: none waits for another's work. */
#include "program.h"

#include <thread>
#include <vector>

__global__ void fill(int *p, int n, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = value;
}

static void work(int number) {
  const int n = 500;
  int h[n], *d;
  CHECK(cudaMalloc(&d, sizeof h));
  for (int round = 0; round < 3; round++) {
    fill<<<(n + 127) / 128, 128>>>(d, n, 10 * number + round);
    CHECK(cudaMemcpyAsync(h, d, sizeof h, cudaMemcpyDeviceToHost, 0));
    CHECK(cudaStreamSynchronize(0));
    for (int i = 0; i < n; i++) expect("h", i, h[i], 10 * number + round);
  }
  CHECK(cudaFree(d));
}

int main() {
  std::vector<std::thread> team;
  for (int t = 0; t < 3; t++) team.emplace_back(work, t);
  for (auto &t : team) t.join();
  work(3);
}
