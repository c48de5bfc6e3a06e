// expect: memcheck: move
// says: past the end; 832 bytes of device memory, cudaMalloc at
/* 8 + 4 + 1 bytes make 13, but the structure has 16. */
#include "program.h"

struct particle {
  double position;
  float speed;
  char kind;
};

__global__ void move(particle *p, int n) {
  int i = threadIdx.x;
  if (i < n) p[i].speed = 1.0f; // <- at
}

int main() {
  const int n = 64;
  particle *p;
#ifdef FIXED
  CHECK(cudaMalloc(&p, n * sizeof *p));
#else
  CHECK(cudaMalloc(&p, n * (sizeof(double) + sizeof(float) + sizeof(char))));
#endif
  move<<<1, n>>>(p, n);
  cudaDeviceSynchronize();
  cudaFree(p);
}
