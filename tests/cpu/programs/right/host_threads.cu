// with: CUCC_DEVICES=4
/* Each thread of the host drives a device, with its own current device and its own last error. */
#include "program.h"

#include <thread>
#include <vector>

__global__ void square(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= x[i];
}

static void work(int device, float *x, int n) {
  float *d;
  int current;
  CHECK(cudaSetDevice(device));
  expect("error of this thread", device, cudaSetDevice(1000), cudaErrorInvalidDevice);
  CHECK(cudaMalloc(&d, n * sizeof *d));
  CHECK(cudaMemcpy(d, x, n * sizeof *d, cudaMemcpyHostToDevice));
  expect("it stays", device, cudaGetLastError(), cudaErrorInvalidDevice);
  for (int round = 0; round < 3; round++) square<<<(n + 127) / 128, 128>>>(d, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(x, d, n * sizeof *d, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d));
  CHECK(cudaGetDevice(&current));
  expect("current", device, current, device);
}

int main() {
  int devices, current;
  const int n = 200, threads = 4;
  CHECK(cudaGetDeviceCount(&devices));
  std::vector<std::vector<float>> x(threads, std::vector<float>(n));
  std::vector<std::thread> team;
  for (int t = 0; t < threads; t++) {
    for (int i = 0; i < n; i++) x[t][i] = 1.0f + 0.001f * (float)(t + i % 7);
    team.emplace_back(work, t % devices, x[t].data(), n);
  }
  for (auto &t : team) t.join();
  for (int t = 0; t < threads; t++)
    for (int i = 0; i < n; i++) expect("x", i, x[t][i], pow(1.0f + 0.001f * (float)(t + i % 7), 8));
  CHECK(cudaGetDevice(&current));
  expect("current", -1, current, 0);
  CHECK(cudaGetLastError());
}
