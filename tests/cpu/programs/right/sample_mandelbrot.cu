// The Mandelbrot set, each thread a pixel: two-dimensional blocks, a struct as argument, a __device__
// function.
#include "../program.h"
#include <vector>

struct view {
  double left, top, step;
};

__host__ __device__ static int iterations(double x, double y, int limit) {
  double re = 0, im = 0;
  int n = 0;
  while (n < limit && re * re + im * im <= 4) {
    double next = re * re - im * im + x;
    im = 2 * re * im + y;
    re = next;
    n++;
  }
  return n;
}

__global__ void mandelbrot(unsigned char *image, int width, int height, view v, int limit) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height) return;
  image[row * width + column] =
      (unsigned char)iterations(v.left + column * v.step, v.top + row * v.step, limit);
}

int main(void) {
  const int width = 90, height = 50, limit = 60;
  const view v = {-2.25, -1.25, 0.05};
  std::vector<unsigned char> host(width * height);
  unsigned char *device = NULL;
  CHECK(cudaMalloc((void **)&device, host.size()));
  dim3 threads(16, 16);
  dim3 blocks((width + threads.x - 1) / threads.x, (height + threads.y - 1) / threads.y);
  mandelbrot<<<blocks, threads>>>(device, width, height, v, limit);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(host.data(), device, host.size(), cudaMemcpyDeviceToHost));
  int inside = 0;
  for (int i = 0; i < width * height; i++) {
    int wanted = iterations(v.left + i % width * v.step, v.top + i / width * v.step, limit);
    /* contraction may differ by a step or two at the edge, not inside */
    if (wanted == limit) expect("pixel", i, host[i] > limit - 5, 1);
    inside += host[i] == limit;
  }
  expect("many inside", 0, inside > 400 && inside < 800, 1);
  CHECK(cudaFree(device));
  return 0;
}
