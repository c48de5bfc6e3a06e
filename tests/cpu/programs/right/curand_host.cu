// flags: -lcurand
/* Numbers from cuRAND's library for the host, on the device and on the host: in their range, with the moments of
 * their distribution, the same for the same seed, and ready after a synchronise. */
#include "program.h"
#include <curand.h>

#define RIGHT(call) expect(#call, 0, call, CURAND_STATUS_SUCCESS)

const int n = 10000;

__global__ void twice(float *x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2;
}

static void moments(const char *what, const double *x, double mean, double variance) {
  double sum = 0, squares = 0;
  for (int i = 0; i < n; i++) sum += x[i];
  for (int i = 0; i < n; i++) squares += (x[i] - sum / n) * (x[i] - sum / n);
  expect(what, 1, fabs(sum / n - mean) < 0.05 * sqrt(variance), 1);
  expect(what, 2, fabs(squares / n - variance) < 0.1 * variance, 1);
}

int main() {
  static float first[n], second[n];
  static double x[n], h[n];
  float *d;
  double *d_x;
  curandGenerator_t generator, on_host;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMalloc(&d, sizeof first));
  CHECK(cudaMalloc(&d_x, sizeof x));

  RIGHT(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT));
  RIGHT(curandSetPseudoRandomGeneratorSeed(generator, 1234ull));
  RIGHT(curandSetStream(generator, stream));
  RIGHT(curandGenerateUniform(generator, d, n));
  twice<<<(n + 255) / 256, 256, 0, stream>>>(d);
  CHECK(cudaMemcpyAsync(first, d, sizeof first, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  for (int i = 0; i < n; i++) {
    expect("range", i, first[i] > 0 && first[i] <= 2, 1);
    x[i] = first[i];
  }
  moments("uniform", x, 1, 4 / 12.0);

  RIGHT(curandSetPseudoRandomGeneratorSeed(generator, 1234ull));
  RIGHT(curandGenerateUniform(generator, d, n));
  CHECK(cudaMemcpyAsync(second, d, sizeof second, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  for (int i = 0; i < n; i++) expect("the same seed", i, first[i], 2 * second[i]);

  RIGHT(curandGenerateNormalDouble(generator, d_x, n, 5, 3));
  CHECK(cudaMemcpyAsync(x, d_x, sizeof x, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  moments("normal", x, 5, 9);
  expect("an odd number", 0, curandGenerateNormal(generator, d, 3, 0, 1), CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  RIGHT(curandDestroyGenerator(generator));

  RIGHT(curandCreateGeneratorHost(&on_host, CURAND_RNG_PSEUDO_MT19937));
  RIGHT(curandGenerateUniformDouble(on_host, h, n));
  moments("on the host", h, 0.5, 1 / 12.0);
  RIGHT(curandDestroyGenerator(on_host));
  CHECK(cudaFree(d));
  CHECK(cudaFree(d_x));
  CHECK(cudaStreamDestroy(stream));
}
