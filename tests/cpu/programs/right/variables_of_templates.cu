/* Variables that compilers put where they want: a template's instances, internal ones of inline, static ones
   of functions. */
#include "program.h"

template <typename T> __device__ T total;
template <typename T> __device__ T table[4] = {1, 2, 3, 4};
template <typename T> __constant__ T factor;
static inline __device__ int base = 5;

static inline __device__ int ticket() {
  static __device__ int next;
  return atomicAdd(&next, 1);
}

template <typename T> __global__ void sum(T *out) {
  static __shared__ T values[32];
  __shared__ static int offset;
  values[threadIdx.x] = factor<T> * table<T>[threadIdx.x % 4];
  if (threadIdx.x == 0) offset = base;
  __syncthreads();
  atomicAdd(&total<T>, values[31 - threadIdx.x]);
  out[ticket()] = offset;
}

template <typename T> static void run(T scale) {
  const T zero = 0;
  T result, initial[4], out[32], *d;
  CHECK(cudaMalloc(&d, sizeof out));
  CHECK(cudaMemcpyToSymbol(factor<T>, &scale, sizeof scale));
  CHECK(cudaMemcpyToSymbol(total<T>, &zero, sizeof zero));
  CHECK(cudaMemcpyFromSymbol(initial, table<T>, sizeof initial));
  sum<<<1, 32>>>(d);
  CHECK(cudaMemcpyFromSymbol(&result, total<T>, sizeof result));
  CHECK(cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost));
  expect("initial", 3, initial[3], 4);
  expect("total", sizeof(T), result, 80 * scale);
  for (int i = 0; i < 32; i++) expect("out", i, out[i], 6);
  CHECK(cudaFree(d));
}

__global__ void restart() { base = 6; }

int main() {
  restart<<<1, 1>>>();
  run(3);
  CHECK(cudaDeviceSynchronize());
}
