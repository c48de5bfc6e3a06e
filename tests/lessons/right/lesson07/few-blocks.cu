/* As many blocks as the device likes, each going from tile to tile of C; two tiles of the sum in turn, so one
 * barrier for each. */
#include "matmul.h"

struct matrix_shape {
  int n, m, k;
};

static __global__ void naive_kernel(const float *d_a, const float *d_b, float *d_c, matrix_shape s) {
  for (int i = blockIdx.y; i < s.n; i += gridDim.y)
    for (int j = blockIdx.x * blockDim.x + threadIdx.x; j < s.m; j += gridDim.x * blockDim.x) {
      float even = 0, odd = 0; /* two sums, in another order */
      int l = 0;
      for (; l + 1 < s.k; l += 2) {
        even += d_a[(size_t)i * s.k + l] * d_b[(size_t)l * s.m + j];
        odd += d_a[(size_t)i * s.k + l + 1] * d_b[(size_t)(l + 1) * s.m + j];
      }
      if (l < s.k) even += d_a[(size_t)i * s.k + l] * d_b[(size_t)l * s.m + j];
      d_c[(size_t)i * s.m + j] = even + odd;
    }
}

template <typename T, int TILE>
static __device__ void one_tile(const T *d_a, const T *d_b, T *d_c, matrix_shape s, int i0, int j0,
                                T (*a)[TILE][TILE], T (*b)[TILE][TILE]) {
  const int x = threadIdx.x, y = threadIdx.y, i = i0 + y, j = j0 + x;
  T sum = 0;
  for (int l0 = 0, turn = 0; l0 < s.k; l0 += TILE, turn ^= 1) {
    a[turn][y][x] = i < s.n && l0 + x < s.k ? d_a[(size_t)i * s.k + l0 + x] : 0;
    b[turn][y][x] = j < s.m && l0 + y < s.k ? d_b[(size_t)(l0 + y) * s.m + j] : 0;
    __syncthreads(); /* no thread lags by more than one barrier: only the other pair may be in use */
    for (int l = 0; l < TILE; l++) sum += a[turn][y][l] * b[turn][l][x];
  }
  if (i < s.n && j < s.m) d_c[(size_t)i * s.m + j] = sum;
  __syncthreads();
}

template <typename T, int TILE>
static __global__ void tiled_kernel(const T *d_a, const T *d_b, T *d_c, matrix_shape s) {
  __shared__ T a[2][TILE][TILE], b[2][TILE][TILE];
  for (int i0 = blockIdx.y * TILE; i0 < s.n; i0 += gridDim.y * TILE)
    for (int j0 = blockIdx.x * TILE; j0 < s.m; j0 += gridDim.x * TILE)
      one_tile<T, TILE>(d_a, d_b, d_c, s, i0, j0, a, b);
}

cudaError_t matmul_naive(const float *d_a, const float *d_b, float *d_c, int n, int m, int k) {
  naive_kernel<<<dim3(3, 5), 96>>>(d_a, d_b, d_c, matrix_shape{n, m, k});
  return cudaGetLastError();
}

cudaError_t matmul_tiled(const float *d_a, const float *d_b, float *d_c, int n, int m, int k) {
  tiled_kernel<float, 16><<<dim3(7, 4), dim3(16, 16)>>>(d_a, d_b, d_c, matrix_shape{n, m, k});
  return cudaGetLastError();
}

cudaError_t matmul_tiled_double(const double *d_a, const double *d_b, double *d_c, int n, int m, int k,
                                int tile) {
  if (tile == 16)
    tiled_kernel<double, 16><<<dim3(2, 2), dim3(16, 16)>>>(d_a, d_b, d_c, matrix_shape{n, m, k});
  else if (tile == 32)
    tiled_kernel<double, 32><<<dim3(2, 2), dim3(32, 32)>>>(d_a, d_b, d_c, matrix_shape{n, m, k});
  else
    return cudaErrorInvalidValue;
  return cudaGetLastError();
}

/* Four rows in a column of C for each thread, all blocks in strides. */
static __global__ void fast_kernel(const float *d_a, const float *d_b, float *d_c, matrix_shape s) {
  for (int i0 = blockIdx.y * 4; i0 < s.n; i0 += gridDim.y * 4)
    for (int j = blockIdx.x * blockDim.x + threadIdx.x; j < s.m; j += gridDim.x * blockDim.x)
      for (int i = i0; i < i0 + 4 && i < s.n; i++) {
        float sum = 0;
        for (int l = 0; l < s.k; l++) sum += d_a[(size_t)i * s.k + l] * d_b[(size_t)l * s.m + j];
        d_c[(size_t)i * s.m + j] = sum;
      }
}

cudaError_t matmul_fast(const float *d_a, const float *d_b, float *d_c, int n, int m, int k) {
  fast_kernel<<<dim3(2, 16), 128>>>(d_a, d_b, d_c, matrix_shape{n, m, k});
  return cudaGetLastError();
}
