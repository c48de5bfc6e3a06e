/* One kernel for every tile and type: the tile's size is the block's, its memory is given at the launch. A
 * column for each warp's lane in the naive kernel, 4 rows high. */
#include "matmul.h"

static __global__ void naive(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  const int j = threadIdx.x + blockIdx.x * 8, i = threadIdx.y + blockIdx.y * 32; /* a warp is 8 x 4 */
  if (j >= n) return;
  if (i >= m) return;
  float *const c = &d_c[(size_t)i * n + j];
  *c = 0;
  for (int p = 0; p < k; p++) *c += d_a[(size_t)i * k + p] * d_b[(size_t)p * n + j];
}

template <typename T> static __global__ void tiled(const T *d_a, const T *d_b, T *d_c, int m, int n, int k) {
  extern __shared__ double2 room[];
  const int tile = blockDim.x;
  T *a = (T *)room, *b = a + tile * tile;
  const int x = threadIdx.x, y = threadIdx.y, i = blockIdx.y * tile + y, j = blockIdx.x * tile + x;
  /* Beyond the edge the last row and column stand in; only terms beyond k must be zeros. */
  const T *from_a = d_a + (size_t)min(i, m - 1) * k + x, *from_b = d_b + (size_t)y * n + min(j, n - 1);
  T sum = 0;
  int p0 = 0;
  while (p0 < k) {
    a[y * tile + x] = p0 + x < k ? *from_a : 0;
    b[y * tile + x] = p0 + y < k ? *from_b : 0;
    from_a += tile;
    from_b += (size_t)tile * n;
    __syncthreads();
    for (int p = 0; p < tile; p++) sum += a[y * tile + p] * b[p * tile + x];
    p0 += tile;
    __syncthreads();
  }
  if (i < m && j < n) d_c[(size_t)i * n + j] = sum;
}

template <typename T>
static cudaError_t launch(const T *d_a, const T *d_b, T *d_c, int m, int n, int k, int tile) {
  if (m == 0 || n == 0) return cudaSuccess;
  const dim3 block(tile, tile), grid((n - 1) / tile + 1, (m - 1) / tile + 1);
  tiled<T><<<grid, block, 2 * sizeof(T) * tile * tile, cudaStreamPerThread>>>(d_a, d_b, d_c, m, n, k);
  const cudaError_t error = cudaGetLastError();
  return error ? error : cudaStreamSynchronize(cudaStreamPerThread);
}

cudaError_t matmul_naive(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  if (m == 0 || n == 0) return cudaSuccess;
  naive<<<dim3((n + 7) / 8, (m + 31) / 32), dim3(8, 32)>>>(d_a, d_b, d_c, m, n, k);
  return cudaGetLastError();
}

cudaError_t matmul_tiled(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  return launch(d_a, d_b, d_c, m, n, k, 16);
}

cudaError_t matmul_tiled_double(const double *d_a, const double *d_b, double *d_c, int m, int n, int k,
                                int tile) {
  switch (tile) {
  case 16:
  case 32:
    return launch(d_a, d_b, d_c, m, n, k, tile);
  default:
    return cudaErrorInvalidValue;
  }
}

/* A row of A at a time: each thread keeps 4 rows, one column, and reads A through the cache. */
static __global__ void rows(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  const int j = blockIdx.y * 64 + threadIdx.x, i0 = blockIdx.x * 4;
  if (j >= n) return;
  float sum[4] = {};
  for (int p = 0; p < k; p++) {
    const float b = d_b[(size_t)p * n + j];
    for (int r = 0; r < 4 && i0 + r < m; r++) sum[r] += d_a[(size_t)(i0 + r) * k + p] * b;
  }
  for (int r = 0; r < 4 && i0 + r < m; r++) d_c[(size_t)(i0 + r) * n + j] = sum[r];
}

cudaError_t matmul_fast(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  if (m == 0 || n == 0) return cudaSuccess;
  rows<<<dim3((m + 3) / 4, (n + 63) / 64), 64>>>(d_a, d_b, d_c, m, n, k);
  return cudaGetLastError();
}
