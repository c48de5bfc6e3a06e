/*
 * lesson07, matmul: one product, C = A * B, from the plainest kernel to one as fast as the library.
 *
 * A product of m x n x k takes 2mnk floating-point operations on only mk + kn + mn numbers. So every number
 * is used hundreds of times, and the place it is read from each time decides the speed: memory, shared memory
 * or a register. Each rung of the ladder brings it one step closer. In a clock a multiprocessor of an H100
 * does 128 multiply-adds, loads 128 bytes from the L1 cache or shared memory (one "wavefront"), and issues 4
 * instructions of a warp; 132 of them at 1.98 GHz do 66.9 TFLOP/s at most. The predictions follow from that;
 * the measured figures are TFLOP/s of an H100 at m = n = k = 4096, many calls in a row, where cuBLAS reached
 * 49.15 (results/2026-11-26-nvidia-h100/ladder07.md).
 *
 * Shapes: A is m x k, B is k x n, C is m x n, all row by row; i counts rows of C, j its columns, p the terms
 * of a sum.
 */
#include "matmul.h"

/* n / d rounded up. The sum may exceed the largest int, so it is computed in 64 bits. */
static int ceil_div(int n, int d) { return (int)(((long long)n + d - 1) / d); }

/* ---- Rung 0: uncoalesced ---- */

/* One thread for each element of C; neighbouring threads take neighbouring ROWS. So a warp loads A from 32
 * rows, which takes 32 wavefronts, and one more for B, for 32 multiply-adds. Predicted 66.9 / 4 / 33 = 0.51,
 * measured 0.50. */
static __global__ void uncoalesced_kernel(const float *d_a, const float *d_b, float *d_c, int m, int n,
                                          int k) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= m || j >= n) return;
  float sum = 0;
  for (int p = 0; p < k; p++) sum += d_a[(size_t)i * k + p] * d_b[(size_t)p * n + j];
  d_c[(size_t)i * n + j] = sum;
}

cudaError_t matmul_uncoalesced(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  if (m == 0 || n == 0) return cudaSuccess;
  const dim3 grid(ceil_div(m, 32), ceil_div(n, 8)), block(32, 8);
  uncoalesced_kernel<<<grid, block>>>(d_a, d_b, d_c, m, n, k);
  return cudaGetLastError();
}

/* ---- Rung 1: coalesced ---- */

/* TODO task 1: a kernel like the one above, but neighbouring threads take neighbouring columns of C. */

cudaError_t matmul_naive(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  /* TODO task 1: launch it. Is there anything to launch if m or n is 0? */
  return cudaSuccess;
}

/* ---- Rungs 2 and 3: tiles in shared memory ---- */

/* TODO task 2: a kernel whose block fetches 16 x 16 elements of A and of B into __shared__ arrays, waits,
 * uses them, waits, and continues with the next ones. Beyond the edge of a matrix it uses zeros. For task 3
 * make type and size of the tile parameters: template <typename T, int TILE>. */

cudaError_t matmul_tiled(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  /* TODO task 2: launch it in blocks of 16 x 16. */
  return cudaSuccess;
}

cudaError_t matmul_tiled_double(const double *d_a, const double *d_b, double *d_c, int m, int n, int k,
                                int tile) {
  /* TODO task 3: the same kernel for doubles, in tiles of 16 or 32; cudaErrorInvalidValue for any other. */
  return cudaSuccess;
}

/* TODO go further: let each thread keep several elements of C in registers, 8 x 8 say. */

cudaError_t matmul_fast(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  return cudaSuccess;
}

const matmul_stage matmul_stages[] = {
    {"uncoalesced", "a thread for each element, a warp down a column", "any", matmul_uncoalesced},
    {"naive", "a warp along a row", "any", matmul_naive},
    {"tiled16", "tiles of 16 x 16 in shared memory", "any", matmul_tiled},
    {"fast", "the last four, whichever a model says is fastest", "any", matmul_fast},
    {NULL, NULL, NULL, NULL}};
