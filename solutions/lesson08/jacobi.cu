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

  while (!error && reached->sweeps < stop.most && !(reached->change < stop.tolerance)) {
    const int left = stop.most - reached->sweeps, batch = left < stop.check_every ? left : stop.check_every;
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
/* Row `row` of a plate at columns col .. col+3; outside the plate zeros, which are never used. If INSIDE, all
 * of it is inside the plate. */
template <bool INSIDE = false>
static __device__ float4 load(const float *d_p, int row, int col, const plate &plate) {
  if (!INSIDE && (row < 0 || row >= plate.rows || col < 0 || col >= plate.cols))
    return make_float4(0, 0, 0, 0);
  return *(const float4 *)(d_p + (size_t)row * plate.cols + col);
}

static __device__ void store(float *d_p, int row, int col, const plate &plate, float4 value) {
  *(float4 *)(d_p + (size_t)row * plate.cols + col) = value;
}

static __device__ float4 times(float4 v, float factor) {
  return make_float4(factor * v.x, factor * v.y, factor * v.z, factor * v.w);
}

/* The sums of the neighbours of four adjacent cells; left and right are the cells next to the four. */
static __device__ float4 add_neighbours(float4 up, float4 mid, float4 down, float left, float right) {
  return make_float4(up.x + down.x + (left + mid.y), up.y + down.y + (mid.x + mid.z),
                     up.z + down.z + (mid.y + mid.w), up.w + down.w + (mid.z + right));
}

/*
 * Corrects those sums at the source, and at the edge, which keeps its values. mid holds `scale` times the
 * cells, so sums must hold 4 * scale times their next values. row and col are those of the first of the four
 * cells, in a plate whose rows are whole float4s: cols % 4 == 0.
 */
static __device__ void mend(float4 &sums, float4 mid, float scale, int row, int col, const plate &plate) {
  if (row <= 0 || row >= plate.rows - 1) {
    sums = times(mid, 4);
    return;
  }
  if (row == plate.source_row) {
    const float strength = scale * (float)plate.strength;
    if (col == plate.source_col) sums.x += strength;
    if (col + 1 == plate.source_col) sums.y += strength;
    if (col + 2 == plate.source_col) sums.z += strength;
    if (col + 3 == plate.source_col) sums.w += strength;
  }
  if (col == 0) sums.x = 4 * mid.x;
  if (col == plate.cols - 4) sums.w = 4 * mid.w;
}

/* Four cells, one sweep later. */
static __device__ float4 relax(float4 up, float4 mid, float4 down, float left, float right, int row, int col,
                               const plate &plate) {
  float4 sums = add_neighbours(up, mid, down, left, right);
  mend(sums, mid, 1, row, col, plate);
  return times(sums, 0.25f);
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
  const float4 a = load(d_p, row - 1, col, plate), b = load(d_p, row, col, plate),
               c = load(d_p, row + 1, col, plate), d = load(d_p, row + 2, col, plate);
  const float *p = d_p + (size_t)row * plate.cols + col;
  const bool first = col == 0, last = col == plate.cols - 4, second_row = row + 1 < plate.rows;
  store(d_next, row, col, plate, relax(a, b, c, first ? 0 : p[-1], last ? 0 : p[4], row, col, plate));
  if (!second_row) return;
  p += plate.cols;
  store(d_next, row + 1, col, plate, relax(b, c, d, first ? 0 : p[-1], last ? 0 : p[4], row + 1, col, plate));
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
 * side is wrong. So strips overlap by DEPTH columns (whole float4s) at either side, and bands of rows by
 * DEPTH rows. Method: overlapped temporal blocking, as in AN5D (Matsumura et al., CGO 2020).
 *
 * Once memory is no longer the limit, instructions are, so two are saved. There is no division by 4 in each
 * sweep: after t sweeps the registers hold 4^t times the cells, with three additions each, and one
 * multiplication at the end replaces all the divisions. Multiplying by powers of two does not round, so the
 * answer has the same bits as long as no cell exceeds 2^127 / 4^DEPTH. And INSIDE the plate there are no
 * tests for its edge and its source.
 */
template <int DEPTH, bool INSIDE>
static __device__ void stream(const float *d_p, float *d_next, const plate &plate, int col, int first,
                              int end, bool ours) {
  float4 up[DEPTH], mid[DEPTH]; /* of each sweep: the two rows before it */
  for (int t = 0; t < DEPTH; t++) up[t] = mid[t] = make_float4(0, 0, 0, 0);
  int row = max(first - DEPTH, 0);
  float4 ahead = load<INSIDE>(d_p, row, col, plate), further = load<INSIDE>(d_p, row + 1, col, plate);
#pragma unroll 2 /* after two steps `up` and `mid` have changed places without being moved */
  for (; row < end + DEPTH; row++) {
    float4 now = ahead;
    ahead = further;
    further = load<INSIDE>(d_p, row + 2, col, plate); /* two steps early, so that nothing waits for it */
    float scale = 1;                                  /* 4^t */
#pragma unroll
    for (int t = 0; t < DEPTH; t++) { /* now: row - t after t sweeps */
      const float left = __shfl_up_sync(0xffffffff, mid[t].w, 1);
      const float right = __shfl_down_sync(0xffffffff, mid[t].x, 1);
      float4 next = add_neighbours(up[t], mid[t], now, left, right);
      if (!INSIDE) mend(next, mid[t], scale, row - t - 1, col, plate);
      up[t] = mid[t];
      mid[t] = now;
      now = next;
      scale *= 4;
    }
    if (ours && row - DEPTH >= first) store(d_next, row - DEPTH, col, plate, times(now, 1 / scale));
  }
}

template <int DEPTH>
static __global__ void sweeps_kernel(const float *d_p, float *d_next, plate plate, int band) {
  const int halo = (DEPTH + 3) / 4; /* lanes at either side */
  const int lane = threadIdx.x, strip = blockIdx.x * blockDim.y + threadIdx.y;
  const int left = 4 * (strip * (WARP - 2 * halo) - halo), col = left + 4 * lane;
  const int first = blockIdx.y * band, end = min(first + band, plate.rows); /* the rows that are ours */
  const bool ours = lane >= halo && lane < WARP - halo && col < plate.cols;
  const int top = first - DEPTH, bottom = end + DEPTH + 1; /* the last row that is loaded */

  const bool off_edge = top > 0 && bottom < plate.rows && left > 0 && left + 4 * WARP < plate.cols;
  const bool heated = plate.source_row >= top && plate.source_row < bottom && plate.source_col >= left &&
                      plate.source_col < left + 4 * WARP;
  if (off_edge && !heated)
    stream<DEPTH, true>(d_p, d_next, plate, col, first, end, ours);
  else
    stream<DEPTH, false>(d_p, d_next, plate, col, first, end, ours);
}

/* DEPTH sweeps at once. The bands have so many rows that all blocks are on the device at the same time: none
 * starts late, when the others have finished. */
template <int DEPTH> static cudaError_t launch_sweeps(const float *d_p, float *d_next, plate plate) {
  const dim3 threads(WARP, 4);
  int device = 0, processors = 1, blocks_each = 1; /* on a multiprocessor; the registers decide */
  cudaError_t error = cudaGetDevice(&device);
  if (!error) error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  if (!error)
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_each, sweeps_kernel<DEPTH>,
                                                          threads.x * threads.y, 0);
  if (error) return error;
  const int useful = 4 * (WARP - 2 * ((DEPTH + 3) / 4)); /* columns of a strip that are not halo */
  const unsigned across = ceil_div(ceil_div(plate.cols, useful), threads.y);
  const unsigned bands = max(blocks_each * processors / across, 1u);
  const int band = max((int)ceil_div(plate.rows, bands), 2 * DEPTH);
  sweeps_kernel<DEPTH><<<dim3(across, ceil_div(plate.rows, band)), threads>>>(d_p, d_next, plate, band);
  return cudaGetLastError();
}

static cudaError_t launch_sweep_wide(const float *d_p, float *d_next, plate plate) {
  const dim3 threads(WARP, 8),
      blocks(ceil_div(plate.cols, 4 * threads.x), ceil_div(plate.rows, 2 * threads.y));
  sweep_wide_kernel<<<blocks, threads>>>(d_p, d_next, plate);
  return cudaGetLastError();
}

/* The ladder, fastest last. */
static const struct stage {
  const char *name, *idea;
  cudaError_t (*function)(const float *d_p, float *d_next, plate plate);
  int depth;            /* sweeps in one call */
  int cols_multiple_of; /* constraint on the plate */
} stages[] = {
    {"plain", "one cell a thread", launch_sweep<float>, 1, 1},
    {"wide", "float4, two rows a thread", launch_sweep_wide, 1, 4},
    {"stream 2", "2 sweeps a load", launch_sweeps<2>, 2, 4},
    {"stream 4", "4 sweeps a load", launch_sweeps<4>, 4, 4},
    {"stream 8", "8 sweeps a load", launch_sweeps<8>, 8, 4},
    {"stream 12", "12 sweeps a load", launch_sweeps<12>, 12, 4},
};

/* The stage that does the most sweeps at a time, at most `left`, on this plate. */
static const stage *best_stage(plate plate, int left) {
  const stage *best = &stages[0];
  for (const stage &s : stages)
    if (s.depth <= left && plate.cols % s.cols_multiple_of == 0) best = &s;
  return best;
}
// #endregion task-further

cudaError_t sweeps(float *d_p, float *d_work, plate plate, int count) {
  // #region task-further
  //: /* TODO go further: start with `count` sweeps of task 1, swapping pointers; the answer ends in d_p. */
  //: return cudaSuccess;
  const size_t size_bytes = (size_t)plate.rows * plate.cols * sizeof *d_p;
  if (size_bytes == 0) return cudaSuccess;
  cudaError_t error = cudaSuccess;
  float *now = d_p, *next = d_work;
  while (count > 0 && !error) {
    const stage *s = best_stage(plate, count);
    error = s->function(now, next, plate);
    count -= s->depth;
    float *const swap = now;
    now = next;
    next = swap;
  }
  if (error || now == d_p) return error;
  return cudaMemcpyAsync(d_p, now, size_bytes, cudaMemcpyDeviceToDevice, 0);
  // #endregion task-further
}
