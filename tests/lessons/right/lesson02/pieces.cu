/*
 * Right: the arrays go through the device in pieces, each with its own five steps; blocks of one warp; the
 * result is written over an input on the device; errors end a loop early; float4s and leftovers in two
 * kernels.
 */
#include "kernels.h"

#define PIECE 100000

__global__ void scale_piece(float *d_x, int n, float factor) {
  int i = threadIdx.x + blockDim.x * blockIdx.x;
  if (i >= n) {
  } else {
    d_x[i] = factor * d_x[i];
  }
}

__global__ void add_into(float *d_a, const float *__restrict__ d_b, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i = n) d_a[i] += d_b[i];
}

__global__ void add_to(const float *__restrict__ d_a, const float *__restrict__ d_b, float *__restrict__ d_c,
                       int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_c[i] = __fadd_rn(d_a[i], d_b[i]);
}

static int up(int n, int by) { return n / by + (n % by != 0); }

cudaError_t scale_array(float *h_x, int n, float factor) {
  cudaError_t error = cudaSuccess;
  for (int first = 0; first < n && error == cudaSuccess; first += PIECE) {
    const int count = n - first < PIECE ? n - first : PIECE;
    float *d_x = 0;
    error = cudaMalloc((void **)&d_x, count * sizeof(float));
    if (error == cudaSuccess)
      error = cudaMemcpy(d_x, h_x + first, count * sizeof(float), cudaMemcpyHostToDevice);
    if (error == cudaSuccess) {
      scale_piece<<<up(count, 32), 32>>>(d_x, count, factor);
      error = cudaGetLastError();
    }
    if (error == cudaSuccess)
      error = cudaMemcpy(h_x + first, d_x, count * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(d_x);
  }
  return error;
}

cudaError_t vector_add_device(const float *d_a, const float *d_b, float *d_c, int n) {
  if (n != 0) add_to<<<up(n, 512), 512>>>(d_a, d_b, d_c, n);
  return n != 0 ? cudaGetLastError() : cudaSuccess;
}

static cudaError_t in_and_out(float *d_a, float *d_b, const float *h_a, const float *h_b, float *h_c, int n,
                              int threads) {
  const size_t size_bytes = n * sizeof(float);
  if (cudaError_t e = cudaMemcpy(d_a, h_a, size_bytes, cudaMemcpyHostToDevice)) return e;
  if (cudaError_t e = cudaMemcpy(d_b, h_b, size_bytes, cudaMemcpyHostToDevice)) return e;
  add_into<<<up(n, threads), threads>>>(d_a, d_b, n);
  if (cudaError_t e = cudaGetLastError()) return e;
  return cudaMemcpy(h_c, d_a, size_bytes, cudaMemcpyDeviceToHost);
}

cudaError_t vector_add(const float *h_a, const float *h_b, float *h_c, int n, int threads) {
  float *d_a, *d_b;
  if (cudaError_t e = cudaMalloc(&d_a, PIECE * sizeof(float))) return e;
  if (cudaError_t e = cudaMalloc(&d_b, PIECE * sizeof(float))) {
    cudaFree(d_a);
    return e;
  }
  cudaError_t error = cudaSuccess;
  for (int first = 0; first < n && !error; first += PIECE)
    error = in_and_out(d_a, d_b, h_a + first, h_b + first, h_c + first, n - first < PIECE ? n - first : PIECE,
                       threads);
  cudaFree(d_b);
  cudaFree(d_a);
  return error;
}

__global__ void add_vectors(const float4 *d_a, const float4 *d_b, float4 *d_c, int vectors) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < vectors)
    d_c[i] = make_float4(d_a[i].x + d_b[i].x, d_a[i].y + d_b[i].y, d_a[i].z + d_b[i].z, d_a[i].w + d_b[i].w);
}

cudaError_t vector_add_wide(const float *d_a, const float *d_b, float *d_c, int n) {
  const int vectors = n / 4, rest = n % 4, done = n - rest;
  if (vectors) add_vectors<<<up(vectors, 256), 256>>>((float4 *)d_a, (float4 *)d_b, (float4 *)d_c, vectors);
  if (rest) add_to<<<1, rest>>>(d_a + done, d_b + done, d_c + done, rest);
  return cudaGetLastError();
}
