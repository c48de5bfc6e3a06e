/* Images of uchar3 and short3, whose pixels are of no size that a processor loads at once: blurred and turned
 * around. */
#include "program.h"

__global__ void blur(const uchar3 *in, uchar3 *out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int3 sum = make_int3(0, 0, 0);
  int count = 0;
  for (int v = max(0, y - 1); v <= min(height - 1, y + 1); v++)
    for (int u = max(0, x - 1); u <= min(width - 1, x + 1); u++) {
      const uchar3 p = in[v * width + u];
      sum = make_int3(sum.x + p.x, sum.y + p.y, sum.z + p.z);
      count++;
    }
  out[y * width + x] = make_uchar3(sum.x / count, sum.y / count, sum.z / count);
}

__global__ void turn(const uchar3 *in, short3 *out, int n) {
  __shared__ short3 tile[32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, last = min(32, n - (int)(blockIdx.x * blockDim.x)) - 1;
  if (i < n) tile[threadIdx.x] = make_short3(in[i].x - 256, in[i].y, in[i].z * 100);
  __syncthreads();
  if (i < n) out[i] = tile[last - threadIdx.x];
}

int main() {
  const int width = 21, height = 9, n = width * height;
  uchar3 h[n], *in, *out;
  short3 *turned, r[n];
  for (int i = 0; i < n; i++) h[i] = make_uchar3(9, i % width, i / width);
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, sizeof h));
  CHECK(cudaMalloc(&turned, sizeof r));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  blur<<<dim3(3, 3), dim3(8, 4)>>>(in, out, width, height);
  turn<<<(n + 31) / 32, 32>>>(out, turned, n);
  CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(r, turned, sizeof r, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) {
    const int x = i % width, y = i / width;
    expect("x", i, h[i].x, 9);
    expect("y", i, h[i].y, x == width - 1 ? width - 2 : x);
    expect("z", i, h[i].z, y == height - 1 ? height - 2 : y);
    const int from = i / 32 * 32 + min(32, n - i / 32 * 32) - 1 - i % 32;
    expect("turned x", i, r[i].x, 9 - 256);
    expect("turned z", i, r[i].z, h[from].z * 100);
  }
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  CHECK(cudaFree(turned));
}
