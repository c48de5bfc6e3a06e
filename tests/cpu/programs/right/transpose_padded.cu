/* A tile with a padding column, blocks of 32 by 8, edges that are no multiple of the tile. */
#include "program.h"

#define TILE 32
#define ROWS 8

__global__ void transpose(const float *in, float *out, int width, int height) {
  __shared__ float tile[TILE][TILE + 1];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += ROWS)
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += ROWS)
    if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

int main() {
  const int width = 70, height = 45;
  static float h[width * height], back[width * height];
  for (int i = 0; i < width * height; i++) h[i] = (float)i;
  float *in, *out;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, sizeof h));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  transpose<<<dim3((width + TILE - 1) / TILE, (height + TILE - 1) / TILE), dim3(TILE, ROWS)>>>(in, out, width,
                                                                                               height);
  CHECK(cudaMemcpy(back, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) expect("out", x * height + y, back[x * height + y], y * width + x);
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}
