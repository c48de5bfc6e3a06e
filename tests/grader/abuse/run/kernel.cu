// says: no answer after|did not end within
__global__ void forever(volatile int *p) {
  while (*p == 0) {
  }
}
static void abuse(void) {
  int *p;
  cudaMalloc(&p, sizeof *p);
  cudaMemset(p, 0, sizeof *p);
  forever<<<1, 32>>>(p);
  cudaDeviceSynchronize();
}
