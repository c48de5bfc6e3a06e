/* Three bytes per pixel in, one out; then a blur of the grey image with clamped edges. */
#include "program.h"

__global__ void grey(const unsigned char *rgb, unsigned char *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = (unsigned char)((rgb[3 * i] + rgb[3 * i + 1] + rgb[3 * i + 2]) / 3);
}

__global__ void blur(const unsigned char *in, unsigned char *out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int sum = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      sum += in[min(max(y + dy, 0), height - 1) * width + min(max(x + dx, 0), width - 1)];
  out[y * width + x] = (unsigned char)(sum / 9);
}

int main() {
  const int width = 53, height = 31, n = width * height;
  static unsigned char h[3 * n], back[n];
  for (int i = 0; i < 3 * n; i++) h[i] = 90;
  unsigned char *rgb, *a, *b;
  CHECK(cudaMalloc(&rgb, sizeof h));
  CHECK(cudaMalloc(&a, n));
  CHECK(cudaMalloc(&b, n));
  CHECK(cudaMemcpy(rgb, h, sizeof h, cudaMemcpyHostToDevice));
  grey<<<(n + 127) / 128, 128>>>(rgb, a, n);
  blur<<<dim3((width + 15) / 16, (height + 7) / 8), dim3(16, 8)>>>(a, b, width, height);
  CHECK(cudaMemcpy(back, b, n, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) expect("pixel", i, back[i], 90);
  CHECK(cudaFree(rgb));
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
}
