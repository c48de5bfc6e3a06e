/*
 * lesson11, cublas: products by a library.
 *
 * cuBLAS has matrices by columns, C by rows. The bytes of a matrix by rows are those of its transpose by
 * columns, and C = A B means C^T = B^T A^T: hand B over as the first factor, A as the second, n as the rows
 * and m as the columns, and no number needs to move.
 *
 * cublas.h says what each function must do. d_ is memory of the device.
 */
#include "cublas.h"

#include <cuda_pipeline.h>
#include <stdint.h>
#include <time.h>

/* What a leading dimension must be at least, in a matrix without rows, too. */
static int at_least_1(int n) { return n > 1 ? n : 1; }

cudaError_t gemm(cublasHandle_t handle, cudaStream_t stream, int m, int n, int k, const float *d_a, int lda,
                 const float *d_b, int ldb, float *d_c, int ldc) {
  // #region task-1
  //: /* TODO task 1: put `stream` into the handle, then call cublasSgemm. It takes matrices by columns: which
  //:  * of the two is the first factor, and what are its rows? */
  //: return cudaSuccess;
  const float one = 1, zero = 0;
  cublasStatus_t status = cublasSetStream(handle, stream);
  if (!status)
    status =
        cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, d_b, ldb, d_a, lda, &zero, d_c, ldc);
  return cuda_error(status);
  // #endregion task-1
}

// #region task-2
//: /* TODO task 2: a clock of the host, in milliseconds; or events. */
static double now_ms(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return at.tv_sec * 1e3 + at.tv_nsec * 1e-6;
}
// #endregion task-2

cudaError_t time_gemm(cudaError_t (*product)(void *data), void *data, cudaStream_t stream, int calls,
                      double *h_ms) {
  // #region task-2
  //: /* TODO task 2: when is a product done? Time the first call, then the others together. */
  //: return cudaSuccess;
  double start = now_ms();
  cudaError_t error = product(data);
  if (!error) error = cudaStreamSynchronize(stream);
  h_ms[0] = now_ms() - start;
  start = now_ms();
  for (int i = 0; i < calls && !error; i++) error = product(data);
  if (!error) error = cudaStreamSynchronize(stream); /* once: the wait itself takes some microseconds */
  h_ms[1] = (now_ms() - start) / calls;
  return error;
  // #endregion task-2
}

cudaError_t gemm_batch(cublasHandle_t handle, cudaStream_t stream, int m, int n, int k, int batch,
                       const float *d_a, long long stride_a, const float *d_b, long long stride_b, float *d_c,
                       long long stride_c) {
  // #region task-3
  //: /* TODO task 3: as task 1, by cublasSgemmStridedBatched: one call for all products. */
  //: return cudaSuccess;
  const float one = 1, zero = 0;
  cublasStatus_t status = cublasSetStream(handle, stream);
  if (!status)
    status = cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, d_b, at_least_1(n),
                                       stride_b, d_a, at_least_1(k), stride_a, &zero, d_c, at_least_1(n),
                                       stride_c, batch);
  return cuda_error(status);
  // #endregion task-3
}

// #region task-4
//: /* TODO task 4: a product with TF32 inputs (cublasGemmEx names the type of computation for a call), and a
//:  * kernel that splits each float x into hi + lo: hi is x rounded to the 11 bits that TF32 has, lo the
//:  * rest. */
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

/*
 * C = A B of three products: low * high, high * low, high * high; low * low would add some 2^-22. The small
 * ones come first. Tensor cores sum `chunk` terms of the large one at a time, and each product adds its
 * result to C in float. The small ones need no chunks: what a long sum loses of them is as small again.
 * With k = 0 all three are called, too, for C must become 0.
 */
static cudaError_t split_product(cublasHandle_t handle, cudaStream_t stream, int m, int n, int k, int chunk,
                                 const float *d_a, const float *d_b, float *d_c, float *d_work) {
  const size_t a_count = (size_t)m * k, b_count = (size_t)k * n;
  float *a_high = d_work, *a_low = a_high + a_count, *b_high = a_low + a_count, *b_low = b_high + b_count;
  cudaError_t error = split(stream, d_a, a_high, a_low, a_count);
  if (!error) error = split(stream, d_b, b_high, b_low, b_count);
  if (!error) error = tf32_product(handle, m, n, k, a_low, k, b_high, 0, d_c);
  if (!error) error = tf32_product(handle, m, n, k, a_high, k, b_low, 1, d_c);
  int p = 0;
  do {
    const int terms = k - p < chunk ? k - p : chunk;
    if (!error) error = tf32_product(handle, m, n, terms, a_high + p, k, b_high + (size_t)p * n, 1, d_c);
    p += chunk;
  } while (p < k && !error);
  return error;
}
// #endregion task-4

cudaError_t gemm_to(cublasHandle_t handle, cudaStream_t stream, double bound, int m, int n, int k,
                    const float *d_a, const float *d_b, float *d_c, float *d_work) {
  // #region task-4
  //: /* TODO task 4: which way is the cheapest that the bound allows? */
  //: return cudaSuccess;
  const cudaError_t error = cuda_error(cublasSetStream(handle, stream));
  if (error) return error;
  if (bound >= 0x1p-9) return tf32_product(handle, m, n, k, d_a, k, d_b, 0, d_c);
  if (bound >= 0x1p-20 + k * 0x1p-25)
    return split_product(handle, stream, m, n, k, at_least_1(k), d_a, d_b, d_c, d_work);
  return gemm(handle, stream, m, n, k, d_a, at_least_1(k), d_b, at_least_1(n), d_c, at_least_1(n));
  // #endregion task-4
}

cudaError_t gemm_split(cublasHandle_t handle, cudaStream_t stream, int m, int n, int k, const float *d_a,
                       const float *d_b, float *d_c, float *d_work) {
  // #region task-further
  //: /* TODO go further: the second way of task 4, but a tensor core may sum only so many terms that its
  //:  * error stays small. Who adds those sums? */
  //: return cudaSuccess;
  const int chunk = 384; /* a longer one is faster, and less exact */
  const cudaError_t error = cuda_error(cublasSetStream(handle, stream));
  return error ? error : split_product(handle, stream, m, n, k, chunk, d_a, d_b, d_c, d_work);
  // #endregion task-further
}

// #region task-further
//: /* TODO go further: a kernel of tensor cores. Begin with nvcuda::wmma's tiles of 16 x 16 x 8,
//:  * precision::tf32, from <mma.h>; cublas.h has a faster instruction. */
#define TILE  128 /* rows and columns of C in a block */
#define SLAB  32  /* terms of A and B that are in shared memory together */
#define STEP  8   /* terms of an instruction */
#define BLOCK 256 /* 2 x 4 warps, each with 64 x 32 elements of C: 4 x 4 tiles of 16 x 8 */

struct product {
  const float *d_a, *d_b;
  float *d_c;
  int m, n, k;
};

/* SLAB terms of a block's rows of A and columns of B. The gaps put what a warp reads into different banks. */
struct slab {
  float a[TILE][SLAB + 4], b[SLAB][TILE + 8];
};

/* A lane's parts of 4 tiles of A and of 4 of B, as warp_mma takes them. */
struct parts {
  float a[4][4], b[4][2];
};

/* Where the thread's share of the next slab begins. */
struct source {
  const float *a, *b;
};

template <int width> static __device__ source first_source(const product &c) {
  const int first = threadIdx.x * width, i0 = blockIdx.y * TILE, j0 = blockIdx.x * TILE;
  return {c.d_a + (size_t)(i0 + first / SLAB) * c.k + first % SLAB,
          c.d_b + (size_t)(first / TILE) * c.n + j0 + first % TILE};
}

/* Starts to copy the slab that begins with term p0, `width` floats at a time; zeros beyond the edges. Moves
 * `from` on to the next slab. */
template <int width> static __device__ void fetch(const product &c, int p0, source &from, slab *to) {
  const int first = threadIdx.x * width, a_rows = BLOCK * width / SLAB, b_rows = BLOCK * width / TILE;
  const int i = first / SLAB, pa = first % SLAB, pb = first / TILE, j = first % TILE;
  const int rows = c.m - blockIdx.y * TILE - i, terms = c.k - p0;
#pragma unroll 4
  for (int r = 0; r < TILE; r += a_rows) {
    const bool inside = r < rows && pa < terms;
    __pipeline_memcpy_async(&to->a[i + r][pa], inside ? from.a + (size_t)r * c.k : c.d_a, 4 * width,
                            inside ? 0 : 4 * width);
  }
  const bool column_inside = blockIdx.x * TILE + j < c.n;
#pragma unroll 4
  for (int r = 0; r < SLAB; r += b_rows) {
    const bool inside = pb + r < terms && column_inside;
    __pipeline_memcpy_async(&to->b[pb + r][j], inside ? from.b + (size_t)r * c.n : c.d_b, 4 * width,
                            inside ? 0 : 4 * width);
  }
  from.a += SLAB, from.b += (size_t)SLAB * c.n;
  __pipeline_commit();
}

/* The lane's parts for STEP terms from p on; row, column: the warp's place in the block's tile. */
static __device__ parts load(const slab *s, int row, int column, int p) {
  const int g = threadIdx.x % 32 / 4, q = threadIdx.x % 4;
  parts x;
#pragma unroll
  for (int c = 0; c < 4; c++)
    for (int e = 0; e < 2; e++) x.b[c][e] = s->b[p + q + 4 * e][column + 8 * c + g];
#pragma unroll
  for (int r = 0; r < 4; r++)
    for (int e = 0; e < 4; e++) x.a[r][e] = s->a[row + 16 * r + g + e % 2 * 8][p + q + e / 2 * 4];
  return x;
}

/* What remains of each number without its first 11 bits, which are those that tensor cores read. */
static __device__ float rest(float x) { return x - __uint_as_float(__float_as_uint(x) & ~0x1fffu); }

static __device__ parts rests(const parts &x) {
  parts low;
#pragma unroll
  for (int t = 0; t < 4; t++) {
    for (int e = 0; e < 4; e++) low.a[t][e] = rest(x.a[t][e]);
    for (int e = 0; e < 2; e++) low.b[t][e] = rest(x.b[t][e]);
  }
  return low;
}

/*
 * STEP terms of the warp's tiles: low * high, high * low, high * high. The numbers of `high` are whole
 * floats: the instruction ignores the bits that are in `low`.
 *
 * A tensor core cuts off what does not fit in a sum, and always towards zero, so the error of a long sum
 * grows with its length. Therefore ordinary additions, which round to the nearest, take the sums of the last
 * SLAB terms over, and tensor cores begin again with 0. Each step does that for one row of tiles in turn: its
 * products are ready by then, whereas all rows together would have to wait for the last.
 */
static __device__ void multiply(const parts &high, const parts &low, int step, float sum[4][4][4],
                                float recent[4][4][4]) {
#pragma unroll
  for (int r = 0; r < 4; r++) {
#pragma unroll
    for (int e = 0; e < 16 && r == step; e++) {
      sum[r][e / 4][e % 4] += recent[r][e / 4][e % 4];
      recent[r][e / 4][e % 4] = 0;
    }
    /* four independent products in turn: each takes some 30 cycles until the next may add to it */
#pragma unroll
    for (int c = 0; c < 4; c++) warp_mma(recent[r][c], low.a[r], high.b[c]);
#pragma unroll
    for (int c = 0; c < 4; c++) warp_mma(recent[r][c], high.a[r], low.b[c]);
#pragma unroll
    for (int c = 0; c < 4; c++) warp_mma(recent[r][c], high.a[r], high.b[c]);
  }
}

static __device__ void store(const product &c, int row, int column, const float sum[4][4][4],
                             const float recent[4][4][4]) {
  const int i0 = blockIdx.y * TILE + row + threadIdx.x % 32 / 4;
  const int j0 = blockIdx.x * TILE + column + threadIdx.x % 4 * 2;
#pragma unroll
  for (int e = 0; e < 64; e++) {
    const int i = i0 + 16 * (e / 16) + e % 4 / 2 * 8, j = j0 + e / 4 % 4 * 8 + e % 2;
    if (i < c.m && j < c.n)
      c.d_c[(size_t)i * c.n + j] = sum[e / 16][e / 4 % 4][e % 4] + recent[e / 16][e / 4 % 4][e % 4];
  }
}

/*
 * A block makes 128 x 128 elements of C. Of two slabs in shared memory it multiplies one while the other
 * arrives, and a lane loads its numbers for the next step before it multiplies those of this one: so the
 * tensor cores wait neither for global nor for shared memory. No branch
 * keeps warps beyond the edges from multiplying zeros: one costs an H100 16 % of the speed.
 */
template <int width> static __global__ void __launch_bounds__(BLOCK, 1) tensor_kernel(product c) {
  extern __shared__ float4 memory[];
  slab *const slabs = (slab *)memory;
  const int row = threadIdx.x / 128 * 64, column = threadIdx.x / 32 % 4 * 32; /* of the warp's 64 x 32 */
  float sum[4][4][4] = {}, recent[4][4][4] = {};
  source from = first_source<width>(c);
  fetch<width>(c, 0, from, &slabs[0]);
  __pipeline_wait_prior(0);
  __syncthreads();
  fetch<width>(c, SLAB, from, &slabs[1]);
  parts next = load(&slabs[0], row, column, 0);
  int now = 0;
  for (int p0 = 0; p0 < c.k; p0 += SLAB, now = 1 - now) {
#pragma unroll
    for (int p = 0; p < SLAB; p += STEP) {
      const parts high = next, low = rests(next);
      if (p + STEP < SLAB) {
        next = load(&slabs[now], row, column, p + STEP);
      } else {
        __pipeline_wait_prior(0);
        __syncthreads(); /* the other slab is there, and no warp reads this one any more */
        fetch<width>(c, p0 + 2 * SLAB, from, &slabs[now]);
        next = load(&slabs[1 - now], row, column, 0);
      }
      multiply(high, low, p / STEP, sum, recent);
    }
  }
  store(c, row, column, sum, recent);
}

/* Two slabs are more shared memory than a block gets without asking. */
template <int width> static cudaError_t launch(cudaStream_t stream, const product &c) {
  const size_t bytes = 2 * sizeof(slab);
  const cudaError_t error =
      cudaFuncSetAttribute(tensor_kernel<width>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
  if (error) return error;
  const dim3 grid((c.n + TILE - 1) / TILE, (c.m + TILE - 1) / TILE);
  tensor_kernel<width><<<grid, BLOCK, bytes, stream>>>(c);
  return cudaGetLastError();
}
// #endregion task-further

cudaError_t gemm_tensor(cudaStream_t stream, int m, int n, int k, const float *d_a, const float *d_b,
                        float *d_c) {
  // #region task-further
  //: /* TODO go further: launch it. */
  //: return cudaSuccess;
  int device, major;
  cudaError_t error = cudaGetDevice(&device);
  if (!error) error = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  if (error) return error;
  if (major < 8) return cudaErrorNotSupported;
  if (m == 0 || n == 0) return cudaSuccess;
  const product c = {d_a, d_b, d_c, m, n, k};
  /* 16 bytes at a time, where all rows begin at multiples of 16 */
  const bool wide = k % 4 == 0 && n % 4 == 0 && (uintptr_t)d_a % 16 == 0 && (uintptr_t)d_b % 16 == 0;
  return wide ? launch<4>(stream, c) : launch<1>(stream, c);
  // #endregion task-further
}
