// with: CUCC_FAST_MATH=exact
/* With CUCC_FAST_MATH=exact the fast intrinsics have no error of their own, however large the argument. On a
 * GPU the differences are there, and nothing is asserted. */
#include "program.h"

__global__ void differences(float *d) {
  const float x = 10.0f * (float)threadIdx.x + 0.3f, y = 0.01f * (float)threadIdx.x + 0.3f;
  float s, c;
  __sincosf(x, &s, &c);
  d[threadIdx.x] = fabsf(__sinf(x) - sinf(x)) + fabsf(__cosf(x) - cosf(x)) + fabsf(s - sinf(x)) +
                   fabsf(c - cosf(x)) + fabsf(__expf(y) - expf(y)) + fabsf(__logf(x) - logf(x)) +
                   fabsf(__powf(y, 0.01f * x) - powf(y, 0.01f * x)) + fabsf(__fdividef(1, x) - 1 / x);
}

int main() {
  float *d, h[100];
  CHECK(cudaMalloc(&d, sizeof h));
  differences<<<1, 100>>>(d);
  CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
#ifdef CUCC
  for (int i = 0; i < 100; i++) expect("difference", i, 1e6 * h[i], 0);
#endif
  CHECK(cudaFree(d));
}
