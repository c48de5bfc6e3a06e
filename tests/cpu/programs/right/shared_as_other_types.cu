/* Shared memory of one type, used as memory of another: dynamic arrays at file and namespace scope, which all
   kernels share, and static ones with several dimensions. */
#include "program.h"

#include <new>

extern __shared__ double room[];
namespace {
extern __shared__ __align__(16) int words[];
}
namespace tiles {
extern __shared__ float rows[][33];
}
struct counted {
  __device__ counted() {}
  int count;
};
extern __shared__ counted several[];

template <class T> __device__ T sum_of(const T *values, int n) {
  T sum = 0;
  for (int i = 0; i < n; i++) sum += values[i];
  return sum;
}

template <class T> __global__ void sum_up(const T *in, T *out, int n) {
  T *tile = (T *)room;
  T *const second = reinterpret_cast<T *>(room) + n;
  tile[threadIdx.x] = in[threadIdx.x];
  second[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) *out = sum_of(tile, n) + sum_of(second, n) + (T)(sum_of(room, 0));
}

__global__ void in_rows(const float *in, float *out) {
  unsigned char(*const bytes)[16] = reinterpret_cast<unsigned char(*)[16]>(words);
  tiles::rows[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tiles::rows[threadIdx.x][threadIdx.y] + (bytes == nullptr);
}

__global__ void in_static(int *out) {
  __shared__ double cube[2][4][8], line[32];
  float *const numbers = (float *)cube;
  int(*const table)[8] = (int(*)[8])line;
  numbers[threadIdx.x] = threadIdx.x;
  table[threadIdx.x / 8][threadIdx.x % 8] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] =
      (int)numbers[63 - threadIdx.x] + reinterpret_cast<const int *>(&line[0])[threadIdx.x ^ 1];
}

__global__ void of_objects(int *out) {
  new (&several[threadIdx.x]) counted;
  several[threadIdx.x].count = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = several[31 - threadIdx.x].count;
}

template <class T> static void try_sum(T *memory) {
  for (int i = 0; i < 32; i++) memory[i] = (T)i;
  sum_up<<<1, 32, 64 * sizeof(T)>>>(memory, memory + 32, 32);
  CHECK(cudaDeviceSynchronize());
  expect("sum", sizeof(T), (double)memory[32], 992);
}

int main() {
  void *memory;
  CHECK(cudaMallocManaged(&memory, 2 * 1024 * sizeof(double)));
  try_sum((float *)memory);
  try_sum((double *)memory);
  try_sum((int *)memory);
  float *const in = (float *)memory, *const out = in + 1024;
  for (int i = 0; i < 1024; i++) in[i] = (float)i;
  in_rows<<<1, dim3(32, 32), 32 * 33 * sizeof(float)>>>(in, out);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 1024; i++) expect("row", i, out[i], i % 32 * 32 + i / 32);
  int *const numbers = (int *)memory;
  in_static<<<1, 64>>>(numbers);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 64; i++) expect("static", i, numbers[i], 63 - i + (i ^ 1));
  of_objects<<<1, 32, 32 * sizeof(counted)>>>(numbers);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 32; i++) expect("object", i, numbers[i], 31 - i);
  CHECK(cudaFree(memory));
}
