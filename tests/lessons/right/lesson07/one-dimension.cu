/* Blocks of one dimension: row and column by division, elements in strides of the whole grid. */
#include "matmul.h"

static __global__ void naive_kernel(const float *d_a, const float *d_b, float *d_c, int n, int m, int k) {
  const size_t stride = (size_t)gridDim.x * blockDim.x;
  for (size_t e = (size_t)blockIdx.x * blockDim.x + threadIdx.x; e < (size_t)n * m; e += stride) {
    const float *a = d_a + e / m * k, *b = d_b + e % m;
    float sum = 0;
    for (int l = k - 1; l >= 0; l--) sum = fmaf(a[l], b[(size_t)l * m], sum);
    d_c[e] = sum;
  }
}

template <typename T, int TILE>
static __global__ void tiled_kernel(const T *d_a, const T *d_b, T *d_c, int n, int m, int k) {
  __shared__ T tiles[2 * TILE * TILE];
  T *const a = tiles, *const b = tiles + TILE * TILE;
  const int x = threadIdx.x % TILE, y = threadIdx.x / TILE, across = (m + TILE - 1) / TILE;
  const int j = blockIdx.x % across * TILE + x, i = blockIdx.x / across * TILE + y;
  T sum = 0;
  for (int left = k; left > 0; left -= TILE) {
    const int l0 = k - left;
    a[threadIdx.x] = 0;
    b[threadIdx.x] = 0;
    if (i < n && x < left) a[threadIdx.x] = d_a[(size_t)i * k + l0 + x];
    if (j < m && y < left) b[threadIdx.x] = d_b[(size_t)(l0 + y) * m + j];
    __syncthreads();
    for (int l = 0; l < TILE && l < left; l++) sum += a[y * TILE + l] * b[l * TILE + x];
    __syncthreads();
  }
  if (i < n && j < m) d_c[(size_t)i * m + j] = sum;
}

template <typename T, int TILE>
static cudaError_t tiled(const T *d_a, const T *d_b, T *d_c, int n, int m, int k) {
  const int blocks = ((n + TILE - 1) / TILE) * ((m + TILE - 1) / TILE);
  if (blocks > 0) tiled_kernel<T, TILE><<<blocks, TILE * TILE>>>(d_a, d_b, d_c, n, m, k);
  return cudaGetLastError();
}

cudaError_t matmul_naive(const float *d_a, const float *d_b, float *d_c, int n, int m, int k) {
  naive_kernel<<<1 + n / 3, 192>>>(d_a, d_b, d_c, n, m, k);
  return cudaPeekAtLastError();
}

cudaError_t matmul_tiled(const float *d_a, const float *d_b, float *d_c, int n, int m, int k) {
  return tiled<float, 16>(d_a, d_b, d_c, n, m, k);
}

cudaError_t matmul_tiled_double(const double *d_a, const double *d_b, double *d_c, int n, int m, int k,
                                int tile) {
  return tile == 16   ? tiled<double, 16>(d_a, d_b, d_c, n, m, k)
         : tile == 32 ? tiled<double, 32>(d_a, d_b, d_c, n, m, k)
                      : cudaErrorInvalidValue;
}

/* 4 adjacent elements in each thread, no shared memory at all. */
static __global__ void fast_kernel(const float *d_a, const float *d_b, float *d_c, int n, int m, int k) {
  const int i = blockIdx.y, j0 = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  float sum[4] = {0, 0, 0, 0};
  for (int l = 0; l < k; l++)
    for (int c = 0; c < 4; c++)
      if (j0 + c < m) sum[c] += d_a[(size_t)i * k + l] * d_b[(size_t)l * m + j0 + c];
  for (int c = 0; c < 4; c++)
    if (j0 + c < m) d_c[(size_t)i * m + j0 + c] = sum[c];
}

cudaError_t matmul_fast(const float *d_a, const float *d_b, float *d_c, int n, int m, int k) {
  if (n == 0 || m == 0) return cudaSuccess;
  fast_kernel<<<dim3((m + 127) / 128, n), 32>>>(d_a, d_b, d_c, n, m, k);
  return cudaGetLastError();
}
