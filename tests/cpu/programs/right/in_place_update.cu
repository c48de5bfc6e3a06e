/* Each thread reads and writes its own element, several times, in one array. */
#include "program.h"

struct particle {
  float x, v;
  int bounces;
};

__global__ void step(particle *p, int n, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  particle q = p[i];
  q.x += q.v * dt;
  p[i] = q;
  if (p[i].x > 1.0f) {
    p[i].v = -p[i].v;
    p[i].bounces++;
  }
}

int main() {
  const int n = 130;
  particle h[n], *d;
  for (int i = 0; i < n; i++) h[i] = particle{0.0f, (float)(i % 3), 0};
  CHECK(cudaMalloc(&d, sizeof h));
  CHECK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  for (int s = 0; s < 4; s++) step<<<2, 96>>>(d, n, 0.5f);
  CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) {
    const double x[] = {0.0, 1.0, 0.0};
    const int bounces[] = {0, 1, 1};
    expect("x", i, h[i].x, x[i % 3]);
    expect("bounces", i, h[i].bounces, bounces[i % 3]);
  }
  CHECK(cudaFree(d));
}
