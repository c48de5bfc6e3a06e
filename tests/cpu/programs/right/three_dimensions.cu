/* Blocks and grids in three dimensions, arguments of every kind by value. */
#include "program.h"

struct box {
  int3 size;
  float scale;
};

__global__ void fill(float *out, box b, const char letter, long long offset, bool on) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
      z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= b.size.x || y >= b.size.y || z >= b.size.z) return;
  out[(z * b.size.y + y) * b.size.x + x] = on ? b.scale * (100 * z + 10 * y + x) + letter + offset : 0.0f;
}

int main() {
  const int w = 7, h = 6, d = 5, n = w * h * d;
  float out[n], *d_out;
  CHECK(cudaMalloc(&d_out, sizeof out));
  box b = {make_int3(w, h, d), 2.0f};
  dim3 block(4, 3, 2);
  dim3 grid((w + block.x - 1) / block.x, (h + block.y - 1) / block.y, (d + block.z - 1) / block.z);
  fill<<<grid, block>>>(d_out, b, 'A', 1000LL, true);
  b.scale = 0.0f; /* the launch has its own copy */
  CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
  for (int z = 0; z < d; z++)
    for (int y = 0; y < h; y++)
      for (int x = 0; x < w; x++)
        expect("out", (z * h + y) * w + x, out[(z * h + y) * w + x],
               2.0 * (100 * z + 10 * y + x) + 65 + 1000);
  CHECK(cudaFree(d_out));
}
