/*
 * lesson07, matmul: one product, C = A * B, from the plainest kernel to one as fast as the library.
 *
 * A product of m x n x k takes 2mnk floating-point operations on only mk + kn + mn numbers. So every number
 * is used hundreds of times, and the place it is read from each time decides the speed: memory, shared memory
 * or a register. Each rung of the ladder brings it one step closer. In a clock a multiprocessor of an H100
 * does 128 multiply-adds, loads 128 bytes from the L1 cache or shared memory (one "wavefront"), and issues 4
 * instructions of a warp; 132 of them at 1.98 GHz do 66.9 TFLOP/s at most. The predictions follow from that;
 * the measured figures are TFLOP/s of an H100 at m = n = k = 4096, many calls in a row, where cuBLAS reached
 * 49.15 (results/2026-11-26-nvidia-h100/ladder07.md).
 *
 * Shapes: A is m x k, B is k x n, C is m x n, all row by row; i counts rows of C, j its columns, p the terms
 * of a sum.
 */
#include "matmul.h"
// #region task-further
#include <cuda_pipeline.h>
#include <math.h>
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
 * Predicted 8.4 if the L1 cache held all of it; measured 5.96. */
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
 * at most, less the wait for each pair of tiles; measured 8.15 and, with tiles of 32, 8.88.
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

/* sum += a * b, a column times a row. Every other column goes upwards: neighbouring multiply-adds then share
 * an operand, and the register file is read less. It has two banks, and each delivers one operand a clock; a
 * multiply-add needs three, and one of them is still there from the multiply-add before. */
template <int ROWS, int COLUMNS>
static __device__ void outer_product(float (&sum)[ROWS][COLUMNS], const float (&a)[ROWS],
                                     const float (&b)[COLUMNS]) {
#pragma unroll
  for (int c = 0; c < COLUMNS; c++)
#pragma unroll
    for (int s = 0; s < ROWS; s++) {
      const int r = c % 2 ? ROWS - 1 - s : s;
      sum[r][c] += a[r] * b[c];
    }
}

/*
 * Changed: 8 x 8 elements a thread, so 8 + 8 values serve 64 multiply-adds; with a tile of 128 x 128 the
 * caches deliver 1/16 byte a multiply-add. The 16 loads from shared memory take as long as the multiply-adds,
 * 16 clocks: predicted half of the ceiling if they take turns, all of it if they overlap; measured 26.77.
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

/* ---- Rungs 5 to 10: wide loads, copies in the background, operands ahead of their use, shared terms ---- */

/* A warp's lanes are arranged in 4 rows of 8, with 8 rows of C in each. */
#define WARP_ROWS 32

/*
 * One kernel for all of these rungs; a `plan` says what a rung is made of. Changed from rung to rung:
 *
 *   wide     A tile of A is stored transposed, so a thread's operands are contiguous and it loads four at
 *            a time: 4 loads for 64 multiply-adds, no longer 16. And a warp covers 32 x 64 elements of C, no
 *            longer 16 x 128: 96 numbers a term instead of 144. Blocks have 4 warps, no longer 8, so four of
 *            them share a multiprocessor, and while one waits at a barrier, three compute. Predicted 64 / 68
 *            of the ceiling by the instructions, less the wait for each tile; measured 45.32.
 *   doubled  While a tile is used the next one is copied, from memory straight into shared memory (cp.async).
 *            16 warps work 2048 clocks on a tile; memory answers in some 600. Predicted: no wait;
 *            measured 47.21.
 *   ahead    A term's operands are loaded while the term before it is computed, so no multiply-add waits
 *            for shared memory; tiles of 16 terms, half as many barriers. Of 100 instructions in the loop 89
 *            are multiply-adds: predicted 0.89 of the ceiling at most; measured 50.33.
 *   sixteen  8 x 16 elements a thread, in tiles of 128 x 256: 6 loads serve 128 multiply-adds, no longer 4 of
 *            them 64, and the caches deliver half as much for each multiply-add. One such block fills the
 *            registers of a multiprocessor. A tile has 8 terms, for with 16 the loop's instructions do not
 *            fit in their cache. Of 100 instructions in it 91 are multiply-adds. Predicted, by the model of
 *            `clocks` below, 1.03 x as fast as ahead; measured 51.30.
 *   halves   A matrix of 1024 x 1024 has only 128 such tiles, 4 warps for each multiprocessor. Here two
 *            groups of 4 warps share a tile: each computes half of the terms, and in the end the groups' sums
 *            are added, always in the same order, so that every run gives the same result. Predicted, by the
 *            same model, 1.10 x as fast as ahead at 1024, where that measured 39.72; measured
 *            40.86. With tiles enough it only costs: measured 48.43.
 *   eighths  A tile is as small as one warp's part, 32 x 64, and 8 warps share its terms: 4 times as many
 *            tiles, for the smallest products. But each number that is copied is used less often, 32 or 64
 *            times, no longer 64 or 128 times. Predicted 1.98 x as fast as ahead at 1024 x 512 x 2048, where
 *            that measured 20.52; measured 38.93. With tiles enough: measured 44.19.
 */
template <int TILE_ROWS, int TILE_COLUMNS, int THREAD_COLUMNS, int WARP_GROUPS, int TERMS, int PLACES,
          int RESIDENT, bool EARLY>
struct plan {
  static constexpr int ROWS = TILE_ROWS, COLUMNS = TILE_COLUMNS;       /* of C, in a block */
  static constexpr int EACH = THREAD_COLUMNS, WARP_COLUMNS = 8 * EACH; /* in a thread, in a warp */
  static constexpr int GROUPS = WARP_GROUPS;                           /* of warps, which share the terms */
  static constexpr int GROUP = 32 * (ROWS / WARP_ROWS) * (COLUMNS / WARP_COLUMNS), BLOCK = GROUP * GROUPS;
  static constexpr int DEPTH = TERMS, SHARE = DEPTH / GROUPS; /* terms in a tile; a group's share of them */
  static constexpr int STAGES = PLACES, BLOCKS = RESIDENT; /* tiles in a block; blocks on a multiprocessor */
  static constexpr bool AHEAD = EARLY;                     /* operands are loaded a term before their use */
  static_assert(ROWS % WARP_ROWS == 0 && COLUMNS % WARP_COLUMNS == 0, "a group is made of whole warps");
  static_assert(DEPTH % 8 == 0, "a row of A is copied 8 terms, 32 bytes, at a time");
  static_assert(SHARE % 2 == 0 || !AHEAD, "terms take turns with two sets of operands");
  static_assert(STAGES > 1 || !AHEAD, "the next tile must be there before the last term of this one");
};

typedef plan<64, 128, 8, 1, 8, 1, 4, false> wide;
typedef plan<64, 128, 8, 1, 8, 2, 4, false> doubled;
typedef plan<64, 128, 8, 1, 16, 3, 4, true> ahead;
typedef plan<128, 256, 16, 1, 8, 4, 1, true> sixteen;
typedef plan<64, 128, 8, 2, 32, 3, 2, true> halves;
typedef plan<32, 64, 8, 8, 64, 3, 2, true> eighths;

/* One stage: a piece of A, transposed, and one of B. A warp copies 4 rows by 8 terms of A at a time; the
 * padding keeps its 32 stores in 32 different banks. */
template <class P> struct tile {
  float a[P::DEPTH][P::ROWS + 4];
  float b[P::DEPTH][P::COLUMNS];
};

/* Numbers that a group's sums take, with two unused ones in each row. */
template <class P> static constexpr int SUMS = P::ROWS *(P::COLUMNS + 2);

/* Shared memory of a block: first the tiles, in the end the sums of all groups. */
template <class P> static constexpr size_t shared_bytes(void) {
  const size_t tiles = P::STAGES * sizeof(tile<P>), sums = sizeof(float) * P::GROUPS * SUMS<P>;
  return tiles > sums ? tiles : sums;
}

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
  const int n, a_row, a_term, b_term, b_column;
  const float *a[A_COPIES], *b;
  int left; /* tiles that are not queued yet; below 0: queue() was called so often after the last one */

  __device__ source(const float *d_a, const float *d_b, int m, int n, int k)
      : n(n), a_row(threadIdx.x / 8), a_term(threadIdx.x % 8), b_term(threadIdx.x / B_ACROSS),
        b_column(threadIdx.x % B_ACROSS * WIDTH), left(k / P::DEPTH + (k % P::DEPTH > 0)) {
    const int i = blockIdx.y * P::ROWS + a_row, j = blockIdx.x * P::COLUMNS + b_column, p = -missing(k);
#pragma unroll
    for (int s = 0; s < A_COPIES; s++) a[s] = d_a + (ptrdiff_t)min(i + s * A_STEP, m - 1) * k + p + a_term;
    b = d_b + (ptrdiff_t)(p + b_term) * n + min(j, n - WIDTH);
  }

  /* How many terms the first tile lacks. */
  static __device__ int missing(int k) { return k % P::DEPTH ? P::DEPTH - k % P::DEPTH : 0; }

  /* Queues the copies of the next tile, if there is one, with zeros for its first `zeros` terms. */
  __device__ void queue(tile<P> &to, int zeros = 0) {
    if (left > 0) {
#pragma unroll
      for (int s = 0; s < A_COPIES; s++)
#pragma unroll
        for (int e = 0; e < P::DEPTH; e += 8)
          copy<1>(&to.a[a_term + e][a_row + s * A_STEP], a[s] + e, a_term + e >= zeros);
#pragma unroll
      for (int e = 0; e < P::DEPTH; e += B_STEP)
        copy<WIDTH>(&to.b[b_term + e][b_column], b + (ptrdiff_t)e * n, b_term + e >= zeros);
#pragma unroll
      for (int s = 0; s < A_COPIES; s++) a[s] += P::DEPTH;
      b += (ptrdiff_t)P::DEPTH * n;
    }
    left--;
    __pipeline_commit();
  }
};

/* Where a thread's elements are in its block's tile of C. Rows and columns come in fours: rows row to row + 3
 * and row + 16 to row + 19, columns column to column + 3, column + 32 to column + 35, and so on. */
struct place {
  int row, column;
};

/* Lanes are arranged in vertical pairs: the 8 lanes of one 16-byte load read 2 pieces of A and 4 of B. */
template <class P> static __device__ place place_of_thread(void) {
  constexpr int across = P::COLUMNS / P::WARP_COLUMNS;
  const int warp = threadIdx.x % P::GROUP / 32, lane = threadIdx.x % 32;
  return {warp / across * WARP_ROWS + (lane / 16 * 2 + lane % 2) * 4,
          warp % across * P::WARP_COLUMNS + lane / 2 % 8 * 4};
}

/* A term's operands of a thread, b first: outer_product begins with b[0] and all of a. */
template <class P>
static __device__ void load_operands(const tile<P> &from, int p, place at, float (&a)[8],
                                     float (&b)[P::EACH]) {
#pragma unroll
  for (int c = 0; c < P::EACH; c += 4) *(float4 *)&b[c] = *(const float4 *)&from.b[p][at.column + c * 8];
#pragma unroll
  for (int r = 0; r < 8; r += 4) *(float4 *)&a[r] = *(const float4 *)&from.a[p][at.row + r * 4];
}

/* Sums of all tiles, with as many on their way as there are stages, less the one in use. */
template <class P, int WIDTH>
static __device__ void use_tiles(source<P, WIDTH> &from, tile<P> *stage, place at, float (&sum)[8][P::EACH]) {
  constexpr int coming = P::STAGES - 1, queued = coming > 0 ? coming : 1;
  int now = 0, free = coming; /* the stage in use, and the one that was used before */
  while (from.left > -queued) {
    __pipeline_wait_prior(coming > 0 ? coming - 1 : 0);
    __syncthreads(); /* this tile is complete, and the one before it no longer used */
    if (coming > 0) from.queue(stage[free]);
#pragma unroll
    for (int p = 0; p < P::DEPTH; p++) {
      alignas(16) float a[8], b[P::EACH];
      load_operands<P>(stage[now], p, at, a, b);
      outer_product(sum, a, b);
    }
    if (coming == 0) {
      __syncthreads();
      from.queue(stage[0]);
    }
    free = now;
    now = now < coming ? now + 1 : 0;
  }
}

/* The same of a group's share of the terms, each term's operands loaded during the term before it. When the
 * last term of a tile begins, all of its operands are in registers: only then do the threads wait for the
 * next tile, and the place of this one is free. */
template <class P, int WIDTH>
static __device__ void use_tiles_ahead(source<P, WIDTH> &from, tile<P> *stage, place at,
                                       float (&sum)[8][P::EACH]) {
  constexpr int coming = P::STAGES - 1;
  const int first = threadIdx.x / P::GROUP * P::SHARE;
  alignas(16) float a[2][8], b[2][P::EACH];
  int now = 0;
  __pipeline_wait_prior(coming - 1);
  __syncthreads();
  if (from.left <= -coming) return; /* no terms at all */
  load_operands<P>(stage[0], first, at, a[0], b[0]);
  from.queue(stage[coming]);
  while (from.left >= -coming) {
#pragma unroll
    for (int p = 0; p < P::SHARE; p++) {
      const int free = now, next = (p + 1) % P::SHARE;
      if (next == 0) {
        if (from.left > -coming)
          now = now < coming ? now + 1 : 0; /* after the last tile: the same, in vain */
        __pipeline_wait_prior(coming - 1);
        __syncthreads(); /* the next tile is complete, and this one no longer used */
      }
      load_operands<P>(stage[now], first + next, at, a[(p + 1) % 2], b[(p + 1) % 2]);
      outer_product(sum, a[p % 2], b[p % 2]);
      if (next == 0) from.queue(stage[free]);
    }
  }
}

/* Where an element of a tile of C is in its group's sums. The order of the columns, 0 4 8 .. 1 5 9 .., and
 * two more numbers in each row let a warp's lanes store into 32 different banks. */
template <class P> static __device__ int position(int row, int column) {
  return row * (P::COLUMNS + 2) + column % 4 * (P::COLUMNS / 4) + column / 4;
}

/*
 * C through shared memory: the groups' sums are added in order, and a warp stores along the rows. A thread
 * writes its sums there one by one. Four at once would have to be in consecutive registers, and many sums
 * would then be in the same bank of the register file as the operands that they are multiplied from.
 */
template <class P, int WIDTH>
static __device__ void store_sums(float *sums, place at, const float (&sum)[8][P::EACH], float *d_c, int m,
                                  int n) {
  const int group = threadIdx.x / P::GROUP;
  __syncthreads(); /* no tile is used any more */
#pragma unroll
  for (int r = 0; r < 8; r++)
#pragma unroll
    for (int c = 0; c < P::EACH; c++)
      sums[group * SUMS<P> + position<P>(at.row + r / 4 * 16 + r % 4, at.column + c / 4 * 32 + c % 4)] =
          sum[r][c];
  __syncthreads();
  for (int e = threadIdx.x * WIDTH; e < P::ROWS * P::COLUMNS; e += P::BLOCK * WIDTH) {
    const int row = e / P::COLUMNS, column = e % P::COLUMNS;
    const int i = blockIdx.y * P::ROWS + row, j = blockIdx.x * P::COLUMNS + column;
    alignas(16) float total[WIDTH] = {0};
#pragma unroll
    for (int g = 0; g < P::GROUPS; g++)
#pragma unroll
      for (int w = 0; w < WIDTH; w++) total[w] += sums[g * SUMS<P> + position<P>(row, column + w)];
    if (i >= m || j >= n) continue;
    if constexpr (WIDTH == 4)
      *(float4 *)&d_c[(size_t)i * n + j] = *(const float4 *)total;
    else
      d_c[(size_t)i * n + j] = total[0];
  }
}

template <class P, int WIDTH>
static __global__ void __launch_bounds__(P::BLOCK, P::BLOCKS) /* so many blocks fit in the registers */
    pipeline_kernel(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  extern __shared__ float4 shared[];
  tile<P> *const stage = (tile<P> *)shared;
  const place at = place_of_thread<P>();
  source<P, WIDTH> from(d_a, d_b, m, n, k);
  float sum[8][P::EACH] = {{0}};

  from.queue(stage[0], source<P, WIDTH>::missing(k));
  for (int s = 1; s < P::STAGES - 1; s++) from.queue(stage[s]);
  if constexpr (P::AHEAD)
    use_tiles_ahead<P, WIDTH>(from, stage, at, sum);
  else
    use_tiles<P, WIDTH>(from, stage, at, sum);
  store_sums<P, WIDTH>((float *)shared, at, sum, d_c, m, n);
}

template <class P, int WIDTH>
static cudaError_t launch(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  const auto kernel = pipeline_kernel<P, WIDTH>;
  const size_t bytes = shared_bytes<P>(); /* above 48 KB only when asked for */
  const cudaError_t error =
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
  if (error) return error;
  const dim3 grid(ceil_div(n, P::COLUMNS), ceil_div(m, P::ROWS));
  kernel<<<grid, P::BLOCK, bytes>>>(d_a, d_b, d_c, m, n, k);
  return cudaGetLastError();
}

template <class P>
static cudaError_t pipelined(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  if (m == 0 || n == 0) return cudaSuccess;
  /* Every row of B and of C begins at 16 bytes. */
  const bool aligned = n % 4 == 0 && (size_t)d_b % 16 == 0 && (size_t)d_c % 16 == 0;
  return aligned ? launch<P, 4>(d_a, d_b, d_c, m, n, k) : launch<P, 1>(d_a, d_b, d_c, m, n, k);
}

/* ---- The choice of a plan ---- */

struct limits {
  int multiprocessors, block_bytes, multiprocessor_bytes; /* shared memory of a block, a multiprocessor */
};

static cudaError_t read_limits(limits *on) {
  int device;
  cudaError_t error = cudaGetDevice(&device);
  if (!error) error = cudaDeviceGetAttribute(&on->multiprocessors, cudaDevAttrMultiProcessorCount, device);
  if (!error)
    error = cudaDeviceGetAttribute(&on->block_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  if (!error)
    error = cudaDeviceGetAttribute(&on->multiprocessor_bytes, cudaDevAttrMaxSharedMemoryPerMultiprocessor,
                                   device);
  return error;
}

/*
 * Clocks that a plan needs, by a model; infinite if its shared memory exceeds the device's. The
 * multiprocessor with the most tiles decides. A term of a tile costs its multiply-adds, 128 a clock, and its
 * numbers of A and B, 16 a clock from the L2 cache: the two overlap in part, so both are charged in full. To
 * store C through shared memory takes as long as some 8 terms for each group. And the fewer warps a
 * multiprocessor has, the more often all of them wait: some 1 / warps of the time. The device keeps 1 KB of
 * shared memory for itself in each block.
 */
template <class P> static double clocks(const limits &on, int m, int n, int k) {
  const int bytes = (int)shared_bytes<P>(), fit = on.multiprocessor_bytes / (bytes + 1024);
  if (bytes > on.block_bytes || fit == 0) return INFINITY;
  const double tiles = (double)ceil_div(m, P::ROWS) * ceil_div(n, P::COLUMNS);
  const double tiles_each = ceil(tiles / on.multiprocessors);
  const double term = P::ROWS * P::COLUMNS / 128.0 + (P::ROWS + P::COLUMNS) / 16.0;
  const double warps = fmin(tiles_each, fit < P::BLOCKS ? fit : P::BLOCKS) * P::BLOCK / 32;
  return tiles_each * term * (k + 8.0 * P::GROUPS) * (1 + 1 / warps);
}
// #endregion task-further

cudaError_t matmul_fast(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  // #region task-further
  //: return cudaSuccess;
  /* The plan that should be the fastest; with many tiles that is `sixteen`; measured 51.31. */
  limits on;
  const cudaError_t error = read_limits(&on);
  if (error) return error;
  const double of_ahead = clocks<ahead>(on, m, n, k), of_sixteen = clocks<sixteen>(on, m, n, k);
  const double of_halves = clocks<halves>(on, m, n, k), of_eighths = clocks<eighths>(on, m, n, k);
  const double least = fmin(fmin(of_ahead, of_sixteen), fmin(of_halves, of_eighths));
  if (of_ahead == least) return pipelined<ahead>(d_a, d_b, d_c, m, n, k);
  if (of_sixteen == least) return pipelined<sixteen>(d_a, d_b, d_c, m, n, k);
  if (of_halves == least) return pipelined<halves>(d_a, d_b, d_c, m, n, k);
  return pipelined<eighths>(d_a, d_b, d_c, m, n, k);
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
    {"ahead", "operands are loaded a term before their use", "any", pipelined<ahead>},
    {"sixteen", "8 x 16 elements a thread, in tiles of 128 x 256", "130 KB of shared memory a block",
     pipelined<sixteen>},
    {"halves", "two groups of warps share the terms of a tile", "74 KB of shared memory a block",
     pipelined<halves>},
    {"eighths", "eight warps share the terms of a smaller tile", "75 KB of shared memory a block",
     pipelined<eighths>},
    // #endregion task-further
    {"fast", "the last four, whichever a model says is fastest", "any", matmul_fast},
    {NULL, NULL, NULL, NULL}};
