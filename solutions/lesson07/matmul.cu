/*
 * lesson07, matmul: one product, C = A * B, from the plainest kernel to one as fast as the library.
 *
 * A product of m x n x k takes 2mnk floating-point operations on only mk + kn + mn numbers. So every number
 * is used hundreds of times, and the place it is read from each time decides the speed: memory, shared memory
 * or a register. Each rung of the ladder brings it one step closer. In a clock a multiprocessor of an H200
 * does 128 multiply-adds, loads 128 bytes from the L1 cache or shared memory (one "wavefront"), and issues 4
 * instructions of a warp; 132 of them at 1.98 GHz do 66.9 TFLOP/s at most. The predictions follow from that;
 * the measured figures are TFLOP/s of an H200 at m = n = k = 4096, where cuBLAS reached 49.15
 * (results/2026-11-22-nvidia-h200/ladder07.md).
 *
 * Shapes: A is m x k, B is k x n, C is m x n, all row by row; i counts rows of C, j its columns, p the terms
 * of a sum.
 */
#include "matmul.h"
// #region task-further
#include <cuda_pipeline.h>
// #endregion task-further

/* n / d rounded up. The sum may exceed the largest int, so it is computed in 64 bits. */
static int ceil_div(int n, int d) { return (int)(((long long)n + d - 1) / d); }

/* ---- Rung 0: uncoalesced ---- */

/* One thread for each element of C; neighbouring threads take neighbouring ROWS. So a warp loads A from 32
 * rows, which takes 32 wavefronts, and one more for B, for 32 multiply-adds. Predicted 66.9 / 4 / 33 = 0.51,
 * measured 0.50. */
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

/* ---- Rung 1: coalesced ---- */

// #region task-1
//: /* TODO task 1: a kernel like the one above, but neighbouring threads take neighbouring columns of C. */
/* Changed: neighbouring threads take neighbouring COLUMNS. A warp loads 128 contiguous bytes of B, and one
 * number of A for all its threads: two wavefronts for 32 multiply-adds, so an eighth of the ceiling.
 * Predicted 8.4 if the L1 cache held all of it; measured 5.93. */
static __global__ void naive_kernel(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= m || j >= n) return;
  float sum = 0;
  for (int p = 0; p < k; p++) sum += d_a[(size_t)i * k + p] * d_b[(size_t)p * n + j];
  d_c[(size_t)i * n + j] = sum;
}
// #endregion task-1

cudaError_t matmul_naive(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  // #region task-1
  //: /* TODO task 1: launch it. Is there anything to launch if m or n is 0? */
  //: return cudaSuccess;
  if (m == 0 || n == 0) return cudaSuccess;
  const dim3 grid(ceil_div(n, 32), ceil_div(m, 8)), block(32, 8);
  naive_kernel<<<grid, block>>>(d_a, d_b, d_c, m, n, k);
  return cudaGetLastError();
  // #endregion task-1
}

/* ---- Rungs 2 and 3: tiles in shared memory ---- */

// #region task-2
//: /* TODO task 2: a kernel whose block fetches 16 x 16 elements of A and of B into __shared__ arrays, waits,
//:  * uses them, waits, and continues with the next ones. Beyond the edge of a matrix it uses zeros. For task 3
//:  * make type and size of the tile parameters: template <typename T, int TILE>. */
/*
 * Changed: the block fetches a TILE x TILE piece of A and of B once and uses each number TILE times from
 * shared memory: the caches deliver 8 / TILE bytes a multiply-add. Shared memory still delivers every
 * operand, but four of A come in one load: 5 wavefronts for 4 multiply-adds. Predicted 66.9 * 4 / 20 = 13.4
 * at most, less the wait for each pair of tiles; measured 8.10 and, with tiles of 32, 8.72.
 */
template <typename T, int TILE>
static __global__ void tiled_kernel(const T *d_a, const T *d_b, T *d_c, int m, int n, int k) {
  __shared__ T a_tile[TILE][TILE], b_tile[TILE][TILE];
  const int x = threadIdx.x, y = threadIdx.y, j = blockIdx.x * TILE + x, i = blockIdx.y * TILE + y;
  T sum = 0;
  for (int p0 = 0; p0 < k; p0 += TILE) {
    /* Beyond the edge: zeros, which add nothing. */
    a_tile[y][x] = i < m && p0 + x < k ? d_a[(size_t)i * k + p0 + x] : 0;
    b_tile[y][x] = j < n && p0 + y < k ? d_b[(size_t)(p0 + y) * n + j] : 0;
    __syncthreads(); /* the tiles are complete */
    for (int p = 0; p < TILE; p++) sum += a_tile[y][p] * b_tile[p][x];
    __syncthreads(); /* no thread reads them any more */
  }
  if (i < m && j < n) d_c[(size_t)i * n + j] = sum;
}

template <typename T, int TILE>
static cudaError_t tiled(const T *d_a, const T *d_b, T *d_c, int m, int n, int k) {
  if (m == 0 || n == 0) return cudaSuccess;
  const dim3 grid(ceil_div(n, TILE), ceil_div(m, TILE)), block(TILE, TILE);
  tiled_kernel<T, TILE><<<grid, block>>>(d_a, d_b, d_c, m, n, k);
  return cudaGetLastError();
}
// #endregion task-2

cudaError_t matmul_tiled(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  // #region task-2
  //: /* TODO task 2: launch it in blocks of 16 x 16. */
  //: return cudaSuccess;
  return tiled<float, 16>(d_a, d_b, d_c, m, n, k);
  // #endregion task-2
}

cudaError_t matmul_tiled_double(const double *d_a, const double *d_b, double *d_c, int m, int n, int k,
                                int tile) {
  // #region task-3
  //: /* TODO task 3: the same kernel for doubles, in tiles of 16 or 32; cudaErrorInvalidValue for any other. */
  //: return cudaSuccess;
  if (tile == 16) return tiled<double, 16>(d_a, d_b, d_c, m, n, k);
  if (tile == 32) return tiled<double, 32>(d_a, d_b, d_c, m, n, k);
  return cudaErrorInvalidValue;
  // #endregion task-3
}

// #region task-further
//: /* TODO go further: let each thread keep several elements of C in registers, 8 x 8 say. */
/* ---- Rung 4: a square of 8 x 8 elements in each thread ---- */

/* sum += a * b, a column times a row. Every other row goes backwards: neighbouring multiply-adds then share
 * an operand, and the register file is read less. */
template <int ROWS, int COLUMNS>
static __device__ void outer_product(float (&sum)[ROWS][COLUMNS], const float (&a)[ROWS],
                                     const float (&b)[COLUMNS]) {
#pragma unroll
  for (int r = 0; r < ROWS; r++)
#pragma unroll
    for (int s = 0; s < COLUMNS; s++) {
      const int c = r % 2 ? COLUMNS - 1 - s : s;
      sum[r][c] += a[r] * b[c];
    }
}

/*
 * Changed: 8 x 8 elements a thread, so 8 + 8 values serve 64 multiply-adds; with a tile of 128 x 128 the
 * caches deliver 1/16 byte a multiply-add. The 16 loads from shared memory take as long as the multiply-adds,
 * 16 clocks: predicted half of the ceiling if they take turns, all of it if they overlap; measured 26.18.
 */
static __global__ void __launch_bounds__(256)
    square_kernel(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  __shared__ float a_tile[128][8], b_tile[8][128];
  const int t = threadIdx.x, x = t % 16, y = t / 16, i0 = blockIdx.y * 128, j0 = blockIdx.x * 128;
  float sum[8][8] = {{0}};
  for (int p0 = 0; p0 < k; p0 += 8) {
    for (int s = t; s < 128 * 8; s += 256) {
      const int i = i0 + s / 8, pa = p0 + s % 8, pb = p0 + s / 128, j = j0 + s % 128;
      a_tile[s / 8][s % 8] = i < m && pa < k ? d_a[(size_t)i * k + pa] : 0;
      b_tile[s / 128][s % 128] = pb < k && j < n ? d_b[(size_t)pb * n + j] : 0;
    }
    __syncthreads();
    for (int p = 0; p < 8; p++) {
      float a[8], b[8];
      for (int r = 0; r < 8; r++) a[r] = a_tile[y + 16 * r][p], b[r] = b_tile[p][x + 16 * r];
      outer_product(sum, a, b);
    }
    __syncthreads();
  }
  for (int r = 0; r < 8; r++)
    for (int c = 0; c < 8; c++) {
      const int i = i0 + y + 16 * r, j = j0 + x + 16 * c;
      if (i < m && j < n) d_c[(size_t)i * n + j] = sum[r][c];
    }
}

static cudaError_t matmul_square(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  if (m == 0 || n == 0) return cudaSuccess;
  square_kernel<<<dim3(ceil_div(n, 128), ceil_div(m, 128)), 256>>>(d_a, d_b, d_c, m, n, k);
  return cudaGetLastError();
}

/* ---- Rungs 5 to 7: operands in fours, copies in the background, longer tiles ---- */

/*
 * One kernel for three rungs; a `plan` says what a rung is made of. Changed from rung to rung:
 *
 *   wide     A tile of A is stored transposed, so a thread's operands are contiguous and it loads four at
 *            a time: 4 loads for 64 multiply-adds, no longer 16. And a warp covers 32 x 64 elements of C, no
 *            longer 16 x 128: 96 numbers a term instead of 144. Predicted 64 / 68 of the ceiling by
 *            the instructions, less the wait for each tile; measured 42.16.
 *   doubled  While a tile is used the next one is copied, from memory straight into shared memory (cp.async).
 *            16 warps work 2048 clocks on a tile; memory answers in some 600. Predicted: no wait;
 *            measured 46.19.
 *   fast     Tiles of 16 terms, half as many barriers; smaller tiles of C for smaller matrices. Of 100
 *            instructions in the loop 89 are multiply-adds: predicted 0.89 of the ceiling at most; measured
 *            48.32.
 */
template <int R, int C, int THREAD_R, int THREAD_C, int TERMS, int PLACES> struct plan {
  static constexpr int ROWS = R, COLUMNS = C;                                 /* of C, in a block */
  static constexpr int THREAD_ROWS = THREAD_R, THREAD_COLUMNS = THREAD_C;     /* of C, in a thread */
  static constexpr int WARP_ROWS = 4 * THREAD_R, WARP_COLUMNS = 8 * THREAD_C; /* 4 x 8 lanes */
  static constexpr int BLOCK = 32 * (R / WARP_ROWS) * (C / WARP_COLUMNS);
  static constexpr int DEPTH = TERMS, STAGES = PLACES; /* terms in a tile; tiles in shared memory */
  static_assert(R % WARP_ROWS == 0 && C % WARP_COLUMNS == 0, "a block is made of whole warps");
  static_assert(THREAD_R % 4 == 0 && THREAD_C % 4 == 0, "a thread loads 4 operands at a time");
  static_assert(TERMS % 8 == 0, "a row of A is copied 8 terms, 32 bytes, at a time");
};

/* One stage: a piece of A, transposed, and one of B. A warp copies 4 rows by 8 terms of A at a time; the
 * padding keeps its 32 stores in 32 different banks. */
template <class P> struct tile {
  float a[P::DEPTH][P::ROWS + 4];
  float b[P::DEPTH][P::COLUMNS];
};

/* Copies WIDTH floats in the background, from a multiple of their size, or writes zeros. */
template <int WIDTH> static __device__ void copy(float *to, const float *from, bool wanted) {
  __pipeline_memcpy_async(to, from, WIDTH * sizeof(float), wanted ? 0 : WIDTH * sizeof(float));
}

/*
 * A thread's share of the copies, tile after tile. For rows of A and columns of B after the last one, the
 * last one is copied: they only affect elements of C that are never stored. Missing terms must be zeros; they
 * are the first ones, before A's first column, so that all tiles but one are full.
 */
template <class P, int WIDTH> struct source {
  static constexpr int A_STEP = P::BLOCK / 8, A_COPIES = P::ROWS / A_STEP;
  static constexpr int B_ACROSS = P::COLUMNS / WIDTH, B_STEP = P::BLOCK / B_ACROSS;
  static_assert(P::ROWS % A_STEP == 0 && P::BLOCK % B_ACROSS == 0 && P::DEPTH % B_STEP == 0,
                "each thread copies as much");
  const int n, k, a_row, a_term, b_term, b_column;
  const float *a[A_COPIES], *b;
  int p; /* the next tile's first term */

  __device__ source(const float *d_a, const float *d_b, int m, int n, int k)
      : n(n), k(k), a_row(threadIdx.x / 8), a_term(threadIdx.x % 8), b_term(threadIdx.x / B_ACROSS),
        b_column(threadIdx.x % B_ACROSS * WIDTH), p(k % P::DEPTH ? k % P::DEPTH - P::DEPTH : 0) {
    const int i = blockIdx.y * P::ROWS + a_row, j = blockIdx.x * P::COLUMNS + b_column;
#pragma unroll
    for (int s = 0; s < A_COPIES; s++) a[s] = d_a + (ptrdiff_t)min(i + s * A_STEP, m - 1) * k + p + a_term;
    b = d_b + (ptrdiff_t)(p + b_term) * n + min(j, n - WIDTH);
  }

  /* Queues the copies of the next tile, if there is one. Only the first tile may be partial. */
  __device__ void queue(tile<P> &to, bool full = true) {
    if (p < k) {
#pragma unroll
      for (int s = 0; s < A_COPIES; s++)
#pragma unroll
        for (int e = 0; e < P::DEPTH; e += 8)
          copy<1>(&to.a[a_term + e][a_row + s * A_STEP], a[s] + e, full || p + a_term + e >= 0);
#pragma unroll
      for (int e = 0; e < P::DEPTH; e += B_STEP)
        copy<WIDTH>(&to.b[b_term + e][b_column], b + (ptrdiff_t)e * n, full || p + b_term + e >= 0);
#pragma unroll
      for (int s = 0; s < A_COPIES; s++) a[s] += P::DEPTH;
      b += (ptrdiff_t)P::DEPTH * n;
      p += P::DEPTH;
    }
    __pipeline_commit();
  }
};

/* A term's operands of a thread: its rows of A from `row`, its columns of B from `column`, in fours that the
 * warp's lanes take in turn. */
template <class P>
static __device__ void load_operands(const tile<P> &from, int p, int row, int column,
                                     float (&a)[P::THREAD_ROWS], float (&b)[P::THREAD_COLUMNS]) {
#pragma unroll
  for (int r = 0; r < P::THREAD_ROWS; r += 4) *(float4 *)&a[r] = *(const float4 *)&from.a[p][row + r * 4];
#pragma unroll
  for (int c = 0; c < P::THREAD_COLUMNS; c += 4)
    *(float4 *)&b[c] = *(const float4 *)&from.b[p][column + c * 8];
}

template <class P, int WIDTH>
static __global__ void __launch_bounds__(P::BLOCK, 512 / P::BLOCK) /* so many blocks fit in the registers */
    pipeline_kernel(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  constexpr int across = P::COLUMNS / P::WARP_COLUMNS, ahead = P::STAGES - 1; /* tiles on their way */
  extern __shared__ float4 shared[];
  tile<P> *const stage = (tile<P> *)shared;
  /* Lanes are arranged in vertical pairs: the 8 lanes of one 16-byte load read 2 pieces of A and 4 of B. */
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int row = warp / across * P::WARP_ROWS + (lane / 16 * 2 + lane % 2) * 4;
  const int column = warp % across * P::WARP_COLUMNS + lane / 2 % 8 * 4;
  source<P, WIDTH> from(d_a, d_b, m, n, k);
  float sum[P::THREAD_ROWS][P::THREAD_COLUMNS] = {{0}};

  from.queue(stage[0], false);
  for (int s = 1; s < ahead; s++) from.queue(stage[s]);
  int now = 0, free = ahead; /* the stage in use, and the one that was used before */
  for (int p0 = 0; p0 < k; p0 += P::DEPTH) {
    __pipeline_wait_prior(ahead > 0 ? ahead - 1 : 0);
    __syncthreads(); /* this tile is complete, and the one before it no longer used */
    if (ahead > 0) from.queue(stage[free]);
#pragma unroll
    for (int p = 0; p < P::DEPTH; p++) {
      alignas(16) float a[P::THREAD_ROWS], b[P::THREAD_COLUMNS];
      load_operands<P>(stage[now], p, row, column, a, b);
      outer_product(sum, a, b);
    }
    if (ahead == 0) {
      __syncthreads();
      from.queue(stage[0]);
    }
    free = now;
    now = now < ahead ? now + 1 : 0;
  }
  for (int r = 0; r < P::THREAD_ROWS; r++)
    for (int c = 0; c < P::THREAD_COLUMNS; c++) {
      const int i = blockIdx.y * P::ROWS + row + r / 4 * 16 + r % 4;
      const int j = blockIdx.x * P::COLUMNS + column + c / 4 * 32 + c % 4;
      if (i < m && j < n) d_c[(size_t)i * n + j] = sum[r][c];
    }
}

template <class P, int WIDTH>
static cudaError_t launch(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  const auto kernel = pipeline_kernel<P, WIDTH>;
  const size_t shared_bytes = P::STAGES * sizeof(tile<P>); /* above 48 KB only when asked for */
  const cudaError_t error =
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared_bytes);
  if (error) return error;
  const dim3 grid(ceil_div(n, P::COLUMNS), ceil_div(m, P::ROWS));
  kernel<<<grid, P::BLOCK, shared_bytes>>>(d_a, d_b, d_c, m, n, k);
  return cudaGetLastError();
}

template <class P>
static cudaError_t pipelined(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  if (m == 0 || n == 0) return cudaSuccess;
  const bool aligned = n % 4 == 0 && (size_t)d_b % 16 == 0; /* every row of B begins at 16 bytes */
  return aligned ? launch<P, 4>(d_a, d_b, d_c, m, n, k) : launch<P, 1>(d_a, d_b, d_c, m, n, k);
}

typedef plan<128, 128, 8, 8, 8, 1> wide;
typedef plan<128, 128, 8, 8, 8, 2> doubled;
typedef plan<128, 128, 8, 8, 16, 3> large;
typedef plan<64, 128, 8, 8, 16, 3> middle;
typedef plan<64, 64, 8, 4, 16, 4> small;
typedef plan<32, 64, 4, 4, 16, 4> smallest;

/* Whether the plan's blocks occupy at least three quarters of the multiprocessors. */
template <class P> static bool fills(int m, int n, int multiprocessors) {
  return 4LL * ceil_div(m, P::ROWS) * ceil_div(n, P::COLUMNS) >= 3LL * multiprocessors;
}
// #endregion task-further

cudaError_t matmul_fast(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  // #region task-further
  //: return cudaSuccess;
  /* The largest tiles that give enough blocks: an idle multiprocessor costs more than a smaller tile. */
  int device, multiprocessors;
  cudaError_t error = cudaGetDevice(&device);
  if (!error) error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  if (error) return error;
  if (fills<large>(m, n, multiprocessors)) return pipelined<large>(d_a, d_b, d_c, m, n, k);
  if (fills<middle>(m, n, multiprocessors)) return pipelined<middle>(d_a, d_b, d_c, m, n, k);
  if (fills<small>(m, n, multiprocessors)) return pipelined<small>(d_a, d_b, d_c, m, n, k);
  return pipelined<smallest>(d_a, d_b, d_c, m, n, k);
  // #endregion task-further
}

const matmul_stage matmul_stages[] = {
    {"uncoalesced", "a thread for each element, a warp down a column", "any", matmul_uncoalesced},
    {"naive", "a warp along a row", "any", matmul_naive},
    {"tiled16", "tiles of 16 x 16 in shared memory", "any", matmul_tiled},
    // #region task-further
    {"tiled32", "tiles of 32 x 32", "any", tiled<float, 32>},
    {"square", "8 x 8 elements a thread", "any", matmul_square},
    {"wide", "operands four at a time, A transposed in shared memory", "any", pipelined<wide>},
    {"doubled", "the next tile is copied while this one is used", "any", pipelined<doubled>},
    // #endregion task-further
    {"fast", "tiles of 16 terms, as large as the matrix allows", "any", matmul_fast},
    {NULL, NULL, NULL, NULL}};
