/* Variables of the device, set and read by the symbol calls: scalars, arrays, a structure, a pointer, with
 * initialisers, static and in a namespace; by name and through their address. */
#include "program.h"

struct settings {
  int steps;
  double scale;
};

__device__ int total;
__device__ int first = 5;
__constant__ float weights[4] = {1, 2, 3, 4};
static __device__ struct settings current;
__device__ int *list;
namespace inner {
__device__ unsigned char letters[7];
}

__global__ void add_up(const float *in, float *out) {
  int i = threadIdx.x;
  atomicAdd(&total, first);
  out[i] = weights[i] * in[i];
  if (i == 0) current.scale *= 2;
  if (i < 7) inner::letters[i] = (unsigned char)('a' + i);
}

__global__ void increment(int *p) { *p += 1; }

__global__ void through_list(int value) { list[threadIdx.x] = value; }

template <class T> static T from_symbol(const T &symbol) {
  T value;
  CHECK(cudaMemcpyFromSymbol(&value, symbol, sizeof value));
  return value;
}

/* Through its address, which is a pointer of the device like others. */
static void by_address() {
  const int zero = 0;
  void *p;
  cudaPointerAttributes attributes;
  CHECK(cudaGetSymbolAddress(&p, total));
  CHECK(cudaMemcpy(p, &zero, sizeof zero, cudaMemcpyHostToDevice));
  increment<<<1, 1>>>((int *)p);
  expect("total", 1, from_symbol(total), 1);
  CHECK(cudaMemset(p, 0, sizeof(int)));
  expect("total", 2, from_symbol(total), 0);
  CHECK(cudaPointerGetAttributes(&attributes, p));
  expect("type", 0, attributes.type, cudaMemoryTypeDevice);
}

int main() {
  float *in, *out, h[4] = {1, 1, 1, 1};
  int *memory;
  size_t size;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, sizeof h));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  const struct settings s = {3, 0.5};
  CHECK(cudaMemcpyToSymbol(current, &s, sizeof s));
  add_up<<<1, 4>>>(in, out);
  CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 4; i++) expect("weights", i, h[i], i + 1);
  expect("total", 0, from_symbol(total), 20);
  expect("scale", 0, from_symbol(current).scale, 1.0);
  expect("steps", 0, from_symbol(current).steps, 3);

  /* the last two, by offset; in a stream; from device memory */
  const float last[2] = {7, 8};
  CHECK(cudaMemcpyToSymbol(weights, last, sizeof last, 2 * sizeof(float)));
  add_up<<<1, 4>>>(in, out);
  CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  expect("weights", 1, h[1], 2);
  expect("weights", 3, h[3], 8);
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMemcpyToSymbolAsync(weights, in, 2 * sizeof(float), sizeof(float), cudaMemcpyDeviceToDevice,
                                stream));
  add_up<<<1, 4, 0, stream>>>(in, out);
  CHECK(cudaMemcpyFromSymbolAsync(in, weights, sizeof h, 0, cudaMemcpyDeviceToDevice, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaMemcpy(h, in, sizeof h, cudaMemcpyDeviceToHost));
  expect("weights", 2, h[2], 1);
  expect("weights", 3, h[3], 8);
  expect("scale", 1, from_symbol(current).scale, 4.0);

  by_address();
  CHECK(cudaGetSymbolSize(&size, weights));
  expect("size", 0, (double)size, sizeof weights);
  CHECK(cudaGetSymbolSize(&size, current));
  expect("size", 1, (double)size, sizeof(struct settings));
  unsigned char letters[7];
  CHECK(cudaMemcpyFromSymbol(letters, inner::letters, 3, 1));
  expect("letters", 1, letters[1], 'c');

  /* a pointer in a variable */
  CHECK(cudaMalloc(&memory, 32 * sizeof *memory));
  CHECK(cudaMemcpyToSymbol(list, &memory, sizeof memory));
  through_list<<<1, 32>>>(9);
  int copied[32];
  CHECK(cudaMemcpy(copied, memory, sizeof copied, cudaMemcpyDeviceToHost));
  expect("list", 31, copied[31], 9);
  expect("list", 0, from_symbol(list) == memory, 1);
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(memory));
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}
