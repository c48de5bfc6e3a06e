/* Functions of the host between kernels: each reads what the last copy brought and gives the next one its
 * input. */
#include "program.h"

__global__ void twice(int *x) { x[threadIdx.x] *= 2; }

struct step {
  int *pinned, added;
  long sum;
};

static void look(void *argument) {
  step *s = (step *)argument;
  for (int i = 0; i < 32; i++) {
    s->sum += s->pinned[i];
    s->pinned[i] += s->added;
  }
}

int main() {
  const int steps = 4;
  int *h, *d;
  step all[steps];
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMallocHost(&h, 32 * sizeof *h));
  CHECK(cudaMalloc(&d, 32 * sizeof *d));
  for (int i = 0; i < 32; i++) h[i] = i;
  for (int k = 0; k < steps; k++) {
    all[k] = {h, k + 1, 0};
    CHECK(cudaMemcpyAsync(d, h, 32 * sizeof *h, cudaMemcpyHostToDevice, stream));
    twice<<<1, 32, 0, stream>>>(d);
    CHECK(cudaMemcpyAsync(h, d, 32 * sizeof *h, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaLaunchHostFunc(stream, look, &all[k]));
  }
  CHECK(cudaStreamSynchronize(stream));
  long value = 0; /* of the first element; the others are i * 2^k more */
  for (int k = 0; k < steps; k++) {
    value *= 2;
    expect("sum", k, (double)all[k].sum, (double)(32 * value + 496 * (2l << k)));
    value += k + 1;
  }
  for (int i = 0; i < 32; i++) expect("h", i, h[i], (double)(value + (16l * i)));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(d));
  CHECK(cudaFreeHost(h));
}
