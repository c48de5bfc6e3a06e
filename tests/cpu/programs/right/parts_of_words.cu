/* Bytes and 16-bit elements whose words are shared by threads, warps and blocks: each its own, then those of
 * others after a barrier, in the next launch, or as a whole word. */
#include "program.h"

/* Blocks of 37 threads: most words at their borders belong to two of them. */
__global__ void each_its_own(unsigned char *x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = (unsigned char)i;
  x[i]++;
}

__global__ void neighbours(const unsigned char *x, unsigned short *sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  sums[i] = (unsigned short)(x[i > 0 ? i - 1 : 0] + x[i] + x[i + 1 < n ? i + 1 : i]);
}

/* The block's part, turned around in place; one part of three phases each, in which words change hands. */
__global__ void reverse(unsigned char *x) {
  unsigned char *mine = x + blockIdx.x * blockDim.x;
  for (int phase = 0; phase < 3; phase++) {
    const unsigned char other = mine[blockDim.x - 1 - threadIdx.x];
    __syncthreads();
    mine[threadIdx.x] = other;
    __syncthreads();
  }
}

/* Columns of a matrix of bytes: the four bytes of a word are of threads far apart. */
__global__ void transpose(const unsigned char *x, unsigned char *y, int n) {
  y[threadIdx.x * n + threadIdx.y] = x[threadIdx.y * n + threadIdx.x];
}

__global__ void whole_words(unsigned *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 0x01010101u;
}

int main() {
  const int blocks = 4, threads = 37, n = blocks * threads, side = 32;
  unsigned char *x, *y, *z, h[n], square[side * side];
  unsigned short *sums, s[n];
  CHECK(cudaMalloc(&x, n));
  CHECK(cudaMalloc(&y, side * side));
  CHECK(cudaMalloc(&z, side * side));
  CHECK(cudaMalloc(&sums, n * sizeof *sums));
  each_its_own<<<blocks, threads>>>(x);
  neighbours<<<blocks, threads>>>(x, sums, n);
  reverse<<<blocks, threads>>>(x);
  whole_words<<<1, 64>>>((unsigned *)x, n / 4);
  CHECK(cudaMemcpy(h, x, n, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(s, sums, n * sizeof *sums, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) {
    const int before = i > 0 ? i : 1, after = i + 1 < n ? i + 2 : i + 1;
    expect("byte", i, h[i], (i / threads + 1) * threads - i % threads + 1);
    expect("sum", i, s[i], before + i + 1 + after);
  }
  for (int i = 0; i < side * side; i++) square[i] = (unsigned char)(i % 251);
  CHECK(cudaMemcpy(y, square, sizeof square, cudaMemcpyHostToDevice));
  transpose<<<1, dim3(side, side)>>>(y, z, side);
  CHECK(cudaMemcpy(y + 1, z + 1, 7, cudaMemcpyDeviceToDevice));
  CHECK(cudaMemcpy(square, z, sizeof square, cudaMemcpyDeviceToHost));
  for (int i = 0; i < side * side; i++)
    expect("transposed", i, square[i], (i % side * side + i / side) % 251);
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  CHECK(cudaFree(z));
  CHECK(cudaFree(sums));
}
