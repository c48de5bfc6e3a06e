/* Each device has room for the whole plate, twice, so row r is row r everywhere. A device fetches the rows that it
 * needs; in task 2 it has a stream for each neighbour. Even ranks send first and odd ones receive first, without
 * groups; the ranks' changes are gathered, and each rank adds them up. */
#include "multigpu.h"
#include <math.h>
#include <stdlib.h>

enum { MOST = 64, ABOVE = 0, BELOW = 1, MAIN = 2 };

/* A thread goes down a column of up to 16 rows, and keeps the two rows above the next one. */
static __global__ void columns_kernel(const float *d_from, float *d_to, plate p, int first, int end) {
  const size_t cols = p.cols, col = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  const long long start = first + 16LL * blockIdx.y;
  if (col >= cols || start >= end) return;
  float above = start > 0 ? d_from[(start - 1) * cols + col] : 0, here = d_from[start * cols + col];
  for (long long row = start; row < start + 16 && row < end; row++) {
    const size_t i = row * cols + col;
    const float below = row + 1 < p.rows ? d_from[i + cols] : 0;
    float value = here;
    if (row > 0 && row + 1 < p.rows && col > 0 && col + 1 < cols) {
      const float upright = above + below, level = d_from[i - 1] + d_from[i + 1];
      value = row == p.source_row && (int)col == p.source_col ? (upright + level + p.strength) / 4
                                                              : (upright + level) / 4;
    }
    d_to[i] = value;
    above = here;
    here = below;
  }
}

static cudaError_t sweep(const float *d_from, float *d_to, plate p, int first, int end, cudaStream_t stream) {
  if (first >= end) return cudaSuccess;
  columns_kernel<<<dim3((p.cols - 1) / 128 + 1, (end - first - 1) / 16 + 1), 128, 0, stream>>>(d_from, d_to,
                                                                                               p, first, end);
  return cudaGetLastError();
}

typedef struct holder {
  int first, end;
  float *d_plate[2]; /* the second follows the first */
  cudaStream_t stream[3];
  cudaEvent_t swept[3][2]; /* what each stream sweeps, in rounds with an even and an odd number */
  cudaEvent_t fetched[3];  /* its halo */
} holder;

static cudaError_t prepare(holder *h, const float *d_p, plate p, int parts, int i) {
  const size_t cells = (size_t)p.rows * p.cols;
  cudaError_t error = cudaSetDevice(i);
  h->first = first_row(p.rows, parts, i);
  h->end = first_row(p.rows, parts, i + 1);
  for (int other = 0; other < parts && !error; other++) {
    int can;
    if (other == i) continue;
    error = cudaDeviceCanAccessPeer(&can, i, other);
    if (error || !can) continue;
    error = cudaDeviceEnablePeerAccess(other, 0);
    if (error == cudaErrorPeerAccessAlreadyEnabled) error = cudaSuccess, cudaGetLastError();
  }
  if (!error) error = cudaMalloc((void **)&h->d_plate[0], 2 * cells * sizeof(float));
  if (error) return error;
  h->d_plate[1] = h->d_plate[0] + cells;
  for (int s = 0; s < 3 && !error; s++) {
    error = cudaStreamCreateWithFlags(&h->stream[s], cudaStreamNonBlocking);
    for (int odd = 0; odd < 2 && !error; odd++)
      error = cudaEventCreateWithFlags(&h->swept[s][odd], cudaEventDisableTiming);
    if (!error) error = cudaEventCreateWithFlags(&h->fetched[s], cudaEventDisableTiming);
  }
  /* The first exchange fetches the halo. */
  if (!error)
    error = cudaMemcpyAsync(h->d_plate[0] + (size_t)h->first * p.cols, d_p + (size_t)h->first * p.cols,
                            (size_t)(h->end - h->first) * p.cols * sizeof(float), cudaMemcpyDefault,
                            h->stream[MAIN]);
  for (int s = 0; s < 3 && !error; s++) error = cudaEventRecord(h->swept[s][1], h->stream[MAIN]);
  return error;
}

/* `count` rows from `row` on, of device `from`. */
static cudaError_t fetch(const holder *all, int to, int from, plate p, int now, int row, int count,
                         int stream) {
  const size_t skip = (size_t)row * p.cols;
  return cudaMemcpyAsync(all[to].d_plate[now] + skip, all[from].d_plate[now] + skip,
                         (size_t)count * p.cols * sizeof(float), cudaMemcpyDefault, all[to].stream[stream]);
}

static int lower(int a, int b) { return a < b ? a : b; }

/* Tasks 1 and further: all fetch `depth` rows, then all sweep `batch` times. */
static cudaError_t fetch_round(const holder *all, plate p, int parts, int depth, int batch, int now) {
  cudaError_t error = cudaSuccess;
  for (int i = 0; i < parts && !error; i++) {
    const cudaStream_t stream = all[i].stream[MAIN];
    error = cudaSetDevice(i);
    for (int n = i - 1; n <= i + 1 && !error; n += 2) {
      if (n < 0 || n >= parts) continue;
      error = cudaStreamWaitEvent(stream, all[n].swept[MAIN][1], 0);
      if (!error) error = fetch(all, i, n, p, now, n < i ? all[n].end - depth : all[n].first, depth, MAIN);
    }
    if (!error) error = cudaEventRecord(all[i].fetched[MAIN], stream);
  }
  for (int i = 0; i < parts && !error; i++) {
    const holder *h = &all[i];
    error = cudaSetDevice(i);
    for (int n = i - 1; n <= i + 1 && !error; n += 2)
      if (n >= 0 && n < parts) error = cudaStreamWaitEvent(h->stream[MAIN], all[n].fetched[MAIN], 0);
    for (int k = 1; k <= batch && !error; k++) {
      const int more = batch - k, first = h->first > more ? h->first - more : 0;
      error = sweep(h->d_plate[now ^ ((k - 1) & 1)], h->d_plate[now ^ (k & 1)], p, i ? first : 0,
                    i < parts - 1 ? lower(p.rows, h->end + more) : p.rows, h->stream[MAIN]);
    }
    if (!error) error = cudaEventRecord(h->swept[MAIN][1], h->stream[MAIN]);
  }
  return error;
}

/* Task 2, one device and one sweep: while the rows come, the interior. */
static cudaError_t hidden_round(const holder *all, plate p, int parts, int i, int round) {
  const holder *h = &all[i];
  const int now = round % 2, before = !now, single = h->end - h->first == 1;
  cudaError_t error = cudaSetDevice(i);
  if (!error && single) error = cudaStreamWaitEvent(h->stream[ABOVE], h->swept[BELOW][before], 0);
  for (int s = ABOVE; s <= BELOW && !error; s++) {
    const int n = s == ABOVE ? i - 1 : i + 1;
    if (n < 0 || n >= parts) continue;
    for (int its = ABOVE; its <= BELOW && !error; its++)
      error = cudaStreamWaitEvent(h->stream[s], all[n].swept[its][before], 0);
    if (!error) error = fetch(all, i, n, p, now, n < i ? h->first - 1 : h->end, 1, s);
  }
  for (int s = 0; s < 3 && !error; s++)
    for (int other = 0; other < 3 && !error; other++)
      if (other != s) error = cudaStreamWaitEvent(h->stream[s], h->swept[other][before], 0);
  if (!error && single) { /* one row needs both */
    error = cudaEventRecord(h->fetched[ABOVE], h->stream[ABOVE]);
    if (!error) error = cudaStreamWaitEvent(h->stream[BELOW], h->fetched[ABOVE], 0);
  }
  if (!error && !single)
    error = sweep(h->d_plate[now], h->d_plate[before], p, h->first, h->first + 1, h->stream[ABOVE]);
  if (!error) error = sweep(h->d_plate[now], h->d_plate[before], p, h->end - 1, h->end, h->stream[BELOW]);
  if (!error)
    error = sweep(h->d_plate[now], h->d_plate[before], p, h->first + 1, h->end - 1, h->stream[MAIN]);
  for (int s = 0; s < 3 && !error; s++) error = cudaEventRecord(h->swept[s][now], h->stream[s]);
  return error;
}

static cudaError_t all_sweeps(float *d_p, plate p, int devices, int count, int depth, int hidden) {
  if (p.rows == 0 || p.cols == 0 || count == 0) return cudaSuccess;
  holder all[MOST] = {};
  const int parts = lower(lower(devices, p.rows), MOST);
  int now = 0;
  cudaError_t error = cudaSuccess;
  depth = lower(depth, p.rows / parts);
  for (int i = 0; i < parts && !error; i++) error = prepare(&all[i], d_p, p, parts, i);
  if (hidden)
    for (int k = 0; k < count && !error; k++, now = !now)
      for (int i = 0; i < parts && !error; i++) error = hidden_round(all, p, parts, i, k);
  else
    for (int left = count; left > 0 && !error; left -= depth) {
      const int batch = lower(depth, left);
      error = fetch_round(all, p, parts, depth, batch, now);
      now ^= batch & 1;
    }
  for (int i = 0; i < parts && !error; i++) {
    const holder *h = &all[i];
    error = cudaSetDevice(i);
    for (int s = ABOVE; s <= BELOW && hidden && !error; s++)
      error = cudaStreamWaitEvent(h->stream[MAIN], h->swept[s][!now], 0);
    if (!error)
      error = cudaMemcpyAsync(d_p + (size_t)h->first * p.cols, h->d_plate[now] + (size_t)h->first * p.cols,
                              (size_t)(h->end - h->first) * p.cols * sizeof(float), cudaMemcpyDefault,
                              h->stream[MAIN]);
  }
  for (int i = 0; i < parts; i++)
    for (int s = 0; s < 3; s++) {
      const cudaError_t waited = all[i].stream[s] ? cudaStreamSynchronize(all[i].stream[s]) : cudaSuccess;
      if (!error) error = waited;
    }
  for (int i = 0; i < parts; i++) {
    cudaSetDevice(i);
    for (int s = 0; s < 3; s++) {
      if (all[i].fetched[s]) cudaEventDestroy(all[i].fetched[s]);
      for (int odd = 0; odd < 2; odd++)
        if (all[i].swept[s][odd]) cudaEventDestroy(all[i].swept[s][odd]);
      if (all[i].stream[s]) cudaStreamDestroy(all[i].stream[s]);
    }
    cudaFree(all[i].d_plate[0]);
  }
  const cudaError_t chosen = cudaSetDevice(0);
  return error ? error : chosen;
}

cudaError_t sweeps(float *d_p, plate plate, int devices, int count) {
  return all_sweeps(d_p, plate, devices, count, 1, 0);
}
cudaError_t sweeps_hidden(float *d_p, plate plate, int devices, int count) {
  return all_sweeps(d_p, plate, devices, count, 1, 1);
}
cudaError_t sweeps_deep(float *d_p, plate plate, int devices, int count) {
  return all_sweeps(d_p, plate, devices, count, 8, 0);
}

/* The change of a block of 128 cells after another, a partial sum for each of 64 blocks. */
static __global__ void change_kernel(const float *d_a, const float *d_b, size_t cells, double *d_partial) {
  __shared__ double warps[4];
  double sum = 0;
  for (size_t i = blockIdx.x * 128 + threadIdx.x; i < cells; i += 64 * 128)
    sum += ((double)d_a[i] - d_b[i]) * ((double)d_a[i] - d_b[i]);
  for (int apart = 1; apart < 32; apart *= 2) sum += __shfl_xor_sync(0xffffffff, sum, apart);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) d_partial[blockIdx.x] = (warps[0] + warps[1]) + (warps[2] + warps[3]);
}
static __global__ void total_kernel(const double *d_partial, double *d_total) {
  double sum = d_partial[threadIdx.x] + d_partial[threadIdx.x + 32];
  for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_down_sync(0xffffffff, sum, apart);
  if (threadIdx.x == 0) *d_total = sum;
}

typedef struct joined {
  int rank, ranks, first, end; /* its rows; row first - 1 begins its arrays */
  float *d_rows[2];
  double *d_sums; /* of the ranks, then 64 of its own, then its total */
  double *sums;
  ncclComm_t comm;
  cudaStream_t stream;
} joined;

/* First the pairs 0-1, 2-3 and so on, then 1-2, 3-4 and so on; in each the even rank sends first. */
static cudaError_t swap_rows(const joined *m, plate p, float *d_rows) {
  const size_t cols = p.cols;
  for (int turn = 0; turn < 2; turn++) {
    const int below = m->rank % 2 == turn, other = below ? m->rank + 1 : m->rank - 1;
    if (other < 0 || other >= m->ranks || other >= p.rows) continue;
    float *const mine = d_rows + (below ? m->end - m->first : 1) * cols, *const its =
                                                                             d_rows +
                                                                             (below ? m->end - m->first + 1
                                                                                    : 0) *
                                                                                 cols;
    for (int step = 0; step < 2; step++) {
      const ncclResult_t result = m->rank % 2 == step
                                      ? ncclSend(mine, cols, ncclFloat, other, m->comm, m->stream)
                                      : ncclRecv(its, cols, ncclFloat, other, m->comm, m->stream);
      if (result != ncclSuccess) return cuda_error(result);
    }
  }
  return cudaSuccess;
}

static cudaError_t look(const joined *m, plate p, double *change) {
  double *const d_partial = m->d_sums + m->ranks, *const d_total = d_partial + 64;
  change_kernel<<<64, 128, 0, m->stream>>>(m->d_rows[0] + p.cols, m->d_rows[1] + p.cols,
                                           (size_t)(m->end - m->first) * p.cols, d_partial);
  cudaError_t error = cudaGetLastError();
  if (error) return error;
  total_kernel<<<1, 32, 0, m->stream>>>(d_partial, d_total);
  error = cudaGetLastError();
  if (!error) error = cuda_error(ncclAllGather(d_total, m->d_sums, 1, ncclDouble, m->comm, m->stream));
  if (!error)
    error = cudaMemcpyAsync(m->sums, m->d_sums, m->ranks * sizeof(double), cudaMemcpyDeviceToHost, m->stream);
  if (!error) error = cudaStreamSynchronize(m->stream);
  double sum = 0;
  for (int i = 0; i < m->ranks && !error; i++) sum += m->sums[i];
  *change = sqrt(sum);
  return error;
}

static cudaError_t take_part(float *d_rows, plate p, int rank, int ranks, ncclUniqueId id, int count,
                             stopping stop, outcome *reached) {
  joined m = {};
  m.rank = rank, m.ranks = ranks;
  m.first = first_row(p.rows, ranks, rank), m.end = first_row(p.rows, ranks, rank + 1);
  const size_t own = (size_t)(m.end - m.first) * p.cols, room = own + 2 * (size_t)p.cols;
  int now = 0, done = 0, most = count;
  cudaError_t error = cuda_error(ncclCommInitRank(&m.comm, ranks, id, rank));
  if (!error) error = cudaStreamCreateWithFlags(&m.stream, cudaStreamNonBlocking);
  if (!error) error = cudaMalloc((void **)&m.d_rows[0], 2 * room * sizeof(float));
  if (!error) error = cudaMalloc((void **)&m.d_sums, (ranks + 65) * sizeof(double));
  m.sums = (double *)malloc(ranks * sizeof(double));
  if (!error && !m.sums) error = cudaErrorMemoryAllocation;
  m.d_rows[1] = m.d_rows[0] + room;
  if (!error && own)
    error = cudaMemcpyAsync(m.d_rows[0] + p.cols, d_rows, own * sizeof(float), cudaMemcpyDeviceToDevice,
                            m.stream);
  while (!error && done < most) {
    /* Row r of the plate is row r - first + 1 of the arrays. */
    const ptrdiff_t shift = (ptrdiff_t)(m.first - 1) * p.cols;
    if (own) error = swap_rows(&m, p, m.d_rows[now]);
    if (!error) error = sweep(m.d_rows[now] - shift, m.d_rows[!now] - shift, p, m.first, m.end, m.stream);
    now = !now;
    done++;
    if (error || !reached || (done % stop.check_every != 0 && done != count)) continue;
    reached->sweeps = done;
    error = look(&m, p, &reached->change);
    if (reached->change < stop.tolerance) most = done;
  }
  if (!error && own)
    error = cudaMemcpyAsync(d_rows, m.d_rows[now] + p.cols, own * sizeof(float), cudaMemcpyDeviceToDevice,
                            m.stream);
  if (error && m.comm) ncclCommAbort(m.comm);
  const cudaError_t waited = m.stream ? cudaStreamSynchronize(m.stream) : cudaSuccess;
  if (!error && m.comm) ncclCommDestroy(m.comm);
  if (!error) error = waited;
  cudaFree(m.d_sums);
  cudaFree(m.d_rows[0]);
  free(m.sums);
  if (m.stream) cudaStreamDestroy(m.stream);
  return error;
}

cudaError_t sweeps_rank(float *d_rows, plate plate, int rank, int ranks, ncclUniqueId id, int count) {
  if (plate.rows == 0 || plate.cols == 0) return cudaSuccess;
  const stopping never = {0, 1, 1};
  return take_part(d_rows, plate, rank, ranks, id, count, never, NULL);
}
cudaError_t solve_rank(float *d_rows, plate plate, int rank, int ranks, ncclUniqueId id, stopping stop,
                       outcome *reached) {
  return take_part(d_rows, plate, rank, ranks, id, stop.most, stop, reached);
}
