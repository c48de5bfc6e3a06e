/*
 * lesson08, jacobi: heat spreads over a plate until nothing changes any more.
 *
 * A sweep reads one plate and writes another, so no thread sees a neighbour's new value; then the two
 * pointers are swapped. Everything stays on the device: the host launches, and now and then fetches one
 * number, the change of the last sweep.
 *
 * jacobi.h says what each function must do. Plates are rows x cols, row after row; x runs along the row, so a
 * warp's threads touch neighbouring cells.
 */
#include "jacobi.h"
#include <math.h>
// #region task-further
#include <cooperative_groups.h>
// #endregion task-further

#define WARP 32

/* n / d, rounded up; in 64 bits, since n + d may pass the largest int. */
static unsigned ceil_div(size_t n, size_t d) { return (unsigned)((n + d - 1) / d); }

// #region task-1
//: /* TODO task 1: a kernel for one cell a thread. `real` is float or double: the compiler makes both. */
//: template <class real> static __global__ void sweep_kernel(const real *d_p, real *d_next, plate plate) {}
/*
 * One cell a thread, in blocks of 32 x 8. A value is loaded four times, by the threads of its four
 * neighbours, but comes from memory once: the other three loads find it in a cache. So a sweep moves 8 bytes
 * a cell (float). Measured on an H200: 8192 x 8192 in 241 us, about half the speed of a copy; one 4-byte
 * store a thread leaves too few bytes in flight.
 */
template <class real> static __global__ void sweep_kernel(const real *d_p, real *d_next, plate plate) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= plate.rows || col >= plate.cols) return;
  const size_t i = (size_t)row * plate.cols + col; /* a plate may have more than 2^31 cells */

  if (row == 0 || row == plate.rows - 1 || col == 0 || col == plate.cols - 1) {
    d_next[i] = d_p[i];
    return;
  }
  real sum = (d_p[i - plate.cols] + d_p[i + plate.cols]) + (d_p[i - 1] + d_p[i + 1]);
  if (row == plate.source_row && col == plate.source_col) sum += (real)plate.strength;
  d_next[i] = sum / 4;
}
// #endregion task-1

template <class real> static cudaError_t launch_sweep(const real *d_p, real *d_next, plate plate) {
  // #region task-1
  //: /* TODO task 1: launch it on a grid of two dimensions that covers the plate. */
  //: return cudaSuccess;
  if (plate.rows == 0 || plate.cols == 0) return cudaSuccess; /* a grid of 0 blocks is an error */
  const dim3 threads(WARP, 8), blocks(ceil_div(plate.cols, threads.x), ceil_div(plate.rows, threads.y));
  sweep_kernel<<<blocks, threads>>>(d_p, d_next, plate);
  return cudaGetLastError();
  // #endregion task-1
}

cudaError_t sweep(const float *d_p, float *d_next, plate plate) { return launch_sweep(d_p, d_next, plate); }

// #region task-2
//: /* TODO task 2: a kernel that adds the squares of all differences to *d_sum, one atomic a block. */
//: template <class real>
//: static __global__ void change_kernel(const real *d_p, const real *d_next, size_t cells, double *d_sum) {}
#define SUM_THREADS 256

/* The sum over a warp, in its lane 0: five shuffles, each halving the number of lanes that hold a part. */
static __device__ double warp_sum(double part) {
  for (int apart = WARP / 2; apart > 0; apart /= 2) part += __shfl_down_sync(0xffffffff, part, apart);
  return part;
}

/* Each thread adds up cells that are a whole grid apart, each block its threads' sums, and one atomic a block
 * makes the total. In double from the first addition: memory limits the speed, not the additions. */
template <class real>
static __global__ void change_kernel(const real *d_p, const real *d_next, size_t cells, double *d_sum) {
  __shared__ double part_of_warp[SUM_THREADS / WARP];
  const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
  const size_t stride = (size_t)gridDim.x * blockDim.x;

  double part = 0;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < cells; i += stride) {
    const double difference = (double)d_next[i] - (double)d_p[i];
    part += difference * difference;
  }
  part = warp_sum(part);
  if (lane == 0) part_of_warp[warp] = part;
  __syncthreads();
  if (warp > 0) return;
  part = warp_sum(lane < SUM_THREADS / WARP ? part_of_warp[lane] : 0);
  if (lane == 0) atomicAdd(d_sum, part);
}
// #endregion task-2

template <class real>
static cudaError_t launch_change(const real *d_p, const real *d_next, size_t cells, double *d_sum) {
  // #region task-2
  //: /* TODO task 2: set *d_sum to 0, then launch. Only queue both: do not wait. */
  //: return cudaSuccess;
  const cudaError_t error = cudaMemsetAsync(d_sum, 0, sizeof *d_sum, 0);
  if (error || cells == 0) return error;
  const unsigned most = 2048; /* blocks: more than a GPU can run at a time bring no gain */
  const unsigned needed = ceil_div(cells, SUM_THREADS), blocks = needed > most ? most : needed;
  change_kernel<<<blocks, SUM_THREADS>>>(d_p, d_next, cells, d_sum);
  return cudaGetLastError();
  // #endregion task-2
}

cudaError_t change(const float *d_p, const float *d_next, size_t cells, double *d_sum) {
  return launch_change(d_p, d_next, cells, d_sum);
}

// #region task-3
/* Sweeps as long as the solver cannot stop, and adds their number to *sweeps. See below. */
template <class real>
static cudaError_t run_ahead(real **now, real **next, plate plate, stopping stop, int *sweeps);

// #endregion task-3
/* Tasks 3 and 4: the same code for double and for float. */
template <class real>
static cudaError_t solve_any(real *d_p, real *d_work, plate plate, stopping stop, outcome *reached) {
  // #region task-3
  //: /* TODO task 3: sweep from one plate into the other, swap the pointers, and after every check_every-th
  //:  * sweep fetch the sum of task 2. The answer must end in d_p. */
  //: return cudaSuccess;
  const size_t cells = (size_t)plate.rows * plate.cols;
  double *d_sum = NULL, sum = 0;
  cudaError_t error = cudaMalloc(&d_sum, sizeof *d_sum);
  real *now = d_p, *next = d_work;
  *reached = (outcome){0, INFINITY};
  if (!error) error = run_ahead(&now, &next, plate, stop, &reached->sweeps); /* all but the last sweeps */

  while (!error && reached->sweeps < stop.most && !(reached->change < stop.tolerance)) {
    const int left = stop.most - reached->sweeps, due = stop.check_every - reached->sweeps % stop.check_every;
    const int batch = left < due ? left : due;
    for (int k = 0; k < batch && !error; k++) {
      error = launch_sweep(now, next, plate);
      real *const swap = now;
      now = next;
      next = swap;
    }
    /* After the swap `next` is the plate before the last sweep. The copy waits for all queued work: this is
     * the only wait of the host in a batch. */
    if (!error) error = launch_change(next, now, cells, d_sum);
    if (!error) error = cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost);
    reached->sweeps += batch;
    reached->change = sqrt(sum);
  }
  if (!error && now != d_p) error = cudaMemcpy(d_p, now, cells * sizeof *d_p, cudaMemcpyDeviceToDevice);
  const cudaError_t freed = cudaFree(d_sum);
  return error ? error : freed;
  // #endregion task-3
}

cudaError_t solve(double *d_p, double *d_work, plate plate, stopping stop, outcome *reached) {
  return solve_any(d_p, d_work, plate, stop, reached);
}

cudaError_t solve_float(float *d_p, float *d_work, plate plate, stopping stop, outcome *reached) {
  // #region task-4
  //: /* TODO task 4: the same in float. */
  //: return cudaSuccess;
  return solve_any(d_p, d_work, plate, stop, reached);
  // #endregion task-4
}

// #region task-further
//: /* TODO go further: several sweeps while a part of the plate is in registers or shared memory. */
/*
 * Row `row` of a plate at columns col .. col+3. ALIGNED: cols % 4 == 0, so that the four cells are one access
 * of 16 bytes; otherwise they are four of 4 bytes, of which the last three hit the cache. Only at the SIDES
 * can they lie outside the plate: there are zeros, which are never used; nor are the cells of rows outside.
 */
template <bool ALIGNED, bool SIDES>
static __device__ float4 load(const float *d_p, int row, int col, const plate &plate) {
  d_p += (size_t)max(0, min(row, plate.rows - 1)) * plate.cols + col;
  const int there = SIDES ? (col < 0 ? 0 : plate.cols - col) : 4;
  if (ALIGNED) return there > 0 ? *(const float4 *)d_p : make_float4(0, 0, 0, 0);
  return make_float4(there > 0 ? d_p[0] : 0, there > 1 ? d_p[1] : 0, there > 2 ? d_p[2] : 0,
                     there > 3 ? d_p[3] : 0);
}

template <bool ALIGNED, bool SIDES>
static __device__ void store(float *d_p, int row, int col, const plate &plate, float4 value) {
  d_p += (size_t)row * plate.cols + col;
  const int there = SIDES ? plate.cols - col : 4;
  if (ALIGNED) {
    *(float4 *)d_p = value;
    return;
  }
  d_p[0] = value.x;
  if (there > 1) d_p[1] = value.y;
  if (there > 2) d_p[2] = value.z;
  if (there > 3) d_p[3] = value.w;
}

static __device__ float4 times(float4 v, float factor) {
  return make_float4(factor * v.x, factor * v.y, factor * v.z, factor * v.w);
}

/* The sums of the neighbours of four adjacent cells; left and right are the cells next to the four. */
static __device__ float4 add_neighbours(float4 up, float4 mid, float4 down, float left, float right) {
  return make_float4(up.x + down.x + (left + mid.y), up.y + down.y + (mid.x + mid.z),
                     up.z + down.z + (mid.y + mid.w), up.w + down.w + (mid.z + right));
}

/* These two correct such sums at the source and at the edge, which keeps its values. mid holds `scale` times
 * the cells, so sums must hold 4 * scale times their next values. row and col are those of the first cell. */
static __device__ void mend_row(float4 &sums, float4 mid, float scale, int row, int col, const plate &plate) {
  if (row <= 0 || row >= plate.rows - 1) {
    sums = times(mid, 4);
  } else if (row == plate.source_row) {
    const float strength = scale * (float)plate.strength;
    if (col == plate.source_col) sums.x += strength;
    if (col + 1 == plate.source_col) sums.y += strength;
    if (col + 2 == plate.source_col) sums.z += strength;
    if (col + 3 == plate.source_col) sums.w += strength;
  }
}

static __device__ void mend_sides(float4 &sums, float4 mid, int col, const plate &plate) {
  const int last = plate.cols - 1 - col;
  if (col == 0 || last == 0) sums.x = 4 * mid.x;
  if (last == 1) sums.y = 4 * mid.y;
  if (last == 2) sums.z = 4 * mid.z;
  if (last == 3) sums.w = 4 * mid.w;
}

/*
 * What changed from sweep_kernel: a thread does four adjacent cells in each of two rows. Why it should help:
 * 16 bytes a load and eight cells in flight in each thread. On an H200: 8192 x 8192 in 130 us, 4.1 TB/s, the
 * speed of a copy. What remains: no kernel that does one sweep can be faster.
 */
static __global__ void sweep_wide_kernel(const float *d_p, float *d_next, plate plate) {
  const int col = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  const int row = 2 * (blockIdx.y * blockDim.y + threadIdx.y);
  if (row >= plate.rows || col >= plate.cols) return;
  float4 rows[4]; /* row - 1 to row + 2 */
  for (int k = 0; k < 4; k++) rows[k] = load<true, true>(d_p, row + k - 1, col, plate);
  for (int k = 0; k < 2 && row + k < plate.rows; k++) {
    const float *p = d_p + (size_t)(row + k) * plate.cols + col;
    const float left = col == 0 ? 0 : p[-1], right = col == plate.cols - 4 ? 0 : p[4];
    float4 sums = add_neighbours(rows[k], rows[k + 1], rows[k + 2], left, right);
    mend_row(sums, rows[k + 1], 1, row + k, col, plate);
    mend_sides(sums, rows[k + 1], col, plate);
    store<true, true>(d_next, row + k, col, plate, times(sums, 0.25f));
  }
}

static cudaError_t launch_sweep_wide(const float *d_p, float *d_next, plate plate) {
  const dim3 blocks(ceil_div(plate.cols, 4 * WARP), ceil_div(plate.rows, 2 * 8));
  sweep_wide_kernel<<<blocks, dim3(WARP, 8)>>>(d_p, d_next, plate);
  return cudaGetLastError();
}

/*
 * What changed: DEPTH sweeps for one pass through memory. A warp moves down a strip of 128 columns, four to a
 * lane, and keeps the last two rows of each sweep in registers. When a row is loaded, the row above it can do
 * its first sweep; then the row above that one can do its second; and so on: DEPTH rows further up, a row
 * that has been swept DEPTH times is stored. Left and right neighbours come from the neighbouring lanes by
 * shuffles. No shared memory, no barrier: warps never wait for each other.
 *
 *     row r   comes in ----.
 *     row r-1 sweep 1 done  <- rows r-2, r-1, r before it
 *     row r-2 sweep 2 done  <- rows r-3, r-2, r-1 after sweep 1 ...
 *
 * The cost is the halo: cells outside the strip are unknown, and with each sweep one more column at either
 * side is wrong. So strips overlap by DEPTH columns (whole float4s) at either side, bands by DEPTH rows.
 * Method: overlapped temporal blocking, as in AN5D (Matsumura et al., CGO 2020). Predicted for 8 sweeps at
 * 8192 x 8192: 17 us a sweep, by the bytes. Measured on an H200: 25 us; with the tests everywhere it was 35.
 *
 * Once memory is no longer the limit, instructions are, so three kinds are saved. There is no division by 4
 * in each sweep: after t sweeps the registers hold 4^t times the cells, with three additions each, and one
 * multiplication at the end replaces all the divisions. Multiplying by powers of two does not round, so the
 * answer has the same bits as long as no cell exceeds 2^127 / 4^DEPTH. Only strips at the SIDES of the plate
 * test for its first and last column, and only SPECIAL steps, near its first or last row or its source, test
 * for those. And a block is one warp, so that the compiler sees that all lanes take each branch together:
 * otherwise it puts a test before each shuffle.
 */
template <int DEPTH, bool SIDES, bool SPECIAL>
static __device__ float4 step(float4 (&up)[DEPTH], float4 (&mid)[DEPTH], float4 now, int row, int col,
                              const plate &plate) {
  float scale = 1; /* 4^t */
#pragma unroll
  for (int t = 0; t < DEPTH; t++) { /* now: row - t after t sweeps */
    const float left = __shfl_up_sync(0xffffffff, mid[t].w, 1);
    const float right = __shfl_down_sync(0xffffffff, mid[t].x, 1);
    float4 next = add_neighbours(up[t], mid[t], now, left, right);
    if (SPECIAL) mend_row(next, mid[t], scale, row - t - 1, col, plate);
    if (SIDES) mend_sides(next, mid[t], col, plate);
    up[t] = mid[t];
    mid[t] = now;
    now = next;
    scale *= 4;
  }
  return times(now, 1 / scale);
}

#define EARLY 4 /* rows are loaded so many steps before they are used */

/* The rows first .. end - 1 of a strip. */
template <int DEPTH, bool ALIGNED, bool SIDES>
static __device__ void stream(const float *d_p, float *d_next, const plate &plate, int col, int first,
                              int end, bool ours) {
  float4 up[DEPTH], mid[DEPTH], loaded[EARLY]; /* up, mid: of each sweep the two rows before it */
  for (int t = 0; t < DEPTH; t++) up[t] = mid[t] = make_float4(0, 0, 0, 0);
  const int top = max(first - DEPTH, 0);
  for (int k = 0; k < EARLY; k++) loaded[k] = load<ALIGNED, SIDES>(d_p, top + k, col, plate);
  for (int from = top; from < end + DEPTH; from += EARLY) {
#pragma unroll
    for (int k = 0; k < EARLY; k++) {
      const int row = from + k, out = row - DEPTH;
      const float4 now = loaded[k];
      loaded[k] = load<ALIGNED, SIDES>(d_p, row + EARLY, col, plate);
      const bool special =
          out <= 0 || row >= plate.rows || (out <= plate.source_row && plate.source_row < row);
      const float4 swept = special ? step<DEPTH, SIDES, true>(up, mid, now, row, col, plate)
                                   : step<DEPTH, SIDES, false>(up, mid, now, row, col, plate);
      if (ours && out >= first && out < end) store<ALIGNED, SIDES>(d_next, out, col, plate, swept);
    }
  }
}

/* The columns of a strip that are not halo; the halo is whole float4s. */
static constexpr __host__ __device__ int useful_cols(int depth) { return 4 * (WARP - 2 * ((depth + 3) / 4)); }

template <int DEPTH, bool ALIGNED>
static __global__ void __launch_bounds__(WARP)
    stream_kernel(const float *d_p, float *d_next, plate plate, int band) {
  const int lane = threadIdx.x, useful = useful_cols(DEPTH), halo = (WARP - useful / 4) / 2; /* in lanes */
  const int left = blockIdx.x * useful - 4 * halo, col = left + 4 * lane;
  const int first = blockIdx.y * band, end = min(first + band, plate.rows); /* the rows that are ours */
  const bool ours = lane >= halo && lane < WARP - halo && col < plate.cols;
  if (left > 0 && left + 4 * WARP < plate.cols)
    stream<DEPTH, ALIGNED, false>(d_p, d_next, plate, col, first, end, ours);
  else
    stream<DEPTH, ALIGNED, true>(d_p, d_next, plate, col, first, end, ours);
}

#define LAUNCH 5000 /* cycles; launches follow each other at best after so long */
#define BYTES  15   /* of memory in a cycle for each multiprocessor */

/* How a plate is divided among warps: bands of so many rows that all warps are on the device at the same
 * time, so that none starts late, when the others have finished. Where bands are tall there are twice as
 * many: then those that start late even out what warps at the SIDES take longer. */
struct division {
  unsigned strips, bands, warps; /* warps on each scheduler, of which a multiprocessor has four */
  int band;                      /* rows */
};

#define TALL 256 /* rows */
template <int DEPTH> static cudaError_t divide(plate plate, int processors, division *d) {
  int blocks_each = 1; /* on a multiprocessor; the registers decide */
  const cudaError_t error =
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_each, stream_kernel<DEPTH, true>, WARP, 0);
  d->strips = ceil_div(plate.cols, useful_cols(DEPTH));
  unsigned most = max(blocks_each * processors / d->strips, 1u);
  if ((unsigned)plate.rows / most > TALL) most *= 2;
  d->band = max((int)ceil_div(plate.rows, most), 8);
  d->bands = ceil_div(plate.rows, d->band);
  d->warps = ceil_div((size_t)d->strips * d->bands, 4 * processors);
  return error;
}

static cudaError_t count_processors(int *processors) {
  int device = 0;
  const cudaError_t error = cudaGetDevice(&device);
  return error ? error : cudaDeviceGetAttribute(processors, cudaDevAttrMultiProcessorCount, device);
}

template <int DEPTH> static cudaError_t launch_stream(const float *d_p, float *d_next, plate plate) {
  int processors = 1;
  division d;
  cudaError_t error = count_processors(&processors);
  if (!error) error = divide<DEPTH>(plate, processors, &d);
  if (error) return error;
  const dim3 blocks(d.strips, d.bands);
  if (plate.cols % 4 == 0)
    stream_kernel<DEPTH, true><<<blocks, WARP>>>(d_p, d_next, plate, d.band);
  else
    stream_kernel<DEPTH, false><<<blocks, WARP>>>(d_p, d_next, plate, d.band);
  return cudaGetLastError();
}

/*
 * The time of one launch in cycles. All warps walk at the same time, a band and two halos each. A step takes
 * the time of its shuffles and additions, and that of the other warps of its scheduler. Rows and columns of
 * halos are read again. The constants were fitted on an H200: other devices move fewer bytes in a cycle, but
 * plates for which that counts take the deepest stage anyway. Asking for clocks would take a millisecond.
 */
template <int DEPTH> static cudaError_t predict_stream(plate plate, int processors, double *cycles) {
  division d;
  const cudaError_t error = divide<DEPTH>(plate, processors, &d);
  const double steps = d.band + 2 * DEPTH, reads = 4 * WARP * steps, writes = useful_cols(DEPTH) * d.band;
  *cycles = LAUNCH + fmax(steps * DEPTH * (60 + 24.0 * d.warps),
                          4.0 * d.strips * d.bands * (reads + writes) / (BYTES * processors));
  return error;
}

template <int PASSES> static cudaError_t predict_sweep(plate plate, int processors, double *cycles) {
  *cycles = LAUNCH + PASSES * 8.0 * plate.rows * plate.cols / (BYTES * processors);
  return cudaSuccess;
}

/* The ladder. */
static const struct stage {
  const char *name, *idea;
  cudaError_t (*function)(const float *d_p, float *d_next, plate plate);
  cudaError_t (*predict)(plate plate, int processors, double *cycles); /* of one call */
  int depth;                                                           /* sweeps in one call */
  int cols_multiple_of;                                                /* constraint on the plate */
} stages[] = {
    {"plain", "one cell a thread", launch_sweep<float>, predict_sweep<2>, 1, 1},
    {"wide", "float4, two rows a thread", launch_sweep_wide, predict_sweep<1>, 1, 4},
    {"stream 4", "4 sweeps a load", launch_stream<4>, predict_stream<4>, 4, 1},
    {"stream 8", "8 sweeps a load", launch_stream<8>, predict_stream<8>, 8, 1},
};
enum { STAGES = sizeof stages / sizeof *stages };

template <class real> static __host__ __device__ void exchange(real *&a, real *&b) {
  real *const c = a;
  a = b;
  b = c;
}

/* The stage with the least time a sweep, of those that do at most `left` sweeps and fit the plate. */
static const stage &best_stage(const double *cycles, plate plate, int left) {
  int best = 0;
  for (int k = 1; k < STAGES; k++) {
    const bool fits = stages[k].depth <= left && plate.cols % stages[k].cols_multiple_of == 0;
    if (fits && cycles[k] / stages[k].depth < cycles[best] / stages[best].depth) best = k;
  }
  return stages[best];
}
// #endregion task-further

cudaError_t sweeps(float *d_p, float *d_work, plate plate, int count) {
  // #region task-further
  //: /* TODO go further: start with `count` sweeps of task 1, swapping pointers; the answer ends in d_p. */
  //: return cudaSuccess;
  const size_t size_bytes = (size_t)plate.rows * plate.cols * sizeof *d_p;
  if (size_bytes == 0) return cudaSuccess;
  float *now = d_p, *next = d_work;
  int processors = 1;
  double cycles[STAGES];
  cudaError_t error = count_processors(&processors);
  for (int k = 0; k < STAGES && !error; k++) error = stages[k].predict(plate, processors, &cycles[k]);
  while (count > 0 && !error) {
    const stage &s = best_stage(cycles, plate, count);
    error = s.function(now, next, plate);
    count -= s.depth;
    exchange(now, next);
  }
  if (error || now == d_p) return error;
  return cudaMemcpyAsync(d_p, now, size_bytes, cudaMemcpyDeviceToDevice, 0);
  // #endregion task-further
}
// #region task-further

/*
 * The solver, faster where plates are small. There a sweep is over before the next is launched, and a look
 * at a change takes longer still. What changes: the device looks by itself. One launch does chunks of sweeps
 * and sums up the change of each sweep. After a chunk all blocks wait for each other and read these sums.
 * Where the solver would stop, the plate before the chunk is kept: solve_any finds the exact sweep from it. A
 * warp holds a tile in registers, two columns to a lane. As in a strip, the halo becomes wrong: OWN_ROWS x
 * OWN_COLS cells are right after CHUNK sweeps. Predicted: 1 us for a chunk and 1 us for the wait, so 10 ms
 * for the 19008 sweeps of 256 x 256. Measured on an H200: 16 ms instead of 460, which were waits of the host.
 */
#define CHUNK      4    /* sweeps between two looks */
#define OWN_ROWS   4    /* of a tile; the others are halo */
#define TILE_WARPS 4    /* tiles of a block */
#define SMALLEST   4096 /* cells: smaller plates need few sweeps */
#define OWN_COLS   (2 * WARP - 2 * CHUNK)
#define TILE_ROWS  (OWN_ROWS + 2 * CHUNK)

struct progress {
  double sums[3][CHUNK]; /* of the chunk that is looked at, that is added up, that is cleared */
  int done;
};

/* CHUNK sweeps of one tile, whose own cells begin at own_row, own_col: reads them with their halo from d_p,
 * writes them to d_next. sums: of each sweep, the squares of the changes of this lane's own cells. */
template <class real>
static __device__ void sweep_tile(const real *d_p, real *d_next, const plate &plate, int own_row, int own_col,
                                  double (&sums)[CHUNK]) {
  const int lane = threadIdx.x, top = own_row - CHUNK, col = own_col - CHUNK + 2 * lane;
  const int first = -top, last = plate.rows - 1 - top, source = plate.source_row - top; /* in the tile */
  const bool ours = lane >= CHUNK / 2 && lane < WARP - CHUNK / 2;
  real u[TILE_ROWS][2];
  const bool inside[2] = {col >= 0 && col < plate.cols, col + 1 >= 0 && col + 1 < plate.cols};
  const bool still[2] = {col <= 0 || col >= plate.cols - 1, col + 1 <= 0 || col + 1 >= plate.cols - 1};
  unsigned special = 0; /* bit r: row r is not in the plate, on its edge, or has the source */
#pragma unroll
  for (int r = 0; r < TILE_ROWS; r++) {
    const real *d_row = d_p + (ptrdiff_t)(top + r) * plate.cols + col;
    if (r <= first || r >= last || r == source) special |= 1u << r;
    for (int j = 0; j < 2; j++) u[r][j] = r >= first && r <= last && inside[j] ? d_row[j] : (real)0;
  }
#pragma unroll
  for (int s = 0; s < CHUNK; s++) {
    real above[2] = {u[s][0], u[s][1]}; /* the row before, as it was before this sweep */
    double sum = 0;
#pragma unroll
    for (int r = s + 1; r < TILE_ROWS - 1 - s; r++) {
      const real left = __shfl_up_sync(0xffffffff, u[r][1], 1);
      const real right = __shfl_down_sync(0xffffffff, u[r][0], 1);
      real around[2] = {(above[0] + u[r + 1][0]) + (left + u[r][1]),
                        (above[1] + u[r + 1][1]) + (u[r][0] + right)};
      if (__builtin_expect(special >> r & 1, 0))
        for (int j = 0; j < 2; j++) {
          if (r == source && col + j == plate.source_col) around[j] += (real)plate.strength;
          if (r <= first || r >= last) around[j] = 4 * u[r][j];
        }
      for (int j = 0; j < 2; j++) {
        above[j] = u[r][j];
        u[r][j] = still[j] ? above[j] : around[j] / 4;
        if (r < CHUNK || r >= CHUNK + OWN_ROWS) continue;
        const double difference = (double)u[r][j] - (double)above[j];
        sum += difference * difference;
      }
    }
    sums[s] = ours ? sum : 0;
  }
#pragma unroll
  for (int r = CHUNK; r < CHUNK + OWN_ROWS; r++)
    for (int j = 0; j < 2; j++)
      if (ours && inside[j] && r <= last) d_next[(ptrdiff_t)(top + r) * plate.cols + col + j] = u[r][j];
}

template <class real>
static __global__ void __launch_bounds__(WARP *TILE_WARPS)
    ahead_kernel(real *d_p, real *d_work, plate plate, stopping stop, progress *d_progress) {
  __shared__ double parts[CHUNK][WARP * TILE_WARPS];
  const int lane = threadIdx.x, warp = __shfl_sync(0xffffffff, threadIdx.y, 0), thread = warp * WARP + lane;
  const int across = (plate.cols + OWN_COLS - 1) / OWN_COLS, tile = blockIdx.x * TILE_WARPS + warp;
  const int row = tile / across * OWN_ROWS, col = tile % across * OWN_COLS;
  real *now = d_p, *next = d_work;
  int done = 0;
  for (int chunk = 0; done + CHUNK < stop.most; chunk++) {
    double sums[CHUNK] = {0};
    if (row < plate.rows) sweep_tile(now, next, plate, row, col, sums);
    double *const total = d_progress->sums[chunk % 3];
    if (blockIdx.x == 0 && thread < CHUNK) d_progress->sums[(chunk + 1) % 3][thread] = 0;
    for (int s = 0; s < CHUNK; s++) parts[s][thread] = sums[s];
    __syncthreads();
    for (int s = warp; s < CHUNK; s += TILE_WARPS) {
      double sum = 0;
      for (int k = lane; k < WARP * TILE_WARPS; k += WARP) sum += parts[s][k];
      sum = warp_sum(sum);
      if (lane == 0) atomicAdd(&total[s], sum);
    }
    cooperative_groups::this_grid().sync();
    const bool stops =
        lane < CHUNK && (done + lane + 1) % stop.check_every == 0 && sqrt(total[lane]) < stop.tolerance;
    if (__any_sync(0xffffffff, stops)) break;
    done += CHUNK;
    exchange(now, next);
  }
  if (blockIdx.x == 0 && thread == 0) d_progress->done = done;
}

/* Sets *blocks to those of ahead_kernel for this plate, or to 0 where it cannot run or is not worth it. */
template <class real> static cudaError_t blocks_ahead(plate plate, stopping stop, int *blocks) {
  const cudaDeviceAttr names[] = {cudaDevAttrCooperativeLaunch, cudaDevAttrMultiProcessorCount,
                                  cudaDevAttrSingleToDoublePrecisionPerfRatio};
  int device = 0, values[3] = {0, 0, 0}, each = 0;
  cudaError_t error = cudaGetDevice(&device);
  for (int k = 0; k < 3 && !error; k++) error = cudaDeviceGetAttribute(&values[k], names[k], device);
  if (!error)
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, ahead_kernel<real>, WARP * TILE_WARPS, 0);
  const size_t tiles = (size_t)ceil_div(plate.rows, OWN_ROWS) * ceil_div(plate.cols, OWN_COLS);
  const unsigned needed = ceil_div(tiles, TILE_WARPS);
  /* Most additions are done for nothing: where units for double are few, that costs more than launches. */
  const bool slow = sizeof(real) == 8 && values[2] > 4 && stop.check_every > CHUNK;
  const bool worth_it = (size_t)plate.rows * plate.cols >= SMALLEST && !slow && stop.most > CHUNK;
  *blocks = values[0] && worth_it && needed <= (unsigned)(each * values[1]) ? (int)needed : 0;
  return error;
}

template <class real>
static cudaError_t run_ahead(real **now, real **next, plate plate, stopping stop, int *sweeps) {
  int blocks = 0, done = 0;
  progress *d_progress = NULL;
  cudaError_t error = blocks_ahead<real>(plate, stop, &blocks);
  if (error || blocks == 0) return error;
  error = cudaMalloc(&d_progress, sizeof *d_progress);
  if (!error) error = cudaMemset(d_progress, 0, sizeof *d_progress);
  void *arguments[] = {now, next, &plate, &stop, &d_progress};
  if (!error)
    error = cudaLaunchCooperativeKernel(ahead_kernel<real>, dim3(blocks), dim3(WARP, TILE_WARPS), arguments);
  if (!error) error = cudaMemcpy(&done, &d_progress->done, sizeof done, cudaMemcpyDeviceToHost);
  const cudaError_t freed = cudaFree(d_progress);
  *sweeps += done;
  if (done / CHUNK % 2) exchange(*now, *next);
  return error ? error : freed;
}
// #endregion task-further
