/* cucc_profile from a program: only what runs between on and off is counted, and cucc_reset forgets it.
 * Prints the profile of each step as cucc_counters_json gives it, a line each. */
#include "../program.h"
#include "cucc.h"

__constant__ float factor[1] = {2};
__device__ float bias[32];

__global__ void scale(float *p, int times) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < times; k++) p[32 * k + i] = p[32 * k + i] * factor[0] + bias[i % 32];
}

static void print_counters() {
  static char json[1 << 16];
  CHECK(cudaDeviceSynchronize());
  cucc_counters_json(json, sizeof json);
  puts(json);
}

int main() {
  const int times = 200000;
  float *p, *mapped, *registered = (float *)aligned_alloc(128, 32 * sizeof *registered);
  CHECK(cudaMalloc(&p, 32 * times * sizeof *p));
  CHECK(cudaMemset(p, 0, 32 * times * sizeof *p));
  CHECK(cudaMallocHost(&mapped, 64 * sizeof *mapped));
  for (int i = 0; i < 64; i++) mapped[i] = 1;
  for (int i = 0; i < 32; i++) registered[i] = 1;
  CHECK(cudaHostRegister(registered, 32 * sizeof *registered, cudaHostRegisterMapped));
  scale<<<1, 32>>>(p, 1); /* not counted */
  CHECK(cudaDeviceSynchronize());
  if (cucc_profile(1)) return 3;
  scale<<<1, 32>>>(p, 1);
  scale<<<2, 32>>>(mapped, 1);
  scale<<<1, 32>>>(registered, 1);
  print_counters();
  cucc_reset();
  scale<<<1, 32>>>(p, times); /* more requests of one warp than are kept */
  print_counters();
  cucc_profile(0);
  cucc_reset();
  scale<<<1, 32>>>(p, 1);
  print_counters();
  CHECK(cudaFreeHost(mapped));
  CHECK(cudaHostUnregister(registered));
  CHECK(cudaFree(p));
  free(registered);
}
