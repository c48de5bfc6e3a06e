/* A launch shaped by the occupancy calls fills the device and no more; the calls agree with each other. */
#include "program.h"

__global__ void count(int *x, int n) {
  extern __shared__ int tile[];
  tile[threadIdx.x] = 1;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    x[i] += tile[blockDim.x - 1 - threadIdx.x];
}

template <class T> __global__ void fill(T *x, T value) { x[threadIdx.x] = value; }

struct tile_bytes {
  __host__ __device__ size_t operator()(int block_size) const { return block_size * sizeof(int); }
};

int main() {
  const int n = 20000;
  int device, multiprocessors, per_sm, blocks, grid = 0, block = 0;
  size_t available;
  CHECK(cudaGetDevice(&device));
  CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  CHECK(cudaDeviceGetAttribute(&per_sm, cudaDevAttrMaxThreadsPerMultiProcessor, device));
  for (int size = 32; size <= 1024; size *= 2) {
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, count, size, size * sizeof(int)));
    if (blocks < 1 || blocks * size > per_sm) expect("blocks", size, blocks, per_sm / size);
  }
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, count, 128, 40 << 10));
  if (blocks > 5) expect("blocks of 40 KiB", 0, blocks, 4);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, fill<float>, 128, 0,
                                                               cudaOccupancyDefault));
  CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&available, count, 2, 128));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, count, 128, available));
  if (blocks < 2) expect("blocks with what is available", 0, blocks, 2);
  expect("no threads", 0, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, count, 0, 0),
         cudaErrorInvalidValue);
  cudaGetLastError();

  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, fill<double>));
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, fill<double>, 0, 100));
  if (block > 100) expect("limit", 0, block, 100);
  CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, count, tile_bytes()));
  if (grid % multiprocessors || block % 32) expect("shape", grid, block, 1024);
  int h[64], *x;
  CHECK(cudaMalloc(&x, n * sizeof *x));
  CHECK(cudaMemset(x, 0, n * sizeof *x));
  count<<<grid, block, block * sizeof(int)>>>(x, n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(h, x + n - 64, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; i++) expect("x", i, h[i], 1);
  CHECK(cudaFree(x));
}
