/* cuda::std::barrier, made in place in shared memory: each round a block shifts its values by one thread. */
#include "program.h"
#include <cuda/std/barrier>
#include <new>

__global__ void shift(int *x, int rounds) {
  __shared__ int values[64];
  __shared__ alignas(8) unsigned char place[sizeof(cuda::std::barrier<>)];
  auto *barrier = reinterpret_cast<cuda::std::barrier<> *>(place);
  const int t = threadIdx.x;
  if (t == 0) new (barrier) cuda::std::barrier<>(64);
  values[t] = x[t];
  __syncthreads();
  for (int round = 0; round < rounds; round++) {
    const int next = values[(t + 1) % 64];
    barrier->arrive_and_wait();
    values[t] = next;
    barrier->wait(barrier->arrive());
  }
  x[t] = values[t];
}

int main() {
  const int rounds = 5;
  int h[64], *x;
  for (int i = 0; i < 64; i++) h[i] = i;
  CHECK(cudaMalloc(&x, sizeof h));
  CHECK(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
  shift<<<1, 64>>>(x, rounds);
  CHECK(cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; i++) expect("x", i, h[i], (i + rounds) % 64);
  CHECK(cudaFree(x));
}
