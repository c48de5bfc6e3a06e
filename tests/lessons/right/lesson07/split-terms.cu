/* Several sums for one element, each of its own terms, in registers: their order is no other answer. */
#include "matmul.h"
static int ceil_div(int n, int d) { return (int)(((long long)n + d - 1) / d); }
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
static __global__ void naive_kernel(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= m || j >= n) return;
  float even = 0, odd = 0;
  int p = 0;
  for (; p + 1 < k; p += 2) {
    even += d_a[(size_t)i * k + p] * d_b[(size_t)p * n + j];
    odd += d_a[(size_t)i * k + p + 1] * d_b[(size_t)(p + 1) * n + j];
  }
  if (p < k) even += d_a[(size_t)i * k + p] * d_b[(size_t)p * n + j];
  d_c[(size_t)i * n + j] = even + odd;
}
cudaError_t matmul_naive(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  if (m == 0 || n == 0) return cudaSuccess;
  const dim3 grid(ceil_div(n, 32), ceil_div(m, 8)), block(32, 8);
  naive_kernel<<<grid, block>>>(d_a, d_b, d_c, m, n, k);
  return cudaGetLastError();
}
template <typename T, int TILE>
static __global__ void tiled_kernel(const T *d_a, const T *d_b, T *d_c, int m, int n, int k) {
  __shared__ T ta[TILE][TILE], tb[TILE][TILE];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int j = blockIdx.x * TILE + tx, i = blockIdx.y * TILE + ty;
  T part[4] = {0, 0, 0, 0};
  for (int p0 = 0; p0 < k; p0 += TILE) {
    ta[ty][tx] = i < m && p0 + tx < k ? d_a[(size_t)i * k + p0 + tx] : 0;
    tb[ty][tx] = p0 + ty < k && j < n ? d_b[(size_t)(p0 + ty) * n + j] : 0;
    __syncthreads();
    for (int p = 0; p < TILE; p++) part[p % 4] += ta[ty][p] * tb[p][tx];
    __syncthreads();
  }
  if (i < m && j < n) d_c[(size_t)i * n + j] = (part[0] + part[1]) + (part[2] + part[3]);
}
template <typename T, int TILE>
static cudaError_t launch_tiled(const T *d_a, const T *d_b, T *d_c, int m, int n, int k) {
  if (m == 0 || n == 0) return cudaSuccess;
  tiled_kernel<T, TILE>
      <<<dim3(ceil_div(n, TILE), ceil_div(m, TILE)), dim3(TILE, TILE)>>>(d_a, d_b, d_c, m, n, k);
  return cudaGetLastError();
}
cudaError_t matmul_tiled(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  return launch_tiled<float, 16>(d_a, d_b, d_c, m, n, k);
}
cudaError_t matmul_tiled_double(const double *d_a, const double *d_b, double *d_c, int m, int n, int k,
                                int tile) {
  if (tile == 16) return launch_tiled<double, 16>(d_a, d_b, d_c, m, n, k);
  if (tile == 32) return launch_tiled<double, 32>(d_a, d_b, d_c, m, n, k);
  return cudaErrorInvalidValue;
}
#define R 4
#define T 64
#define S 16
static __global__ void __launch_bounds__(256)
    fast_kernel(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  __shared__ float sa[S][T], sb[S][T];
  const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  const int i0 = blockIdx.x * T, j0 = blockIdx.y * T;
  float acc[R][R] = {{0}};
  for (int p0 = 0; p0 < k; p0 += S) {
    for (int e = threadIdx.x; e < S * T; e += 256) {
      const int r = e / S, p = e % S;
      sa[p][r] = i0 + r < m && p0 + p < k ? d_a[(size_t)(i0 + r) * k + p0 + p] : 0;
      const int q = e / T, c = e % T;
      sb[q][c] = p0 + q < k && j0 + c < n ? d_b[(size_t)(p0 + q) * n + j0 + c] : 0;
    }
    __syncthreads();
    for (int p = 0; p < S; p++)
      for (int u = 0; u < R; u++)
        for (int v = 0; v < R; v++) acc[u][v] += sa[p][ty * R + u] * sb[p][tx * R + v];
    __syncthreads();
  }
  for (int u = 0; u < R; u++)
    for (int v = 0; v < R; v++) {
      const int i = i0 + ty * R + u, j = j0 + tx * R + v;
      if (i < m && j < n) d_c[(size_t)i * n + j] = acc[u][v];
    }
}
cudaError_t matmul_fast(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  if (m == 0 || n == 0) return cudaSuccess;
  fast_kernel<<<dim3(ceil_div(m, T), ceil_div(n, T)), 256>>>(d_a, d_b, d_c, m, n, k);
  return cudaGetLastError();
}
const matmul_stage matmul_stages[] = {{"fast", "registers", "any", matmul_fast}, {NULL, NULL, NULL, NULL}};
