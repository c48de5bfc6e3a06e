/*
 * lesson07, matmul: one product, C = A * B, from the plainest kernel to one as fast as the library's.
 *
 * A product of n x m x k takes 2nmk floating-point operations on only nk + km + nm numbers. So every number
 * is used hundreds of times, and what decides the speed is where it comes from each time: memory, shared
 * memory or a register. Each rung below moves one use in so many one step closer. What an H200's
 * multiprocessor does in a clock: 128 fused multiply-adds, 128 bytes out of shared memory (one "wavefront"),
 * 4 instructions. 132 of them at 1.98 GHz are 66.9 TFLOP/s at most; the predictions count what each rung
 * needs beside its multiply-adds.
 *
 * matmul.h has the contract. Shapes: A (n, k), B (k, m), C (n, m), all row by row; i counts rows of C, j
 * columns, l the sum's terms.
 */
#include "matmul.h"
#ifdef CUCC /* the CPU backend, where a copy is done at once */
static __device__ void __pipeline_commit() {}
static __device__ void __pipeline_wait_prior(int) {}
#else
#include <cuda_pipeline.h>
#endif

#define THREADS 256

static int blocks_for(int n, int per_block) { return (int)(((long long)n + per_block - 1) / per_block); }

/* ---- Rung 0: uncoalesced ---- */

/*
 * One thread for each element; neighbouring threads take neighbouring ROWS. Each multiply-add loads 8 bytes
 * for its 2 operations, 4 bytes a flop, and a warp's 32 loads of A lie in 32 different rows: 32 sectors of 32
 * bytes for 128 bytes.
 */
static __global__ void uncoalesced_kernel(const float *d_a, const float *d_b, float *d_c, int n, int m,
                                          int k) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= m) return;
  float sum = 0;
  for (int l = 0; l < k; l++) sum += d_a[(size_t)i * k + l] * d_b[(size_t)l * m + j];
  d_c[(size_t)i * m + j] = sum;
}

cudaError_t matmul_uncoalesced(const float *d_a, const float *d_b, float *d_c, int n, int m, int k) {
  if (n == 0 || m == 0) return cudaSuccess;
  const dim3 grid(blocks_for(n, 32), blocks_for(m, 8)), block(32, 8);
  uncoalesced_kernel<<<grid, block>>>(d_a, d_b, d_c, n, m, k);
  return cudaGetLastError();
}

/* ---- Rung 1: coalesced ---- */

// #region task-1
/*
 * Changed: neighbouring threads take neighbouring COLUMNS. A warp's loads of B are 128 bytes in a row, 4
 * sectors; its loads of A are one address for all. Still 4 bytes a flop, out of the L1 cache: two wavefronts
 * for 32 multiply-adds, predicted 132 * 1.98 GHz * 32 flops = 8.4 TFLOP/s at most, less what the cache
 * misses.
 */
static __global__ void naive_kernel(const float *d_a, const float *d_b, float *d_c, int n, int m, int k) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= m) return;
  float sum = 0;
  for (int l = 0; l < k; l++) sum += d_a[(size_t)i * k + l] * d_b[(size_t)l * m + j];
  d_c[(size_t)i * m + j] = sum;
}
// #endregion task-1

cudaError_t matmul_naive(const float *d_a, const float *d_b, float *d_c, int n, int m, int k) {
  // #region task-1
  if (n == 0 || m == 0) return cudaSuccess;
  const dim3 grid(blocks_for(m, 32), blocks_for(n, 8)), block(32, 8);
  naive_kernel<<<grid, block>>>(d_a, d_b, d_c, n, m, k);
  return cudaGetLastError();
  // #endregion task-1
}

/* ---- Rungs 2 and 3: tiles in shared memory ---- */

// #region task-2
/*
 * Changed: the block fetches a TILE x TILE piece of A and of B once, and each number is used TILE times from
 * shared memory: 4/TILE bytes a flop from the caches, 1/4 for TILE = 16. Shared memory still serves every
 * operand, so the 8.4 TFLOP/s remain the limit, but now they are reached; a little more as four of A's values
 * come in one load.
 */
template <typename T, int TILE>
static __global__ void tiled_kernel(const T *d_a, const T *d_b, T *d_c, int n, int m, int k) {
  __shared__ T a_tile[TILE][TILE], b_tile[TILE][TILE];
  const int x = threadIdx.x, y = threadIdx.y, j = blockIdx.x * TILE + x, i = blockIdx.y * TILE + y;
  T sum = 0;
  for (int l0 = 0; l0 < k; l0 += TILE) {
    a_tile[y][x] =
        i < n && l0 + x < k ? d_a[(size_t)i * k + l0 + x] : 0; /* beyond the edge: zeros add nothing */
    b_tile[y][x] = j < m && l0 + y < k ? d_b[(size_t)(l0 + y) * m + j] : 0;
    __syncthreads(); /* the tiles are complete */
    for (int l = 0; l < TILE; l++) sum += a_tile[y][l] * b_tile[l][x];
    __syncthreads(); /* nobody reads them any more */
  }
  if (i < n && j < m) d_c[(size_t)i * m + j] = sum;
}

template <typename T, int TILE>
static cudaError_t tiled(const T *d_a, const T *d_b, T *d_c, int n, int m, int k) {
  if (n == 0 || m == 0) return cudaSuccess;
  const dim3 grid(blocks_for(m, TILE), blocks_for(n, TILE)), block(TILE, TILE);
  tiled_kernel<T, TILE><<<grid, block>>>(d_a, d_b, d_c, n, m, k);
  return cudaGetLastError();
}
// #endregion task-2

cudaError_t matmul_tiled(const float *d_a, const float *d_b, float *d_c, int n, int m, int k) {
  // #region task-2
  return tiled<float, 16>(d_a, d_b, d_c, n, m, k);
  // #endregion task-2
}

cudaError_t matmul_tiled_double(const double *d_a, const double *d_b, double *d_c, int n, int m, int k,
                                int tile) {
  // #region task-3
  if (tile == 16) return tiled<double, 16>(d_a, d_b, d_c, n, m, k);
  if (tile == 32) return tiled<double, 32>(d_a, d_b, d_c, n, m, k);
  return cudaErrorInvalidValue;
  // #endregion task-3
}

// #region task-further
/* ---- Rung 4: a column of 8 elements in each thread ---- */

/*
 * Changed: a thread keeps 8 elements of C, one below the other, in registers. One value of B serves 8
 * multiply-adds: 1 + 8 loads from shared memory for 8 of them instead of 16; four of A's come in one load, so
 * 3 wavefronts. Predicted 2/(3/8) = 5 times rung 3; the tile of 64 x 64 asks the caches for 1/16 byte a flop.
 */
static __global__ void __launch_bounds__(512)
    column_kernel(const float *d_a, const float *d_b, float *d_c, int n, int m, int k) {
  __shared__ float a_tile[64][8], b_tile[8][64];
  const int t = threadIdx.x, i0 = blockIdx.y * 64, j = blockIdx.x * 64 + t % 64, first = t / 64 * 8;
  float sum[8] = {0};
  for (int l0 = 0; l0 < k; l0 += 8) {
    const int i = i0 + t / 8, la = l0 + t % 8, lb = l0 + t / 64;
    a_tile[t / 8][t % 8] = i < n && la < k ? d_a[(size_t)i * k + la] : 0;
    b_tile[t / 64][t % 64] = j < m && lb < k ? d_b[(size_t)lb * m + j] : 0;
    __syncthreads();
    for (int l = 0; l < 8; l++) {
      const float b = b_tile[l][t % 64];
      for (int r = 0; r < 8; r++) sum[r] += a_tile[first + r][l] * b;
    }
    __syncthreads();
  }
  for (int r = 0; r < 8; r++)
    if (i0 + first + r < n && j < m) d_c[(size_t)(i0 + first + r) * m + j] = sum[r];
}

static cudaError_t matmul_column(const float *d_a, const float *d_b, float *d_c, int n, int m, int k) {
  if (n == 0 || m == 0) return cudaSuccess;
  column_kernel<<<dim3(blocks_for(m, 64), blocks_for(n, 64)), 512>>>(d_a, d_b, d_c, n, m, k);
  return cudaGetLastError();
}

/* ---- Rung 5: a square of 8 x 8 elements in each thread ---- */

/* sum += a * b, a column times a row: ROWS * COLUMNS multiply-adds for ROWS + COLUMNS operands. Every other
 * row goes backwards, so that neighbouring instructions share two of their three operands and the register
 * file is read less. */
template <bool SNAKE = false, int ROWS, int COLUMNS>
static __device__ void outer_product(float (&sum)[ROWS][COLUMNS], const float (&a)[ROWS],
                                     const float (&b)[COLUMNS]) {
#pragma unroll
  for (int r = 0; r < ROWS; r++)
#pragma unroll
    for (int s = 0; s < COLUMNS; s++) {
      const int c = SNAKE && r % 2 ? COLUMNS - 1 - s : s;
      sum[r][c] += a[r] * b[c];
    }
}

/*
 * Changed: 8 x 8 elements a thread, so 8 + 8 values from shared memory serve 64 multiply-adds, 1/4 byte a
 * flop... and a tile of 128 x 128 asks the caches for 1/32. Of the instructions 64 of 80 are multiply-adds
 * now: predicted at most 0.8 * 66.9 = 53 TFLOP/s. A thread's rows and columns lie 16 apart, so that
 * neighbouring threads read neighbouring banks.
 */
static __global__ void __launch_bounds__(THREADS)
    square_kernel(const float *d_a, const float *d_b, float *d_c, int n, int m, int k) {
  __shared__ float a_tile[128][8], b_tile[8][128];
  const int t = threadIdx.x, x = t % 16, y = t / 16, i0 = blockIdx.y * 128, j0 = blockIdx.x * 128;
  float sum[8][8] = {{0}};
  for (int l0 = 0; l0 < k; l0 += 8) {
    for (int r = t / 8; r < 128; r += THREADS / 8) {
      const int i = i0 + r, l = l0 + t % 8;
      a_tile[r][t % 8] = i < n && l < k ? d_a[(size_t)i * k + l] : 0;
    }
    for (int r = t / 128; r < 8; r += THREADS / 128) {
      const int l = l0 + r, j = j0 + t % 128;
      b_tile[r][t % 128] = l < k && j < m ? d_b[(size_t)l * m + j] : 0;
    }
    __syncthreads();
    for (int l = 0; l < 8; l++) {
      float a[8], b[8];
      for (int r = 0; r < 8; r++) a[r] = a_tile[y + 16 * r][l], b[r] = b_tile[l][x + 16 * r];
      outer_product(sum, a, b);
    }
    __syncthreads();
  }
  for (int r = 0; r < 8; r++)
    for (int c = 0; c < 8; c++) {
      const int i = i0 + y + 16 * r, j = j0 + x + 16 * c;
      if (i < n && j < m) d_c[(size_t)i * m + j] = sum[r][c];
    }
}

static cudaError_t matmul_square(const float *d_a, const float *d_b, float *d_c, int n, int m, int k) {
  if (n == 0 || m == 0) return cudaSuccess;
  square_kernel<<<dim3(blocks_for(m, 128), blocks_for(n, 128)), THREADS>>>(d_a, d_b, d_c, n, m, k);
  return cudaGetLastError();
}

/* ---- Rungs 6 to 9: wide loads, copies in the background, warp tiles, more elements a thread ---- */

/*
 * One kernel from here on; a rung is a `plan`, below. Changed, rung by rung, with the instructions of a warp
 * for each of the sum's terms:
 *
 *   6 wide      A lies transposed in shared memory, so operands come 16 bytes at a time: 64 multiply-adds and
 * 4 loads instead of 64 and 16. Predicted: at most 64 / 68 of the ceiling by instructions; but every tile is
 *               waited for.
 *   7 doubled   while a tile is used, the next one is copied, past the registers (cp.async). Predicted: the
 * wait is gone, for as long as a tile's 64 * 8 * 16 / 4 = 2048 clocks are longer than memory's 600 or so. 8
 * warps     a warp covers 32 x 64 elements, no longer 16 x 128: 96 values a term instead of 144, so 2/3 of
 * the wavefronts: about 6 for 64 multiply-adds. 9 fast      16 x 8 elements a thread: 128 multiply-adds and 6
 * loads a term, at most 128 / 134 of the ceiling; a tile of 128 x 256 asks the caches for 1/43 byte a
 * flop, 1.2 TB/s at 51 TFLOP/s; three stages, lanes in pairs, blocks in groups.
 *
 * The instructions around a tile (copies, addresses, barrier) are some 50 for 1024 multiply-adds.
 */

/* Terms of the sum in a tile. A tile of A is kept transposed, so that a thread's rows lie side by side and
 * come four at a time; 4 floats of padding a row keep the transposing stores, 4 rows x 8 terms of a warp, in
 * 32 different banks. */
#define PADDING 4

/* Knobs, for the tuning only. */
#define PREFETCH    1 /* operands of the next term are loaded before this one's multiply-adds */
#define SERPENTINE  2
#define INTERLEAVED 4 /* order of lanes */
#define WIDE        8 /* C is stored 16 bytes at a time */

/*
 * What a version is made of: a block computes ROWS x COLUMNS elements of C, a thread THREAD_ROWS x
 * THREAD_COLUMNS; a warp's threads stand LANE_ROWS under each other and 32 / LANE_ROWS beside each other.
 * STAGES tiles are in shared memory, one being used, the others on their way.
 */
template <int ROWS_, int COLUMNS_, int THREAD_ROWS_, int THREAD_COLUMNS_, int LANE_ROWS_, int STAGES_,
          int DEPTH_ = 8, int KNOBS_ = PREFETCH + SERPENTINE + INTERLEAVED, int GROUP_ = 8>
struct plan {
  static constexpr int KNOBS = KNOBS_, DEPTH = DEPTH_, GROUP = GROUP_;
  static constexpr int ROWS = ROWS_, COLUMNS = COLUMNS_, STAGES = STAGES_;
  static constexpr int THREAD_ROWS = THREAD_ROWS_, THREAD_COLUMNS = THREAD_COLUMNS_;
  static constexpr int LANE_ROWS = LANE_ROWS_, LANE_COLUMNS = 32 / LANE_ROWS_;
  static constexpr int WARP_ROWS = THREAD_ROWS * LANE_ROWS, WARP_COLUMNS = THREAD_COLUMNS * LANE_COLUMNS;
  static constexpr int BLOCK = 32 * (ROWS / WARP_ROWS) * (COLUMNS / WARP_COLUMNS); /* threads */
  /* blocks that a multiprocessor holds at one time, in its 65536 registers: what the compiler may use follows
   */
  static constexpr int ELEMENTS = THREAD_ROWS * THREAD_COLUMNS;
  static constexpr int RESIDENT = (ELEMENTS <= 16 ? 1024 : ELEMENTS <= 64 ? 512 : 256) / BLOCK;
  static_assert(ROWS % WARP_ROWS == 0 && COLUMNS % WARP_COLUMNS == 0, "a block is made of whole warps");
  static_assert(THREAD_ROWS % 4 == 0 && THREAD_COLUMNS % 4 == 0, "a thread loads 4 values at a time");
};

/* One stage: P::DEPTH columns of A, transposed, and P::DEPTH rows of B. */
template <class P> struct tiles {
  float a[P::DEPTH][P::ROWS + PADDING];
  float b[P::DEPTH][P::COLUMNS];
};

/* WIDTH floats, both addresses multiples of that, copied in the background. */
template <int WIDTH> static __device__ void copy(float *to, const float *from) {
#ifdef CUCC
  for (int w = 0; w < WIDTH; w++) to[w] = from[w];
#else
  __pipeline_memcpy_async(to, from, WIDTH * sizeof(float));
#endif
}

/*
 * Where a thread's share of the next tiles comes from. Rows of A and columns of B beyond the matrices' last
 * are copied from the last: they spoil only elements of C that nobody stores, and the copies need no guard.
 */
template <class P, int WIDTH> struct source {
  static constexpr int A_STEP = P::BLOCK / P::DEPTH,
                       A_COPIES = P::ROWS / A_STEP; /* rows of A in one go; goes */
  static constexpr int B_WIDTH = P::COLUMNS / WIDTH, B_STEP = P::BLOCK / B_WIDTH,
                       B_COPIES = P::DEPTH / B_STEP;
  static_assert(P::BLOCK % P::DEPTH == 0 && P::ROWS % A_STEP == 0, "each thread copies as much of A");
  static_assert(P::BLOCK % B_WIDTH == 0 && P::DEPTH % B_STEP == 0, "each thread copies as much of B");
  const float *a[A_COPIES], *b;

  __device__ source(const float *d_a, const float *d_b, int i0, int j0, int n, int m, int k) {
    const int t = threadIdx.x;
#pragma unroll
    for (int s = 0; s < A_COPIES; s++)
      a[s] = d_a + (size_t)min(i0 + t / P::DEPTH + s * A_STEP, n - 1) * k + t % P::DEPTH;
    b = d_b + (size_t)(t / B_WIDTH) * m + min(j0 + t % B_WIDTH * WIDTH, m - WIDTH);
  }

  /* Queues the copies of the next `terms` terms. ALL: they fill the tile; else zeros stand in for the missing
   * ones. */
  template <bool ALL> __device__ void copy_to(tiles<P> &to, int terms, int m) {
    const int la = threadIdx.x % P::DEPTH, row = threadIdx.x / P::DEPTH;
    const int lb = threadIdx.x / B_WIDTH, column = threadIdx.x % B_WIDTH * WIDTH;
    const float *from = b;
#pragma unroll
    for (int s = 0; s < A_COPIES; s++) {
      if (ALL || la < terms)
        copy<1>(&to.a[la][row + s * A_STEP], a[s]);
      else
        to.a[la][row + s * A_STEP] = 0;
      a[s] += terms;
    }
#pragma unroll
    for (int s = 0; s < B_COPIES; s++, from += (size_t)B_STEP * m) {
      if (ALL || lb + s * B_STEP < terms)
        copy<WIDTH>(&to.b[lb + s * B_STEP][column], from);
      else
        for (int w = 0; w < WIDTH; w++) to.b[lb + s * B_STEP][column + w] = 0;
    }
    b += (size_t)terms * m;
  }
};

/* The operands of term l: THREAD_ROWS of A from row, THREAD_COLUMNS of B from column; in fours, which a
 * warp's threads take in turn. */
template <class P>
static __device__ void load_operands(const tiles<P> &from, int l, int row, int column,
                                     float (&a)[P::THREAD_ROWS], float (&b)[P::THREAD_COLUMNS]) {
#pragma unroll
  for (int r = 0; r < P::THREAD_ROWS; r += 4)
    *(float4 *)&a[r] = *(const float4 *)&from.a[l][row + r * P::LANE_ROWS];
#pragma unroll
  for (int c = 0; c < P::THREAD_COLUMNS; c += 4)
    *(float4 *)&b[c] = *(const float4 *)&from.b[l][column + c * P::LANE_COLUMNS];
}

/* The block's first row and column. Blocks start about in the order of their numbers: GROUP rows of blocks go
 * together, column by column, so that those that run at one time need few rows of A and few columns of B, out
 * of the L2 cache. */
template <class P> static __device__ int2 place_of_block(int n, int m) {
  const int down = (n + P::ROWS - 1) / P::ROWS, across = (m + P::COLUMNS - 1) / P::COLUMNS;
  const int first = blockIdx.x / (P::GROUP * across) * P::GROUP, height = min(P::GROUP, down - first);
  const int inside = blockIdx.x % (P::GROUP * across);
  return make_int2((first + inside % height) * P::ROWS, inside / height * P::COLUMNS);
}

template <class P, int WIDTH>
static __device__ void store(float *d_c, const float (&sum)[P::THREAD_ROWS][P::THREAD_COLUMNS], int i0,
                             int j0, int n, int m) {
#pragma unroll
  for (int r = 0; r < P::THREAD_ROWS; r++) {
    const int i = i0 + r / 4 * 4 * P::LANE_ROWS + r % 4;
#pragma unroll
    for (int c = 0; c < P::THREAD_COLUMNS; c += WIDTH) {
      const int j = j0 + c / 4 * 4 * P::LANE_COLUMNS + c % 4;
      if (i >= n || j >= m) continue;
      float *to = &d_c[(size_t)i * m + j];
      if (WIDTH == 4)
        *(float4 *)to = make_float4(sum[r][c], sum[r][c + 1], sum[r][c + 2], sum[r][c + 3]);
      else
        *to = sum[r][c];
    }
  }
}

template <class P, int WIDTH>
static __global__ void __launch_bounds__(P::BLOCK, P::RESIDENT)
    pipeline_kernel(const float *d_a, const float *d_b, float *d_c, int n, int m, int k) {
  extern __shared__ float4 shared[];
  tiles<P> *const stage = (tiles<P> *)shared;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, across = P::COLUMNS / P::WARP_COLUMNS;
  constexpr int pairs = P::KNOBS & INTERLEAVED ? 2 : 1; /* lanes under each other before one stands beside */
  const int lane_row = lane / (pairs * P::LANE_COLUMNS) * pairs + lane % pairs,
            lane_column = lane / pairs % P::LANE_COLUMNS;
  const int row = warp / across * P::WARP_ROWS + 4 * lane_row;
  const int column = warp % across * P::WARP_COLUMNS + 4 * lane_column;
  const int2 place = place_of_block<P>(n, m);
  const int count =
      (k + P::DEPTH - 1) / P::DEPTH; /* tiles; the first has what the others, all full, leave over */
  source<P, WIDTH> from(d_a, d_b, place.x, place.y, n, m, k);
  float sum[P::THREAD_ROWS][P::THREAD_COLUMNS] = {{0}};

  from.template copy_to<false>(stage[0], k - (count - 1) * P::DEPTH, m);
  __pipeline_commit();
  for (int t = 1; t < P::STAGES - 1; t++) {
    if (t < count) from.template copy_to<true>(stage[t], P::DEPTH, m);
    __pipeline_commit();
  }
  int now = 0, free = P::STAGES - 1; /* the stage being used, and the one that was used before */
  if constexpr (P::KNOBS & PREFETCH) {
    float a[2][P::THREAD_ROWS], b[2][P::THREAD_COLUMNS];
    __pipeline_wait_prior(P::STAGES - 2);
    __syncthreads();
    load_operands<P>(stage[0], 0, row, column, a[0], b[0]);
    for (int t = 0; t < count; t++) {
      const int next = now + 1 < P::STAGES ? now + 1 : 0;
#pragma unroll
      for (int l = 0; l < P::DEPTH; l++) {
        if (l < P::DEPTH - 1)
          load_operands<P>(stage[now], l + 1, row, column, a[(l + 1) % 2], b[(l + 1) % 2]);
        else if (t + 1 < count) {
          __pipeline_wait_prior(P::STAGES - 2);
          __syncthreads();
          load_operands<P>(stage[next], 0, row, column, a[(l + 1) % 2], b[(l + 1) % 2]);
        }
        if (l == 0) {
          if (t + P::STAGES - 1 < count) from.template copy_to<true>(stage[free], P::DEPTH, m);
          __pipeline_commit();
        }
        outer_product<(P::KNOBS & SERPENTINE) != 0>(sum, a[l % 2], b[l % 2]);
      }
      free = now;
      now = next;
    }
  } else {
    for (int t = 0; t < count; t++) {
      __pipeline_wait_prior(P::STAGES > 1 ? P::STAGES - 2 : 0);
      __syncthreads(); /* the tile is there, and nobody uses the one before it any more */
      if (P::STAGES > 1) {
        if (t + P::STAGES - 1 < count) from.template copy_to<true>(stage[free], P::DEPTH, m);
        __pipeline_commit();
      }
#pragma unroll
      for (int l = 0; l < P::DEPTH; l++) {
        float a[P::THREAD_ROWS], b[P::THREAD_COLUMNS];
        load_operands<P>(stage[now], l, row, column, a, b);
        outer_product<(P::KNOBS & SERPENTINE) != 0>(sum, a, b);
      }
      if (P::STAGES == 1) {
        __syncthreads();
        if (t + 1 < count) from.template copy_to<true>(stage[0], P::DEPTH, m);
        __pipeline_commit();
      }
      free = now;
      now = now + 1 < P::STAGES ? now + 1 : 0;
    }
  }
  store<P, P::KNOBS & WIDE ? WIDTH : 1>(d_c, sum, place.x + row, place.y + column, n, m);
}

template <class P, int WIDTH>
static cudaError_t launch(const float *d_a, const float *d_b, float *d_c, int n, int m, int k) {
  const int blocks = blocks_for(n, P::ROWS) * blocks_for(m, P::COLUMNS);
  const size_t shared_bytes = P::STAGES * sizeof(tiles<P>);
  const auto kernel = pipeline_kernel<P, WIDTH>;
  if (shared_bytes > 48 * 1024) { /* more than that is given only when asked for */
    const cudaError_t error =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes);
    if (error) return error;
  }
  kernel<<<blocks, P::BLOCK, shared_bytes>>>(d_a, d_b, d_c, n, m, k);
  return cudaGetLastError();
}

template <class P>
static cudaError_t pipelined(const float *d_a, const float *d_b, float *d_c, int n, int m, int k) {
  if (n == 0 || m == 0) return cudaSuccess;
  if (k == 0) return cudaMemsetAsync(d_c, 0, (size_t)n * m * sizeof(float));
  const bool wide = m % 4 == 0 && (size_t)d_b % 16 == 0 && (size_t)d_c % 16 == 0;
  return wide ? launch<P, 4>(d_a, d_b, d_c, n, m, k) : launch<P, 1>(d_a, d_b, d_c, n, m, k);
}

typedef plan<128, 128, 8, 8, 2, 1, 8, 0> wide_loads;
typedef plan<128, 128, 8, 8, 2, 2, 8, PREFETCH> double_buffered;
typedef plan<128, 128, 8, 8, 4, 2> warp_tiles;
typedef plan<128, 256, 16, 8, 4, 3> large;
typedef plan<128, 128, 16, 8, 4, 4> middle;
typedef plan<64, 64, 8, 8, 4, 4> small;
// #endregion task-further

cudaError_t matmul_fast(const float *d_a, const float *d_b, float *d_c, int n, int m, int k) {
  // #region task-further
  const long long elements = (long long)n * m;
  if (elements <= 1024 * 1024) return pipelined<small>(d_a, d_b, d_c, n, m, k);
  return pipelined<large>(d_a, d_b, d_c, n, m, k);
  // #endregion task-further
}

/* ---- The ladder ---- */

static cudaError_t matmul_tiled_32(const float *d_a, const float *d_b, float *d_c, int n, int m, int k) {
  return tiled<float, 32>(d_a, d_b, d_c, n, m, k);
}

const matmul_stage matmul_stages[] = {
    {"uncoalesced", "a thread for each element, a warp down a column", "any", matmul_uncoalesced},
    {"naive", "a warp along a row", "any", matmul_naive},
    {"tiled16", "tiles of 16 x 16 in shared memory", "any", matmul_tiled},
    {"tiled32", "tiles of 32 x 32", "any", matmul_tiled_32},
    {"column", "8 elements a thread, in registers", "any", matmul_column},
    {"square", "8 x 8 elements a thread", "any", matmul_square},
    {"wide", "16-byte loads, A transposed in shared memory", "any", pipelined<wide_loads>},
    {"doubled", "the next tile is copied while this one is used", "any", pipelined<double_buffered>},
    {"warps", "a warp's threads stand in a rectangle", "any", pipelined<warp_tiles>},
    {"fast", "16 x 8 elements a thread, three stages", "any", matmul_fast},
    {NULL, NULL, NULL, NULL}};
