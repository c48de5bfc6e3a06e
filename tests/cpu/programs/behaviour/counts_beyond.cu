/* What is counted though it is easily left out: kernels with more instructions than have places, reads of
 * constant and managed memory, words that all lanes share, copies that end in managed memory, queries, host
 * functions; and words of managed memory that many threads use, which count once. Prints the counters of its
 * parts as cucc_counters_json gives them, a line each. */
#include "../program.h"
#include "cucc.h"
#include <stdlib.h>

__constant__ float table[64];
__managed__ float shared_with_host[32];

struct words {
  int word[5000];
};

/* 5000 loads and 5000 stores, each an instruction of its own, and then one atomic operation. */
__global__ void long_kernel(words *to, const words *from, int *sum) {
  to[threadIdx.x] = from[threadIdx.x];
  atomicAdd(sum, 1);
}

__global__ void use_tables(float *out) {
  const int i = threadIdx.x;
  out[i] = table[i] + shared_with_host[i] + table[0]; /* the last one: one word for all lanes */
}

__global__ void add_up(float *out) { atomicAdd(&out[threadIdx.x], 1.0f); }

static void print_counters() {
  static char json[1 << 22];
  CHECK(cudaDeviceSynchronize());
  if (cucc_counters_json(json, sizeof json) >= sizeof json) exit(3);
  puts(json);
}

static void nothing(void *) {}

int main() {
  int *sum;
  words *w;
  float *out, *managed, h[64] = {0};
  CHECK(cudaMalloc(&sum, sizeof *sum));
  CHECK(cudaMemset(sum, 0, sizeof *sum));
  CHECK(cudaMalloc(&w, 64 * sizeof *w));
  CHECK(cudaMemset(w, 0, 64 * sizeof *w));
  CHECK(cudaMalloc(&out, 32 * sizeof *out));
  CHECK(cudaMallocManaged(&managed, 32 * sizeof *managed));
  CHECK(cudaMemcpyToSymbol(table, h, sizeof h));
  for (int i = 0; i < 32; i++) shared_with_host[i] = 1;
  if (cucc_profile(1)) return 3;
  cucc_reset();
  long_kernel<<<1, 32>>>(w, w + 32, sum);
  print_counters();
  cucc_reset();
  use_tables<<<1, 32>>>(out);
  CHECK(cudaMemcpy(managed, out, 32 * sizeof *out, cudaMemcpyDeviceToDevice));
  CHECK(cudaLaunchHostFunc(0, nothing, nullptr));
  while (cudaStreamQuery(0) == cudaErrorNotReady) {
  }
  print_counters();
  cucc_reset();
  for (int k = 0; k < 2; k++) add_up<<<50, 32>>>(managed);
  print_counters();
  CHECK(cudaFree(sum));
  CHECK(cudaFree(w));
  CHECK(cudaFree(out));
  CHECK(cudaFree(managed));
}
