/* A kernel's fault: the launch gives no error, the next synchronise does, and every call after it. */
#include "program.h"

__global__ void wild(int *p, size_t offset) { p[offset] = 1; }

int main(int argc, char **argv) {
  int *p, value;
  CHECK(cudaMalloc(&p, 64));
  wild<<<1, 1>>>(p, 1000);
  printf("launch %d\n", cudaGetLastError());
  printf("synchronise %d\n", cudaDeviceSynchronize());
  printf("copy %d\n", cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost));
  printf("allocate %d\n", cudaMalloc(&p, 64));
  printf("last %d\n", cudaGetLastError());
}
