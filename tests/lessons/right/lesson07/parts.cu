/* The sum in parts: a launch for each 64 terms, which adds to what the launch before it left. */
#include "matmul.h"

enum { PART = 64 };

template <typename T, int TILE, int HIGH> /* a thread has HIGH elements below each other */
static __global__ void part_kernel(const T *d_a, const T *d_b, T *d_c, int m, int n, int k, int first) {
  __shared__ T a[TILE * HIGH][TILE], b[TILE][TILE];
  const int x = threadIdx.x, y = threadIdx.y, j = blockIdx.x * TILE + x, i0 = blockIdx.y * TILE * HIGH;
  const int last = min(first + PART, k);
  T sum[HIGH];
  for (int h = 0; h < HIGH; h++) {
    const int i = i0 + h * TILE + y;
    sum[h] = first > 0 && i < m && j < n ? d_c[(size_t)i * n + j] : 0;
  }
  for (int p0 = first; p0 < last; p0 += TILE) {
    for (int h = 0; h < HIGH; h++) {
      const int i = i0 + h * TILE + y;
      a[h * TILE + y][x] = i < m && p0 + x < last ? d_a[(size_t)i * k + p0 + x] : 0;
    }
    b[y][x] = j < n && p0 + y < last ? d_b[(size_t)(p0 + y) * n + j] : 0;
    __syncthreads();
    for (int p = 0; p < TILE; p++)
      for (int h = 0; h < HIGH; h++) sum[h] += a[h * TILE + y][p] * b[p][x];
    __syncthreads();
  }
  for (int h = 0; h < HIGH; h++) {
    const int i = i0 + h * TILE + y;
    if (i < m && j < n) d_c[(size_t)i * n + j] = sum[h];
  }
}

template <typename T, int TILE, int HIGH>
static cudaError_t in_parts(const T *d_a, const T *d_b, T *d_c, int m, int n, int k) {
  if (m == 0 || n == 0) return cudaSuccess;
  if (k == 0) return cudaMemset(d_c, 0, sizeof(T) * m * n);
  const dim3 block(TILE, TILE), grid((n + TILE - 1) / TILE, (m + TILE * HIGH - 1) / (TILE * HIGH));
  cudaError_t error = cudaSuccess;
  for (int first = 0; first < k && !error; first += PART) {
    part_kernel<T, TILE, HIGH><<<grid, block>>>(d_a, d_b, d_c, m, n, k, first);
    error = cudaGetLastError();
  }
  return error;
}

static __global__ void naive_kernel(const float *a, const float *b, float *c, int m, int n, int k) {
  const int j = blockIdx.y * 64 + threadIdx.x, i = blockIdx.x; /* rows along grid.x, which is longer */
  if (j >= n || i >= m) return;
  float sum = 0;
  a += (size_t)i * k;
  b += j;
  for (const float *end = a + k; a < end; a++, b += n) sum += *a * *b;
  c[(size_t)i * n + j] = sum;
}

cudaError_t matmul_naive(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  if (m == 0 || n == 0) return cudaSuccess;
  naive_kernel<<<dim3(m, (n + 63) / 64), 64>>>(d_a, d_b, d_c, m, n, k);
  return cudaGetLastError();
}

cudaError_t matmul_tiled(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  return in_parts<float, 16, 1>(d_a, d_b, d_c, m, n, k);
}

cudaError_t matmul_tiled_double(const double *d_a, const double *d_b, double *d_c, int m, int n, int k,
                                int tile) {
  if (tile == 16) return in_parts<double, 16, 1>(d_a, d_b, d_c, m, n, k);
  return tile == 32 ? in_parts<double, 32, 1>(d_a, d_b, d_c, m, n, k) : cudaErrorInvalidValue;
}

cudaError_t matmul_fast(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  return in_parts<float, 16, 8>(d_a, d_b, d_c, m, n, k);
}
