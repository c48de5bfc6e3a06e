// expect: memcheck: collect
// says: immediately past the end|past the end; 128 bytes of device memory
/* The queue has room for 32, and the kernel does not check whether it is full. */
#include "program.h"

__global__ void collect(const int *in, int *queue, int *length, int room) {
  int i = threadIdx.x;
  if (in[i] % 2) {
    int slot = atomicAdd(length, 1);
#ifdef FIXED
    if (slot < room)
#else
    (void)room;
#endif
      queue[slot] = in[i]; // <- at
  }
}

int main() {
  const int n = 128, room = 32;
  int h[n], *in, *queue, *length;
  for (int i = 0; i < n; i++) h[i] = i;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&queue, room * sizeof *queue));
  CHECK(cudaMalloc(&length, sizeof *length));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(length, 0, sizeof *length));
  collect<<<1, n>>>(in, queue, length, room);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(queue);
  cudaFree(length);
}
