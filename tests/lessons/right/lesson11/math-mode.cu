/* The handle's math mode makes the products with TF32 inputs, and a destructor sets it back. Clocks and
 * lambdas of C++. */
#include "cublas.h"

#include <mma.h>
#include <chrono>
#include <utility>

/* What a leading dimension must be at least, in a matrix without rows, too. */
static int at_least_1(int n) { return n > 1 ? n : 1; }

cudaError_t gemm(cublasHandle_t handle, cudaStream_t stream, int m, int n, int k, const float *d_a, int lda,
                 const float *d_b, int ldb, float *d_c, int ldc) {
  const float one = 1, zero = 0;
  cublasStatus_t status = cublasSetStream_v2(handle, stream);
  if (!status)
    status =
        cublasSgemm_v2(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, d_b, ldb, d_a, lda, &zero, d_c, ldc);
  return cuda_error(status);
}

cudaError_t time_gemm(cudaError_t (*product)(void *data), void *data, cudaStream_t stream, int calls,
                      double *h_ms) {
  using clock = std::chrono::steady_clock;
  const auto timed = [&](int times) {
    const auto start = clock::now();
    cudaError_t error = cudaSuccess;
    while (times-- > 0 && !error) error = product(data);
    if (!error) error = cudaStreamSynchronize(stream);
    return std::make_pair(error, std::chrono::duration<double, std::milli>(clock::now() - start).count());
  };
  const auto first = timed(1);
  if (first.first) return first.first;
  const auto warm = timed(calls);
  h_ms[0] = first.second;
  h_ms[1] = warm.second / calls;
  return warm.first;
}

cudaError_t gemm_batch(cublasHandle_t handle, cudaStream_t stream, int m, int n, int k, int batch,
                       const float *d_a, long long stride_a, const float *d_b, long long stride_b, float *d_c,
                       long long stride_c) {
  const float one = 1, zero = 0;
  cublasStatus_t status = cublasSetStream_v2(handle, stream);
  if (!status)
    status = cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, d_b, at_least_1(n),
                                       stride_b, d_a, at_least_1(k), stride_a, &zero, d_c, at_least_1(n),
                                       stride_c, batch);
  return cuda_error(status);
}

/* C = A B + beta C with TF32 inputs, for k of the terms: A's rows are `lda` apart. */
/* The handle's math mode for as long as the object lives; then it is what it was. */
class math_mode {
public:
  math_mode(cublasHandle_t handle, cublasMath_t mode) : handle_(handle) {
    status_ = cublasGetMathMode(handle_, &before_);
    if (!status_) status_ = cublasSetMathMode(handle_, mode);
  }
  ~math_mode() {
    if (!status_) cublasSetMathMode(handle_, before_);
  }
  math_mode(const math_mode &) = delete;
  math_mode &operator=(const math_mode &) = delete;
  cublasStatus_t status() const { return status_; }

private:
  cublasHandle_t handle_;
  cublasMath_t before_;
  cublasStatus_t status_;
};

static cudaError_t tf32_product(cublasHandle_t handle, int m, int n, int k, const float *d_a, int lda,
                                const float *d_b, float beta, float *d_c) {
  const math_mode mode(handle, CUBLAS_TF32_TENSOR_OP_MATH);
  if (mode.status()) return cuda_error(mode.status());
  const float one = 1;
  return cuda_error(cublasSgemm_v2(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, d_b, at_least_1(n), d_a,
                                   at_least_1(lda), &beta, d_c, at_least_1(n)));
}

/* x to the nearest number with 11 significant bits: a float has 24, and the last 13 go. */
static __device__ float rounded_to_tf32(float x) {
  return __uint_as_float((__float_as_uint(x) + 0x1000u) & ~0x1fffu);
}

/* d_x[i] = d_high[i] + d_low[i], exactly. The first 11 bits are in d_high, the next ones in d_low. */
static __global__ void split_kernel(const float *d_x, float *d_high, float *d_low, size_t count) {
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += (size_t)gridDim.x * blockDim.x) {
    const float high = rounded_to_tf32(d_x[i]);
    d_high[i] = high;
    d_low[i] = d_x[i] - high;
  }
}

static cudaError_t split(cudaStream_t stream, const float *d_x, float *d_high, float *d_low, size_t count) {
  if (count == 0) return cudaSuccess;
  const size_t blocks = (count + 255) / 256;
  const unsigned grid = blocks < 4096 ? (unsigned)blocks : 4096;
  split_kernel<<<grid, 256, 0, stream>>>(d_x, d_high, d_low, count);
  return cudaGetLastError();
}

/*
 * C = A B of three products: low * high, high * low, high * high; low * low would add some 2^-22. The small
 * ones come first. The tensor cores sum `chunk` terms at a time; each product adds its result to C in float.
 * With k = 0 the loop runs once, for C must become 0.
 */
static cudaError_t split_product(cublasHandle_t handle, cudaStream_t stream, int m, int n, int k, int chunk,
                                 const float *d_a, const float *d_b, float *d_c, float *d_work) {
  const size_t a_count = (size_t)m * k, b_count = (size_t)k * n;
  float *a_high = d_work, *a_low = a_high + a_count, *b_high = a_low + a_count, *b_low = b_high + b_count;
  cudaError_t error = split(stream, d_a, a_high, a_low, a_count);
  if (!error) error = split(stream, d_b, b_high, b_low, b_count);
  int p = 0;
  do {
    const int terms = k - p < chunk ? k - p : chunk;
    const size_t row = (size_t)p * n;
    if (!error) error = tf32_product(handle, m, n, terms, a_low + p, k, b_high + row, p > 0, d_c);
    if (!error) error = tf32_product(handle, m, n, terms, a_high + p, k, b_low + row, 1, d_c);
    if (!error) error = tf32_product(handle, m, n, terms, a_high + p, k, b_high + row, 1, d_c);
    p += chunk;
  } while (p < k && !error);
  return error;
}

cudaError_t gemm_to(cublasHandle_t handle, cudaStream_t stream, double bound, int m, int n, int k,
                    const float *d_a, const float *d_b, float *d_c, float *d_work) {
  const cudaError_t error = cuda_error(cublasSetStream_v2(handle, stream));
  if (error) return error;
  if (bound >= 0x1p-9) return tf32_product(handle, m, n, k, d_a, k, d_b, 0, d_c);
  if (bound >= 0x1p-20 + k * 0x1p-25)
    return split_product(handle, stream, m, n, k, at_least_1(k), d_a, d_b, d_c, d_work);
  return gemm(handle, stream, m, n, k, d_a, at_least_1(k), d_b, at_least_1(n), d_c, at_least_1(n));
}

cudaError_t gemm_split(cublasHandle_t handle, cudaStream_t stream, int m, int n, int k, const float *d_a,
                       const float *d_b, float *d_c, float *d_work) {
  const cudaError_t error = cuda_error(cublasSetStream_v2(handle, stream));
  return error ? error : split_product(handle, stream, m, n, k, 512, d_a, d_b, d_c, d_work);
}

#define TILE  64  /* rows and columns of C in a block */
#define SLAB  32  /* terms that a tensor core sums before floats take over */
#define PAD   4   /* keeps rows of a tile in different banks, and at multiples of 16 bytes */
#define BLOCK 128 /* 2 x 2 warps, each with 2 x 2 tiles of 16 x 16 */

using namespace nvcuda;

/* Splits a tile's numbers into those of two tiles, as split_kernel does. */
template <class fragment> static __device__ void split_fragment(fragment &high, fragment &low) {
  for (int i = 0; i < high.num_elements; i++) {
    const float x = high.x[i];
    high.x[i] = rounded_to_tf32(x);
    low.x[i] = rounded_to_tf32(x - high.x[i]);
  }
}

/*
 * A block makes 64 x 64 elements of C. Its threads fetch 32 terms of A and B into shared memory, with zeros
 * beyond the edges; its warps split them and multiply. A tensor core cuts off what does not fit in a sum,
 * and always towards zero, so the error of a long sum grows with its length. Therefore each slab of 32 terms
 * begins with an accumulator of 0, and an ordinary addition, which rounds to the nearest, adds it to the sum.
 */
static __global__ void __launch_bounds__(BLOCK)
    tensor_kernel(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
#if __CUDA_ARCH__ >= 800
  __shared__ alignas(32) float a_tile[TILE][SLAB + PAD], b_tile[SLAB][TILE + PAD], c_tile[TILE][TILE + PAD];
  const int t = threadIdx.x, i0 = blockIdx.y * TILE, j0 = blockIdx.x * TILE;
  const int row = t / 64 * 32, column = t / 32 % 2 * 32; /* of the warp's part of the tile */
  const bool inside = i0 + row < m && j0 + column < n;   /* the same for all lanes of a warp */
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> sum[2][2], slab[2][2];
  for (int r = 0; r < 2; r++)
    for (int c = 0; c < 2; c++) wmma::fill_fragment(sum[r][c], 0.0f);

  for (int p0 = 0; p0 < k; p0 += SLAB) {
    for (int s = t; s < TILE * SLAB; s += BLOCK) {
      const int i = i0 + s / SLAB, pa = p0 + s % SLAB, pb = p0 + s / TILE, j = j0 + s % TILE;
      a_tile[s / SLAB][s % SLAB] = i < m && pa < k ? d_a[(size_t)i * k + pa] : 0;
      b_tile[s / TILE][s % TILE] = pb < k && j < n ? d_b[(size_t)pb * n + j] : 0;
    }
    __syncthreads();
    if (inside) {
      for (int r = 0; r < 2; r++)
        for (int c = 0; c < 2; c++) wmma::fill_fragment(slab[r][c], 0.0f);
      for (int p = 0; p < SLAB; p += 8) {
        wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> a[2], a_low[2];
        wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> b[2], b_low[2];
        for (int r = 0; r < 2; r++) {
          wmma::load_matrix_sync(a[r], &a_tile[row + 16 * r][p], SLAB + PAD);
          wmma::load_matrix_sync(b[r], &b_tile[p][column + 16 * r], TILE + PAD);
          split_fragment(a[r], a_low[r]);
          split_fragment(b[r], b_low[r]);
        }
        for (int r = 0; r < 2; r++)
          for (int c = 0; c < 2; c++) {
            wmma::mma_sync(slab[r][c], a_low[r], b[c], slab[r][c]);
            wmma::mma_sync(slab[r][c], a[r], b_low[c], slab[r][c]);
            wmma::mma_sync(slab[r][c], a[r], b[c], slab[r][c]);
          }
      }
      for (int r = 0; r < 2; r++)
        for (int c = 0; c < 2; c++)
          for (int e = 0; e < sum[r][c].num_elements; e++) sum[r][c].x[e] += slab[r][c].x[e];
    }
    __syncthreads();
  }

  for (int r = 0; r < 2; r++)
    for (int c = 0; c < 2; c++)
      wmma::store_matrix_sync(&c_tile[row + 16 * r][column + 16 * c], sum[r][c], TILE + PAD,
                              wmma::mem_row_major);
  __syncthreads();
  for (int s = t; s < TILE * TILE; s += BLOCK) {
    const int i = i0 + s / TILE, j = j0 + s % TILE;
    if (i < m && j < n) d_c[(size_t)i * n + j] = c_tile[s / TILE][s % TILE];
  }
#endif
}

cudaError_t gemm_tensor(cudaStream_t stream, int m, int n, int k, const float *d_a, const float *d_b,
                        float *d_c) {
  int device, major;
  cudaError_t error = cudaGetDevice(&device);
  if (!error) error = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  if (error) return error;
  if (major < 8) return cudaErrorNotSupported;
  if (m == 0 || n == 0) return cudaSuccess;
  const dim3 grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
  tensor_kernel<<<grid, BLOCK, 0, stream>>>(d_a, d_b, d_c, m, n, k);
  return cudaGetLastError();
}
