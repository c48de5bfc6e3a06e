// expect: memcheck: fill
// says: through a null pointer; only a copy of the pointer: give it &p
/* The function allocates into its own copy of the pointer. */
#include "program.h"

__global__ void fill(int *p) { p[threadIdx.x] = 1; } // <- at

#ifdef FIXED
static void make(int **p, int n) { CHECK(cudaMalloc(p, n * sizeof **p)); }
#else
static void make(int *p, int n) { CHECK(cudaMalloc(&p, n * sizeof *p)); }
#endif

int main() {
  int *p = NULL;
#ifdef FIXED
  make(&p, 64);
#else
  make(p, 64);
#endif
  fill<<<1, 64>>>(p);
  cudaDeviceSynchronize();
  cudaFree(p);
}
