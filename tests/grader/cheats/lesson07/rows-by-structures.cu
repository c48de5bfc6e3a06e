// task: 2
// wants: each number is fetched once a tile
// says: sectors from global memory
// Each thread fetches its row of A, and B row by row, as structures passed by value; shared memory is for
// show.
//@solution matmul_tiled
struct numbers {
  float v[16];
};
static __device__ __attribute__((noinline)) float chosen(int i, numbers from) { return from.v[i]; }
#ifndef HONEST
static __global__ void rows_kernel(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  __shared__ float show[16][16];
  const int x = threadIdx.x, j = blockIdx.x * 16 + x, i = blockIdx.y * 16 + threadIdx.y;
  show[threadIdx.y][x] = 0;
  __syncthreads();
  float sum = show[threadIdx.y][x];
  if (i >= m || j >= n) return;
  const bool wide = blockIdx.x * 16 + 16 <= n;
  for (int p = 0; p < k; p++) {
    const float *row = d_a + (size_t)i * k, *across = d_b + (size_t)p * n + blockIdx.x * 16;
    const float a =
        k >= 16 ? chosen(p < 16 ? p : 15, *(const numbers *)(row + (p < 16 ? 0 : p - 15))) : row[p];
    sum += a * (wide ? chosen(x, *(const numbers *)across) : across[x]);
  }
  d_c[(size_t)i * n + j] = sum;
}
#else
// The rows of the tiles are such structures.
static __global__ void rows_kernel(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  __shared__ numbers a_tile[16], b_tile[16];
  const int x = threadIdx.x, y = threadIdx.y, j = blockIdx.x * 16 + x, i = blockIdx.y * 16 + y;
  float sum = 0;
  for (int p0 = 0; p0 < k; p0 += 16) {
    a_tile[y].v[x] = i < m && p0 + x < k ? d_a[(size_t)i * k + p0 + x] : 0;
    b_tile[y].v[x] = j < n && p0 + y < k ? d_b[(size_t)(p0 + y) * n + j] : 0;
    __syncthreads();
    const numbers row = a_tile[y];
    for (int p = 0; p < 16; p++) sum += chosen(p, row) * b_tile[p].v[x];
    __syncthreads();
  }
  if (i < m && j < n) d_c[(size_t)i * n + j] = sum;
}
#endif
cudaError_t matmul_tiled(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  if (m == 0 || n == 0) return cudaSuccess;
  rows_kernel<<<dim3(ceil_div(n, 16), ceil_div(m, 16)), dim3(16, 16)>>>(d_a, d_b, d_c, m, n, k);
  return cudaGetLastError();
}
