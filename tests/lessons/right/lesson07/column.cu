/* Blocks of 16 x 16 for all; tiles of 32 for floats, by blocks of 32 x 8 threads; a column of 8 elements in
 * each thread of the fast kernel. */
#include "matmul.h"

static unsigned up(int n, int per) { return (unsigned)((n + per - 1) / per); }

__global__ void by_element(float const *a, float const *b, float *c, int m, int n, int k) {
  int const column = threadIdx.x + blockIdx.x * 16, row = threadIdx.y + blockIdx.y * 16;
  if (column < n && row < m) {
    double sum = 0; /* more precision than asked for is no fault */
    for (int p = 0; p != k; ++p) sum += (double)a[(long long)row * k + p] * b[(long long)p * n + column];
    c[(long long)row * n + column] = (float)sum;
  }
}

/* A tile of 32 x 32 by 256 threads: each fetches and computes four elements of it. */
template <class T> __global__ void by_tile_32(T const *a, T const *b, T *c, int m, int n, int k) {
  __shared__ T ta[32][33], tb[32][33];
  int const j = blockIdx.x * 32 + threadIdx.x;
  T sum[4] = {};
  for (int p0 = 0; p0 < k; p0 += 32) {
    for (int y = threadIdx.y; y < 32; y += 8) {
      int const i = blockIdx.y * 32 + y;
      ta[y][threadIdx.x] = i < m && p0 + (int)threadIdx.x < k ? a[(size_t)i * k + p0 + threadIdx.x] : T(0);
      tb[y][threadIdx.x] = j < n && p0 + y < k ? b[(size_t)(p0 + y) * n + j] : T(0);
    }
    __syncthreads();
    for (int q = 0; q < 4; q++)
      for (int p = 0; p < 32; p++) sum[q] += ta[threadIdx.y + 8 * q][p] * tb[p][threadIdx.x];
    __syncthreads();
  }
  for (int q = 0; q < 4; q++) {
    int const i = blockIdx.y * 32 + threadIdx.y + 8 * q;
    if (i < m && j < n) c[(size_t)i * n + j] = sum[q];
  }
}

__global__ void by_tile_16(double const *a, double const *b, double *c, int m, int n, int k) {
  __shared__ double ta[16][16], tb[16][16];
  int const j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
  bool const inside = i < m && j < n;
  double sum = 0;
  for (int t = 0; t < (k + 15) / 16; t++) {
    int const pa = t * 16 + threadIdx.x, pb = t * 16 + threadIdx.y;
    ta[threadIdx.y][threadIdx.x] = i < m && pa < k ? a[(size_t)i * k + pa] : 0;
    tb[threadIdx.y][threadIdx.x] = pb < k && j < n ? b[(size_t)pb * n + j] : 0;
    __syncthreads();
    if (inside) /* no barrier in here */
      for (int p = 0; p < 16; p++) sum += ta[threadIdx.y][p] * tb[p][threadIdx.x];
    __syncthreads();
  }
  if (inside) c[(size_t)i * n + j] = sum;
}

__global__ void __launch_bounds__(512)
    by_column(float const *a, float const *b, float *c, int m, int n, int k) {
  __shared__ float ta[64][8], tb[8][64];
  int const t = threadIdx.x, i0 = blockIdx.y * 64, j = blockIdx.x * 64 + t % 64, first = t / 64 * 8;
  float sum[8] = {0};
  for (int p0 = 0; p0 < k; p0 += 8) {
    int const i = i0 + t / 8, pa = p0 + t % 8, pb = p0 + t / 64;
    ta[t / 8][t % 8] = i < m && pa < k ? a[(size_t)i * k + pa] : 0;
    tb[t / 64][t % 64] = j < n && pb < k ? b[(size_t)pb * n + j] : 0;
    __syncthreads();
    for (int p = 0; p < 8; p++) {
      float const of_b = tb[p][t % 64];
      for (int r = 0; r < 8; r++) sum[r] += ta[first + r][p] * of_b;
    }
    __syncthreads();
  }
  for (int r = 0; r < 8; r++)
    if (i0 + first + r < m && j < n) c[(size_t)(i0 + first + r) * n + j] = sum[r];
}

cudaError_t matmul_naive(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  if (m && n) by_element<<<dim3(up(n, 16), up(m, 16)), dim3(16, 16)>>>(d_a, d_b, d_c, m, n, k);
  return cudaGetLastError();
}

cudaError_t matmul_tiled(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  if (m && n) by_tile_32<<<dim3(up(n, 32), up(m, 32)), dim3(32, 8)>>>(d_a, d_b, d_c, m, n, k);
  return cudaGetLastError();
}

cudaError_t matmul_tiled_double(const double *d_a, const double *d_b, double *d_c, int m, int n, int k,
                                int tile) {
  if (tile != 16 && tile != 32) return cudaErrorInvalidValue;
  if (!m || !n) return cudaSuccess;
  if (tile == 16)
    by_tile_16<<<dim3(up(n, 16), up(m, 16)), dim3(16, 16)>>>(d_a, d_b, d_c, m, n, k);
  else
    by_tile_32<<<dim3(up(n, 32), up(m, 32)), dim3(32, 8)>>>(d_a, d_b, d_c, m, n, k);
  const cudaError_t launched = cudaGetLastError();
  return launched ? launched : cudaDeviceSynchronize(); /* waiting is allowed */
}

cudaError_t matmul_fast(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  if (m && n) by_column<<<dim3(up(n, 64), up(m, 64)), 512>>>(d_a, d_b, d_c, m, n, k);
  return cudaGetLastError();
}
