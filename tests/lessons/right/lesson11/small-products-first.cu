/* The small products over all terms, then the large one in chunks; a warp for each tile of C, with the
 * numbers split in shared memory. */
#include "cublas.h"

#include <mma.h>
#include <chrono>
#include <utility>

/* What a leading dimension must be at least, in a matrix without rows, too. */
static int at_least_1(int n) { return n > 1 ? n : 1; }

cudaError_t gemm(cublasHandle_t handle, cudaStream_t stream, int m, int n, int k, const float *d_a, int lda,
                 const float *d_b, int ldb, float *d_c, int ldc) {
  const float one = 1, zero = 0;
  cublasStatus_t status = cublasSetStream(handle, stream);
  if (!status)
    status =
        cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, d_b, ldb, d_a, lda, &zero, d_c, ldc);
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
  cublasStatus_t status = cublasSetStream(handle, stream);
  if (!status)
    status = cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, d_b, at_least_1(n),
                                       stride_b, d_a, at_least_1(k), stride_a, &zero, d_c, at_least_1(n),
                                       stride_c, batch);
  return cuda_error(status);
}

/* C = A B + beta C with TF32 inputs, for k of the terms: A's rows are `lda` apart. The call names the type of
 * computation, so the handle's math mode stays as it is. */
static cudaError_t tf32_product(cublasHandle_t handle, int m, int n, int k, const float *d_a, int lda,
                                const float *d_b, float beta, float *d_c) {
  const float one = 1;
  return cuda_error(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, d_b, CUDA_R_32F,
                                 at_least_1(n), d_a, CUDA_R_32F, at_least_1(lda), &beta, d_c, CUDA_R_32F,
                                 at_least_1(n), CUBLAS_COMPUTE_32F_FAST_TF32, CUBLAS_GEMM_DEFAULT));
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

/* C = A B: first both small products over all terms, whose errors are small as they are; then the large one,
 * `chunk` terms at a time. */
static cudaError_t split_product(cublasHandle_t handle, cudaStream_t stream, int m, int n, int k, int chunk,
                                 const float *d_a, const float *d_b, float *d_c, float *d_work) {
  float *part[4]; /* A's high and low, B's high and low */
  part[0] = d_work;
  part[1] = part[0] + (size_t)m * k;
  part[2] = part[1] + (size_t)m * k;
  part[3] = part[2] + (size_t)k * n;
  cudaError_t error;
  if ((error = split(stream, d_a, part[0], part[1], (size_t)m * k)) ||
      (error = split(stream, d_b, part[2], part[3], (size_t)k * n)) ||
      (error = tf32_product(handle, m, n, k, part[1], k, part[2], 0, d_c)) ||
      (error = tf32_product(handle, m, n, k, part[0], k, part[3], 1, d_c)))
    return error;
  for (int p = 0; p == 0 || p < k; p += chunk)
    if ((error = tf32_product(handle, m, n, k - p < chunk ? k - p : chunk, part[0] + p, k,
                              part[2] + (size_t)p * n, 1, d_c)))
      return error;
  return cudaSuccess;
}

cudaError_t gemm_to(cublasHandle_t handle, cudaStream_t stream, double bound, int m, int n, int k,
                    const float *d_a, const float *d_b, float *d_c, float *d_work) {
  const cudaError_t error = cuda_error(cublasSetStream(handle, stream));
  if (error) return error;
  if (bound >= 0x1p-9) return tf32_product(handle, m, n, k, d_a, k, d_b, 0, d_c);
  if (bound >= 0x1p-20 + k * 0x1p-25)
    return split_product(handle, stream, m, n, k, at_least_1(k), d_a, d_b, d_c, d_work);
  return gemm(handle, stream, m, n, k, d_a, at_least_1(k), d_b, at_least_1(n), d_c, at_least_1(n));
}

cudaError_t gemm_split(cublasHandle_t handle, cudaStream_t stream, int m, int n, int k, const float *d_a,
                       const float *d_b, float *d_c, float *d_work) {
  const cudaError_t error = cuda_error(cublasSetStream(handle, stream));
  return error ? error : split_product(handle, stream, m, n, k, 512, d_a, d_b, d_c, d_work);
}

/* A warp makes a tile of 16 x 16 elements of C. Every 8 terms begin with an accumulator of 0. */
static __global__ void tile_kernel(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
#if __CUDA_ARCH__ >= 800
  using namespace nvcuda;
  __shared__ alignas(32) float parts[4][128], c_tile[256];
  const int lane = threadIdx.x, i0 = blockIdx.y * 16, j0 = blockIdx.x * 16;
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> sum, eight;
  wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> a, a_low;
  wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> b, b_low;
  wmma::fill_fragment(sum, 0.0f);
  for (int p0 = 0; p0 < k; p0 += 8) {
    for (int s = lane; s < 128; s += 32) {
      const int i = i0 + s / 8, pa = p0 + s % 8, pb = p0 + s / 16, j = j0 + s % 16;
      const float x = i < m && pa < k ? d_a[(size_t)i * k + pa] : 0;
      const float y = pb < k && j < n ? d_b[(size_t)pb * n + j] : 0;
      parts[0][s] = rounded_to_tf32(x);
      parts[1][s] = rounded_to_tf32(x - parts[0][s]);
      parts[2][s] = rounded_to_tf32(y);
      parts[3][s] = rounded_to_tf32(y - parts[2][s]);
    }
    __syncwarp();
    wmma::load_matrix_sync(a, parts[0], 8);
    wmma::load_matrix_sync(a_low, parts[1], 8);
    wmma::load_matrix_sync(b, parts[2], 16);
    wmma::load_matrix_sync(b_low, parts[3], 16);
    wmma::fill_fragment(eight, 0.0f);
    wmma::mma_sync(eight, a_low, b, eight);
    wmma::mma_sync(eight, a, b_low, eight);
    wmma::mma_sync(eight, a, b, eight);
    for (int e = 0; e < sum.num_elements; e++) sum.x[e] += eight.x[e];
    __syncwarp();
  }
  wmma::store_matrix_sync(c_tile, sum, 16, wmma::mem_row_major);
  __syncwarp();
  for (int s = lane; s < 256; s += 32)
    if (i0 + s / 16 < m && j0 + s % 16 < n) d_c[(size_t)(i0 + s / 16) * n + j0 + s % 16] = c_tile[s];
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
  tile_kernel<<<dim3((n + 15) / 16, (m + 15) / 16), 32, 0, stream>>>(d_a, d_b, d_c, m, n, k);
  return cudaGetLastError();
}
