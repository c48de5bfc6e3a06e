/* What kernels touch in the memory of another device. Prints the profile of each step as cucc_counters_json
 * gives it, a line each. */
#include "../program.h"
#include "cucc.h"

__global__ void read_own(float *d_own, const float *d_from) { d_own[threadIdx.x] = d_from[threadIdx.x]; }
__global__ void read_peer(float *d_own, const float *d_from) { d_own[threadIdx.x] = d_from[threadIdx.x]; }
__global__ void copy_there(float *d_to, const float *d_from) { d_to[threadIdx.x] = d_from[threadIdx.x]; }
__global__ void read_often(float *d_own, const volatile float *d_from, int times) {
  float sum = 0;
  for (int k = 0; k < times; k++) sum += d_from[threadIdx.x];
  d_own[threadIdx.x] = sum;
}

static void print_counters() {
  static char json[1 << 16];
  CHECK(cudaDeviceSynchronize());
  cucc_counters_json(json, sizeof json);
  puts(json);
  cucc_reset();
}

int main() {
  float *d_own, *d_other;
  CHECK(cudaSetDevice(1));
  CHECK(cudaMalloc(&d_other, 64 * sizeof *d_other));
  CHECK(cudaMemset(d_other, 0, 64 * sizeof *d_other));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaSetDevice(0));
  CHECK(cudaDeviceEnablePeerAccess(1, 0));
  CHECK(cudaMalloc(&d_own, 64 * sizeof *d_own));
  CHECK(cudaMemset(d_own, 0, 64 * sizeof *d_own));
  CHECK(cudaDeviceSynchronize());
  if (cucc_profile(1)) return 3;
  read_own<<<1, 32>>>(d_own, d_own + 32);
  read_peer<<<1, 32>>>(d_own, d_other);
  copy_there<<<1, 32>>>(d_other + 32, d_other);
  print_counters();
  read_often<<<1, 32>>>(d_own, d_other, 200000); /* more requests of one warp than are kept */
  print_counters();
  CHECK(cudaFree(d_own));
  CHECK(cudaFree(d_other));
}
