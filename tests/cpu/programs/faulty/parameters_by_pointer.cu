// expect: memcheck: scale
// says: host memory: a host pointer in a kernel
/* A structure of parameters, passed by its address as one does in C. */
#include "program.h"

struct parameters {
  float factor, offset;
};

#ifdef FIXED
__global__ void scale(float *x, parameters p) { x[threadIdx.x] = p.factor * x[threadIdx.x] + p.offset; }
#else
__global__ void scale(float *x, const parameters *p) {
  x[threadIdx.x] = p->factor * x[threadIdx.x] + p->offset; // <- at
}
#endif

int main() {
  parameters p = {2.0f, 1.0f};
  float *x;
  CHECK(cudaMalloc(&x, 64 * sizeof *x));
  CHECK(cudaMemset(x, 0, 64 * sizeof *x));
#ifdef FIXED
  scale<<<1, 64>>>(x, p);
#else
  scale<<<1, 64>>>(x, &p);
#endif
  cudaDeviceSynchronize();
  cudaFree(x);
}
