/* A structure of arrays by value, forces from tiles in shared memory, positions moved in place by a second
 * launch. */
#include "program.h"

#define TILE 32

struct particles {
  float *x, *v, *mass;
  int n;
};

__global__ void accelerate(particles p, float dt) {
  __shared__ float xs[TILE], ms[TILE];
  const int i = blockIdx.x * TILE + threadIdx.x;
  const float x = i < p.n ? p.x[i] : 0;
  float a = 0;
  for (int tile = 0; tile < p.n; tile += TILE) {
    const int j = tile + threadIdx.x;
    xs[threadIdx.x] = j < p.n ? p.x[j] : 0;
    ms[threadIdx.x] = j < p.n ? p.mass[j] : 0;
    __syncthreads();
    for (int k = 0; k < TILE; k++) a += ms[k] * (xs[k] - x);
    __syncthreads();
  }
  if (i < p.n) p.v[i] += a * dt;
}

__global__ void move(particles p, float dt) {
  const int i = blockIdx.x * TILE + threadIdx.x;
  if (i < p.n) p.x[i] += p.v[i] * dt;
}

int main() {
  const int n = 100;
  float h[n], v[n];
  particles p = {nullptr, nullptr, nullptr, n};
  for (int i = 0; i < n; i++) h[i] = (float)i;
  CHECK(cudaMalloc(&p.x, sizeof h));
  CHECK(cudaMalloc(&p.v, sizeof h));
  CHECK(cudaMalloc(&p.mass, sizeof h));
  CHECK(cudaMemcpy(p.x, h, sizeof h, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(p.v, 0, sizeof h));
  for (int i = 0; i < n; i++) v[i] = 1.0f;
  CHECK(cudaMemcpy(p.mass, v, sizeof v, cudaMemcpyHostToDevice));
  accelerate<<<(n + TILE - 1) / TILE, TILE>>>(p, 0.5f);
  move<<<(n + TILE - 1) / TILE, TILE>>>(p, 0.5f);
  CHECK(cudaMemcpy(v, p.x, sizeof v, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) expect("x", i, v[i], i + 0.25 * (n * (n - 1) / 2 - n * i));
  CHECK(cudaFree(p.x));
  CHECK(cudaFree(p.v));
  CHECK(cudaFree(p.mass));
}
