// expect: initcheck: energy
// says: was never written
/* Particles are copied whole into a local array, from a tile that
   threads without a particle left as it was. */
#include "program.h"

struct particle {
  float mass, velocity[3], charge, spin;
};

__global__ void energy(const particle *all, float *out, int n) {
  __shared__ particle tile[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) tile[threadIdx.x] = all[i];
#ifdef FIXED
  else
    tile[threadIdx.x] = particle{};
#endif
  __syncthreads();
  float sum = 0;
  for (int j = 0; j < 64; j++) {
    particle p = tile[j]; // <- at
    for (int axis = 0; axis < 3; axis++) sum += p.mass * p.velocity[(axis + i) % 3];
  }
  if (i < n) out[i] = sum;
}

int main() {
  const int n = 100;
  particle *d;
  float *out;
  CHECK(cudaMalloc(&d, n * sizeof *d));
  CHECK(cudaMalloc(&out, n * sizeof *out));
  CHECK(cudaMemset(d, 0, n * sizeof *d));
  energy<<<2, 64>>>(d, out, n);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(d));
  CHECK(cudaFree(out));
}
