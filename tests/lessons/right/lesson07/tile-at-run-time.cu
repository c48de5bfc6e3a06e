/* One kernel for every tile and type: the tile's size is the block's, its memory is given at the launch. A
 * column for each warp's lane in the naive kernel, 4 rows high. */
#include "matmul.h"

static __global__ void naive(const float *d_a, const float *d_b, float *d_c, int n, int m, int k) {
  const int j = threadIdx.x + blockIdx.x * 8, i = threadIdx.y + blockIdx.y * 32; /* a warp is 8 x 4 */
  if (j >= m) return;
  if (i >= n) return;
  float *const c = &d_c[(size_t)i * m + j];
  *c = 0;
  for (int l = 0; l < k; l++) *c += d_a[(size_t)i * k + l] * d_b[(size_t)l * m + j];
}

template <typename T> static __global__ void tiled(const T *d_a, const T *d_b, T *d_c, int n, int m, int k) {
  extern __shared__ double2 room[];
  const int tile = blockDim.x;
  T *a = (T *)room, *b = a + tile * tile;
  const int x = threadIdx.x, y = threadIdx.y, i = blockIdx.y * tile + y, j = blockIdx.x * tile + x;
  /* Beyond the edge the last row and column stand in; only terms beyond k must be zeros. */
  const T *from_a = d_a + (size_t)min(i, n - 1) * k + x, *from_b = d_b + (size_t)y * m + min(j, m - 1);
  T sum = 0;
  int l0 = 0;
  while (l0 < k) {
    a[y * tile + x] = l0 + x < k ? *from_a : 0;
    b[y * tile + x] = l0 + y < k ? *from_b : 0;
    from_a += tile;
    from_b += (size_t)tile * m;
    __syncthreads();
    for (int l = 0; l < tile; l++) sum += a[y * tile + l] * b[l * tile + x];
    l0 += tile;
    __syncthreads();
  }
  if (i < n && j < m) d_c[(size_t)i * m + j] = sum;
}

template <typename T>
static cudaError_t launch(const T *d_a, const T *d_b, T *d_c, int n, int m, int k, int tile) {
  if (n == 0 || m == 0) return cudaSuccess;
  const dim3 block(tile, tile), grid((m - 1) / tile + 1, (n - 1) / tile + 1);
  tiled<T><<<grid, block, 2 * sizeof(T) * tile * tile, cudaStreamPerThread>>>(d_a, d_b, d_c, n, m, k);
  const cudaError_t error = cudaGetLastError();
  return error ? error : cudaStreamSynchronize(cudaStreamPerThread);
}

cudaError_t matmul_naive(const float *d_a, const float *d_b, float *d_c, int n, int m, int k) {
  if (n == 0 || m == 0) return cudaSuccess;
  naive<<<dim3((m + 7) / 8, (n + 31) / 32), dim3(8, 32)>>>(d_a, d_b, d_c, n, m, k);
  return cudaGetLastError();
}

cudaError_t matmul_tiled(const float *d_a, const float *d_b, float *d_c, int n, int m, int k) {
  return launch(d_a, d_b, d_c, n, m, k, 16);
}

cudaError_t matmul_tiled_double(const double *d_a, const double *d_b, double *d_c, int n, int m, int k,
                                int tile) {
  switch (tile) {
  case 16:
  case 32:
    return launch(d_a, d_b, d_c, n, m, k, tile);
  default:
    return cudaErrorInvalidValue;
  }
}

/* A row of A at a time: each thread keeps 4 rows, one column, and reads A through the cache. */
static __global__ void rows(const float *d_a, const float *d_b, float *d_c, int n, int m, int k) {
  const int j = blockIdx.x * 64 + threadIdx.x, i0 = blockIdx.y * 4;
  if (j >= m) return;
  float sum[4] = {};
  for (int l = 0; l < k; l++) {
    const float b = d_b[(size_t)l * m + j];
    for (int r = 0; r < 4 && i0 + r < n; r++) sum[r] += d_a[(size_t)(i0 + r) * k + l] * b;
  }
  for (int r = 0; r < 4 && i0 + r < n; r++) d_c[(size_t)(i0 + r) * m + j] = sum[r];
}

cudaError_t matmul_fast(const float *d_a, const float *d_b, float *d_c, int n, int m, int k) {
  if (n == 0 || m == 0) return cudaSuccess;
  rows<<<dim3((m + 63) / 64, (n + 3) / 4), 64>>>(d_a, d_b, d_c, n, m, k);
  return cudaGetLastError();
}
