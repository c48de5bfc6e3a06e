/* Cyclic reduction in one block, in place: each step's threads touch rows that no other one of the step
 * writes. */
#include "program.h"

#define N 63 // 2^6 - 1

__global__ void solve(float *a, float *b, float *c, float *d, float *x) {
  const int t = threadIdx.x;
  int step = 1;
  for (; step < (N + 1) / 2; step *= 2) {
    const int i = 2 * step * (t + 1) - 1, low = i - step, high = i + step;
    if (i < N) {
      const float p = a[i] / b[low], q = c[i] / b[high];
      b[i] -= p * c[low] + q * a[high];
      d[i] -= p * d[low] + q * d[high];
      a[i] = -p * a[low];
      c[i] = -q * c[high];
    }
    __syncthreads();
  }
  for (; step >= 1; step /= 2) {
    const int i = 2 * step * t + step - 1;
    if (i < N) {
      float v = d[i];
      if (i - step >= 0) v -= a[i] * x[i - step];
      if (i + step < N) v -= c[i] * x[i + step];
      x[i] = v / b[i];
    }
    __syncthreads();
  }
}

int main() {
  float h[4][N], x[N], *d[5];
  for (int i = 0; i < N; i++) { // the solution is 1, 2, 3 …
    h[0][i] = i > 0 ? -1.0f : 0.0f;
    h[1][i] = 4.0f;
    h[2][i] = i < N - 1 ? -1.0f : 0.0f;
    h[3][i] = 4.0f * (i + 1) - (i > 0 ? i : 0) - (i < N - 1 ? i + 2 : 0);
  }
  for (int k = 0; k < 5; k++) CHECK(cudaMalloc(&d[k], sizeof x));
  for (int k = 0; k < 4; k++) CHECK(cudaMemcpy(d[k], h[k], sizeof x, cudaMemcpyHostToDevice));
  solve<<<1, 32>>>(d[0], d[1], d[2], d[3], d[4]);
  CHECK(cudaMemcpy(x, d[4], sizeof x, cudaMemcpyDeviceToHost));
  for (int i = 0; i < N; i++)
    if (fabsf(x[i] - (i + 1)) > 1e-3f) expect("x", i, x[i], i + 1);
  for (int k = 0; k < 5; k++) CHECK(cudaFree(d[k]));
}
