/* Unusual: the next pair of tiles is copied in the background, by the stages of a cuda::pipeline; in double the
 * block meets at a cuda::barrier instead of __syncthreads. */
#include "matmul.h"

#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

static __global__ void naive(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= m || j >= n) return;
  float sum = 0;
  for (int p = 0; p < k; p++) sum += d_a[(size_t)i * k + p] * d_b[(size_t)p * n + j];
  d_c[(size_t)i * n + j] = sum;
}

#define STAGES 2

/* A thread has ROWS elements of C, SIDE / ROWS rows apart. */
template <int SIDE, int ROWS>
static __global__ void staged(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  __shared__ float a[STAGES][SIDE][SIDE], b[STAGES][SIDE][SIDE];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
  const int x = threadIdx.x, i0 = blockIdx.y * SIDE, j = blockIdx.x * SIDE + x;
  const int tiles = k / SIDE + (k % SIDE != 0);
  auto pipe = cuda::make_pipeline(cg::this_thread_block(), &state);
  float sum[ROWS] = {};
  for (int next = 0, now = 0; now < tiles; now++) {
    for (; next < tiles && next < now + STAGES; next++) {
      const int stage = next % STAGES, p = next * SIDE;
      pipe.producer_acquire();
      for (int y = threadIdx.y; y < SIDE; y += SIDE / ROWS) {
        if (i0 + y < m && x < k - p)
          cuda::memcpy_async(&a[stage][y][x], &d_a[(size_t)(i0 + y) * k + p + x], sizeof(float), pipe);
        else
          a[stage][y][x] = 0;
        if (y < k - p && j < n)
          cuda::memcpy_async(&b[stage][y][x], &d_b[(size_t)(p + y) * n + j], sizeof(float), pipe);
        else
          b[stage][y][x] = 0;
      }
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    for (int p = 0; p < SIDE; p++)
      for (int r = 0; r < ROWS; r++)
        sum[r] += a[now % STAGES][threadIdx.y + r * (SIDE / ROWS)][p] * b[now % STAGES][p][x];
    pipe.consumer_release();
  }
  for (int r = 0; r < ROWS; r++) {
    const int i = i0 + threadIdx.y + r * (SIDE / ROWS);
    if (i < m && j < n) d_c[(size_t)i * n + j] = sum[r];
  }
}

template <int SIDE>
static __global__ void met(const double *d_a, const double *d_b, double *d_c, int m, int n, int k) {
  __shared__ double a[SIDE][SIDE], b[SIDE][SIDE];
  __shared__ cuda::barrier<cuda::thread_scope_block> all;
  const int x = threadIdx.x, y = threadIdx.y, i = blockIdx.y * SIDE + y, j = blockIdx.x * SIDE + x;
  if (x == 0 && y == 0) init(&all, SIDE * SIDE);
  __syncthreads();
  double sum = 0;
  for (int p = 0; p < k; p += SIDE) {
    a[y][x] = i < m && x < k - p ? d_a[(size_t)i * k + p + x] : 0;
    b[y][x] = y < k - p && j < n ? d_b[(size_t)(p + y) * n + j] : 0;
    all.arrive_and_wait();
    for (int q = 0; q < SIDE; q++) sum += a[y][q] * b[q][x];
    all.arrive_and_wait();
    if (k - p <= SIDE) break; /* p + SIDE may pass the largest int */
  }
  if (i < m && j < n) d_c[(size_t)i * n + j] = sum;
}

static dim3 blocks_of(int m, int n, int side) { return dim3((n - 1) / side + 1, (m - 1) / side + 1); }

cudaError_t matmul_naive(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  if (m == 0 || n == 0) return cudaSuccess;
  naive<<<dim3((n - 1) / 32 + 1, (m - 1) / 8 + 1), dim3(32, 8)>>>(d_a, d_b, d_c, m, n, k);
  return cudaGetLastError();
}

cudaError_t matmul_tiled(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  if (m == 0 || n == 0) return cudaSuccess;
  staged<16, 1><<<blocks_of(m, n, 16), dim3(16, 16)>>>(d_a, d_b, d_c, m, n, k);
  return cudaGetLastError();
}

cudaError_t matmul_tiled_double(const double *d_a, const double *d_b, double *d_c, int m, int n, int k,
                                int tile) {
  if (tile != 16 && tile != 32) return cudaErrorInvalidValue;
  if (m == 0 || n == 0) return cudaSuccess;
  if (tile == 16)
    met<16><<<blocks_of(m, n, 16), dim3(16, 16)>>>(d_a, d_b, d_c, m, n, k);
  else
    met<32><<<blocks_of(m, n, 32), dim3(32, 32)>>>(d_a, d_b, d_c, m, n, k);
  return cudaGetLastError();
}

cudaError_t matmul_fast(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  if (m == 0 || n == 0) return cudaSuccess;
  staged<32, 8><<<blocks_of(m, n, 32), dim3(32, 4)>>>(d_a, d_b, d_c, m, n, k);
  return cudaGetLastError();
}
