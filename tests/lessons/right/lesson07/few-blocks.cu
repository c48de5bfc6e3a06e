/* As many blocks as the device likes, each going from tile to tile of C; two tiles of the sum in turn, so one
 * barrier for each. */
#include "matmul.h"

struct matrix_shape {
  int m, n, k;
};

static __global__ void naive_kernel(const float *d_a, const float *d_b, float *d_c, matrix_shape s) {
  for (int i = blockIdx.y; i < s.m; i += gridDim.y)
    for (int j = blockIdx.x * blockDim.x + threadIdx.x; j < s.n; j += gridDim.x * blockDim.x) {
      float even = 0, odd = 0; /* two sums, in another order */
      int p = 0;
      for (; p + 1 < s.k; p += 2) {
        even += d_a[(size_t)i * s.k + p] * d_b[(size_t)p * s.n + j];
        odd += d_a[(size_t)i * s.k + p + 1] * d_b[(size_t)(p + 1) * s.n + j];
      }
      if (p < s.k) even += d_a[(size_t)i * s.k + p] * d_b[(size_t)p * s.n + j];
      d_c[(size_t)i * s.n + j] = even + odd;
    }
}

template <typename T, int TILE>
static __device__ void one_tile(const T *d_a, const T *d_b, T *d_c, matrix_shape s, int i0, int j0,
                                T (*a)[TILE][TILE + 1], T (*b)[TILE][TILE + 1]) {
  const int x = threadIdx.x, y = threadIdx.y, i = i0 + y, j = j0 + x;
  T sum = 0;
  for (int p0 = 0, turn = 0; p0 < s.k; p0 += TILE, turn ^= 1) {
    a[turn][y][x] = i < s.m && p0 + x < s.k ? d_a[(size_t)i * s.k + p0 + x] : 0;
    b[turn][y][x] = j < s.n && p0 + y < s.k ? d_b[(size_t)(p0 + y) * s.n + j] : 0;
    __syncthreads(); /* no thread lags by more than one barrier: only the other pair may be in use */
    for (int p = 0; p < TILE; p++) sum += a[turn][y][p] * b[turn][p][x];
  }
  if (i < s.m && j < s.n) d_c[(size_t)i * s.n + j] = sum;
  __syncthreads();
}

template <typename T, int TILE>
static __global__ void tiled_kernel(const T *d_a, const T *d_b, T *d_c, matrix_shape s) {
  __shared__ T a[2][TILE][TILE + 1], b[2][TILE][TILE + 1]; /* padded, as tutorials have it */
  for (int i0 = blockIdx.y * TILE; i0 < s.m; i0 += gridDim.y * TILE)
    for (int j0 = blockIdx.x * TILE; j0 < s.n; j0 += gridDim.x * TILE)
      one_tile<T, TILE>(d_a, d_b, d_c, s, i0, j0, a, b);
}

cudaError_t matmul_naive(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  naive_kernel<<<dim3(3, 5), 96>>>(d_a, d_b, d_c, matrix_shape{m, n, k});
  return cudaGetLastError();
}

cudaError_t matmul_tiled(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  tiled_kernel<float, 16><<<dim3(7, 4), dim3(16, 16)>>>(d_a, d_b, d_c, matrix_shape{m, n, k});
  return cudaGetLastError();
}

cudaError_t matmul_tiled_double(const double *d_a, const double *d_b, double *d_c, int m, int n, int k,
                                int tile) {
  if (tile == 16)
    tiled_kernel<double, 16><<<dim3(2, 2), dim3(16, 16)>>>(d_a, d_b, d_c, matrix_shape{m, n, k});
  else if (tile == 32)
    tiled_kernel<double, 32><<<dim3(2, 2), dim3(32, 32)>>>(d_a, d_b, d_c, matrix_shape{m, n, k});
  else
    return cudaErrorInvalidValue;
  return cudaGetLastError();
}

/* Four rows in a column of C for each thread, all blocks in strides. */
static __global__ void fast_kernel(const float *d_a, const float *d_b, float *d_c, matrix_shape s) {
  for (int i0 = blockIdx.y * 4; i0 < s.m; i0 += gridDim.y * 4)
    for (int j = blockIdx.x * blockDim.x + threadIdx.x; j < s.n; j += gridDim.x * blockDim.x)
      for (int i = i0; i < i0 + 4 && i < s.m; i++) {
        float sum = 0;
        for (int p = 0; p < s.k; p++) sum += d_a[(size_t)i * s.k + p] * d_b[(size_t)p * s.n + j];
        d_c[(size_t)i * s.n + j] = sum;
      }
}

cudaError_t matmul_fast(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  fast_kernel<<<dim3(2, 16), 128>>>(d_a, d_b, d_c, matrix_shape{m, n, k});
  return cudaGetLastError();
}
