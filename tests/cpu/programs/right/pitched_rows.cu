/* Two- and three-dimensional arrays with a pitch: copied there, worked on, copied back, cleared in part. */
#include "program.h"

__global__ void twice(float *image, size_t pitch, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    float *row = (float *)((char *)image + y * pitch);
    row[x] *= 2;
  }
}

__global__ void add_depth(cudaPitchedPtr volume, cudaExtent extent) {
  int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
  if (x * sizeof(float) < extent.width && (size_t)y < extent.height) {
    float *row = (float *)((char *)volume.ptr + (z * volume.ysize + y) * volume.pitch);
    row[x] += 100.0f * (float)z;
  }
}

static void two_dimensions() {
  const int width = 37, height = 21;
  static float h[21][37], back[21][40];
  float *d;
  size_t pitch;
  CHECK(cudaMallocPitch(&d, &pitch, width * sizeof *d, height));
  expect("pitch", 0, pitch >= width * sizeof *d && pitch % 32 == 0, 1);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) h[y][x] = (float)(y * width + x);
  CHECK(cudaMemcpy2D(d, pitch, h, sizeof h[0], sizeof h[0], height, cudaMemcpyHostToDevice));
  twice<<<dim3(3, 3), dim3(16, 8)>>>(d, pitch, width, height);
  CHECK(cudaMemset2D(d, pitch, 0, 3 * sizeof *d, 2)); /* a corner */
  CHECK(cudaMemcpy2D(back, sizeof back[0], d, pitch, sizeof h[0], height, cudaMemcpyDeviceToHost));
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      expect("back", y * width + x, back[y][x], y < 2 && x < 3 ? 0 : 2.0 * h[y][x]);
  expect("after the rows", 0, back[3][38], 0);

  /* columns 4 to 7 of pinned memory in a stream, while the host writes other columns of it */
  cudaStream_t stream;
  float *pinned;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMallocHost(&pinned, 16 * height * sizeof *pinned));
  for (int i = 0; i < 16 * height; i++) pinned[i] = (float)i;
  CHECK(cudaMemcpy2DAsync(d, pitch, pinned + 4, 16 * sizeof *pinned, 4 * sizeof *pinned, height,
                          cudaMemcpyHostToDevice, stream));
  for (int y = 0; y < height; y++) pinned[16 * y + 9] = -1;
  CHECK(cudaMemset2DAsync(d, pitch, 0xff, sizeof *d, height, stream));
  CHECK(cudaMemcpy2DAsync(pinned, 16 * sizeof *pinned, d, pitch, 4 * sizeof *pinned, height,
                          cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  expect("row 2", 1, pinned[16 * 2 + 1], 16 * 2 + 5);
  expect("row 2", 0, pinned[16 * 2] != pinned[16 * 2], 1); /* all bits set is a NaN */
  expect("row 2", 9, pinned[16 * 2 + 9], -1);
  CHECK(cudaMemcpy2D(d, pitch, h, sizeof h[0], sizeof h[0], 0, cudaMemcpyHostToDevice)); /* no rows */
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFreeHost(pinned));
  CHECK(cudaFree(d));
}

static void three_dimensions() {
  static float h[3][4][5], back[3][4][5];
  cudaPitchedPtr volume;
  const cudaExtent extent = make_cudaExtent(5 * sizeof(float), 4, 3);
  CHECK(cudaMalloc3D(&volume, extent));
  CHECK(cudaMemset3D(volume, 0, extent));
  for (int i = 0; i < 60; i++) (&h[0][0][0])[i] = (float)i;
  cudaMemcpy3DParms p = {};
  p.srcPtr = make_cudaPitchedPtr(h, 5 * sizeof(float), 5, 4);
  p.dstPtr = volume;
  p.extent = extent;
  p.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&p));
  add_depth<<<3, dim3(8, 8)>>>(volume, extent);
  p.srcPtr = volume;
  p.dstPtr = make_cudaPitchedPtr(back, 5 * sizeof(float), 5, 4);
  p.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&p));
  for (int z = 0; z < 3; z++)
    for (int y = 0; y < 4; y++)
      for (int x = 0; x < 5; x++) expect("back", (z * 4 + y) * 5 + x, back[z][y][x], h[z][y][x] + 100.0 * z);
  /* a part of it: the upper left of the last slice */
  p.srcPos = make_cudaPos(0, 0, 2);
  p.extent = make_cudaExtent(2 * sizeof(float), 2, 1);
  CHECK(cudaMemcpy3D(&p));
  expect("part", 6, back[0][1][1], 46 + 200);
  CHECK(cudaFree(volume.ptr));
}

int main() {
  two_dimensions();
  three_dimensions();
}
