/* Blocks of one dimension: row and column by division, elements in strides of the whole grid. */
#include "matmul.h"

static __global__ void naive_kernel(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  const size_t stride = (size_t)gridDim.x * blockDim.x;
  for (size_t e = (size_t)blockIdx.x * blockDim.x + threadIdx.x; e < (size_t)m * n; e += stride) {
    const float *a = d_a + e / n * k, *b = d_b + e % n;
    float sum = 0;
    for (int p = k - 1; p >= 0; p--) sum = fmaf(a[p], b[(size_t)p * n], sum);
    d_c[e] = sum;
  }
}

template <typename T, int TILE>
static __global__ void tiled_kernel(const T *d_a, const T *d_b, T *d_c, int m, int n, int k) {
  __shared__ T tiles[2 * TILE * TILE];
  T *const a = tiles, *const b = tiles + TILE * TILE;
  const int x = threadIdx.x % TILE, y = threadIdx.x / TILE, across = (n + TILE - 1) / TILE;
  const int j = blockIdx.x % across * TILE + x, i = blockIdx.x / across * TILE + y;
  T sum = 0;
  for (int left = k; left > 0; left -= TILE) {
    const int p0 = k - left;
    a[threadIdx.x] = 0;
    b[threadIdx.x] = 0;
    if (i < m && x < left) a[threadIdx.x] = d_a[(size_t)i * k + p0 + x];
    if (j < n && y < left) b[threadIdx.x] = d_b[(size_t)(p0 + y) * n + j];
    __syncthreads();
    for (int p = 0; p < TILE && p < left; p++) sum += a[y * TILE + p] * b[p * TILE + x];
    __syncthreads();
  }
  if (i < m && j < n) d_c[(size_t)i * n + j] = sum;
}

template <typename T, int TILE>
static cudaError_t tiled(const T *d_a, const T *d_b, T *d_c, int m, int n, int k) {
  const int blocks = ((m + TILE - 1) / TILE) * ((n + TILE - 1) / TILE);
  if (blocks > 0) tiled_kernel<T, TILE><<<blocks, TILE * TILE>>>(d_a, d_b, d_c, m, n, k);
  return cudaGetLastError();
}

cudaError_t matmul_naive(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  naive_kernel<<<1 + m / 3, 192>>>(d_a, d_b, d_c, m, n, k);
  return cudaPeekAtLastError();
}

cudaError_t matmul_tiled(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  return tiled<float, 16>(d_a, d_b, d_c, m, n, k);
}

cudaError_t matmul_tiled_double(const double *d_a, const double *d_b, double *d_c, int m, int n, int k,
                                int tile) {
  return tile == 16   ? tiled<double, 16>(d_a, d_b, d_c, m, n, k)
         : tile == 32 ? tiled<double, 32>(d_a, d_b, d_c, m, n, k)
                      : cudaErrorInvalidValue;
}

/* 4 adjacent elements in each thread, no shared memory at all. */
static __global__ void fast_kernel(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  const int i = blockIdx.x, j0 = (blockIdx.y * blockDim.x + threadIdx.x) * 4;
  float sum[4] = {0, 0, 0, 0};
  for (int p = 0; p < k; p++)
    for (int c = 0; c < 4; c++)
      if (j0 + c < n) sum[c] += d_a[(size_t)i * k + p] * d_b[(size_t)p * n + j0 + c];
  for (int c = 0; c < 4; c++)
    if (j0 + c < n) d_c[(size_t)i * n + j0 + c] = sum[c];
}

cudaError_t matmul_fast(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  if (m == 0 || n == 0) return cudaSuccess;
  fast_kernel<<<dim3(m, (n + 127) / 128), 32>>>(d_a, d_b, d_c, m, n, k);
  return cudaGetLastError();
}
