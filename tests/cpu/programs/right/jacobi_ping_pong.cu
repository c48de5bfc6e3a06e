/* A stencil with two arrays that change places after each sweep; the border is never written. */
#include <utility>
#include "program.h"

__global__ void sweep(const float *in, float *out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < width - 1 && y > 0 && y < height - 1) {
    int i = y * width + x;
    out[i] = 0.25f * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
  }
}

int main() {
  const int width = 35, height = 22, n = width * height;
  float a[n], b[n], *in, *out;
  for (int i = 0; i < n; i++) b[i] = a[i] = (float)(i % 9);
  CHECK(cudaMalloc(&in, sizeof a));
  CHECK(cudaMalloc(&out, sizeof a));
  CHECK(cudaMemcpy(in, a, sizeof a, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(out, a, sizeof a, cudaMemcpyHostToDevice));
  for (int s = 0; s < 5; s++) {
    sweep<<<dim3((width + 15) / 16, (height + 7) / 8), dim3(16, 8)>>>(in, out, width, height);
    std::swap(in, out);
  }
  for (int s = 0; s < 5; s++) {
    float *from = s % 2 ? b : a, *to = s % 2 ? a : b;
    for (int y = 1; y < height - 1; y++)
      for (int x = 1; x < width - 1; x++) {
        int i = y * width + x;
        to[i] = 0.25f * (from[i - 1] + from[i + 1] + from[i - width] + from[i + width]);
      }
  }
  CHECK(cudaMemcpy(a, in, sizeof a, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) expect("grid", i, a[i], b[i]);
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}
