/* A host thread for each device. They meet once in each round, so that no event is waited for before it is
 * recorded; events alternate, so that none is recorded again too early. Ranks hide their rows behind the
 * interior, too. */
#include "multigpu.h"
#include <math.h>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

/* A call is made only if none failed before. */
#define DO(call)                                                                                             \
  if (!error) error = (call)

static int least(int a, int b) { return a < b ? a : b; }
static int most(int a, int b) { return a < b ? b : a; }

/* A row for each blockIdx.y, and then the row that is gridDim.y further. */
static __global__ void rows_kernel(const float *d_now, float *d_next, plate p, int top, int first, int end,
                                   int apart) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= p.cols) return;
  for (long long row = first + (long long)blockIdx.y * apart; row < end;
       row += (long long)gridDim.y * apart) {
    const size_t i = (size_t)(row - top) * p.cols + col;
    const bool edge = row == 0 || row == p.rows - 1 || col == 0 || col == p.cols - 1;
    if (edge)
      d_next[i] = d_now[i];
    else {
      const float sum = (d_now[i - p.cols] + d_now[i + p.cols]) + (d_now[i - 1] + d_now[i + 1]);
      d_next[i] = (row == p.source_row && col == p.source_col ? sum + p.strength : sum) / 4;
    }
  }
}

/* Of the rows first, first + apart, first + 2 * apart, ... before end. */
static cudaError_t sweep(const float *d_now, float *d_next, plate p, int top, int first, int end, int apart,
                         cudaStream_t stream) {
  if (first >= end) return cudaSuccess;
  const dim3 blocks((unsigned)((p.cols + 63) / 64), (unsigned)least((end - first - 1) / apart + 1, 2048));
  rows_kernel<<<blocks, 64, 0, stream>>>(d_now, d_next, p, top, first, end, apart);
  return cudaGetLastError();
}

/* The interior in one stream, the first and the last row, in one kernel, in another. */
static cudaError_t sweep_edges(const float *d_now, float *d_next, plate p, int top, int first, int end,
                               cudaStream_t stream) {
  return sweep(d_now, d_next, p, top, first, end, most(1, end - 1 - first), stream);
}

/* Threads meet here. All see the same: whether any of them has met an error so far. */
class meeting {
  std::mutex lock;
  std::condition_variable all_here;
  int threads, here = 0, times = 0;
  cudaError_t first = cudaSuccess, agreed = cudaSuccess;

public:
  explicit meeting(int threads) : threads(threads) {}
  cudaError_t meet(cudaError_t error) {
    std::unique_lock<std::mutex> held(lock);
    if (!first) first = error;
    const int now = times;
    if (++here == threads) {
      here = 0;
      times++;
      agreed = first;
      all_here.notify_all();
    } else
      all_here.wait(held, [&] { return times != now; });
    return agreed;
  }
};

struct worker {
  int first, end, top, bottom;
  float *d_rows[2];
  cudaStream_t main, side;
  cudaEvent_t sent[2], edges, inner; /* of rounds with an even and with an odd number */
};

struct job {
  float *d_p;
  plate p;
  int count, depth;
  bool hidden;
  std::vector<worker> workers;
  meeting place;
  float *at(int i, int which, int row) const {
    return workers[i].d_rows[which] + (size_t)(row - workers[i].top) * p.cols;
  }
};

static cudaError_t reach(int from, int to) {
  int can = 0;
  cudaError_t error = cudaDeviceCanAccessPeer(&can, from, to);
  if (can) DO(cudaDeviceEnablePeerAccess(to, 0));
  if (error != cudaErrorPeerAccessAlreadyEnabled) return error;
  cudaGetLastError();
  return cudaSuccess;
}

static cudaError_t make(const job &j, worker &w, int i) {
  const size_t room = (size_t)(w.bottom - w.top) * j.p.cols * sizeof(float);
  cudaError_t error = cudaSetDevice(i);
  for (int other = 0; other < (int)j.workers.size(); other++)
    if (other != i && (other == 0 || other == i - 1 || other == i + 1)) DO(reach(i, other));
  for (float *&d : w.d_rows) DO(cudaMalloc(&d, room));
  DO(cudaStreamCreateWithFlags(&w.main, cudaStreamNonBlocking));
  DO(cudaStreamCreateWithFlags(&w.side, cudaStreamNonBlocking));
  for (cudaEvent_t *e : {&w.sent[0], &w.sent[1], &w.edges, &w.inner})
    DO(cudaEventCreateWithFlags(e, cudaEventDisableTiming));
  DO(cudaMemcpyAsync(w.d_rows[0], j.d_p + (size_t)w.top * j.p.cols, room, cudaMemcpyDefault, w.main));
  for (cudaEvent_t e : {w.sent[1], w.edges, w.inner}) DO(cudaEventRecord(e, w.main));
  return error;
}

static void release(const worker &w) {
  for (cudaEvent_t e : {w.sent[0], w.sent[1], w.edges, w.inner})
    if (e) cudaEventDestroy(e);
  for (cudaStream_t s : {w.main, w.side})
    if (s) cudaStreamDestroy(s);
  for (float *d : w.d_rows) cudaFree(d);
}

/* What the thread of device i does; the array w.d_rows[now] is the one that the next sweep reads. */
static void work(job &j, int i, cudaError_t *result) {
  worker &w = j.workers[i];
  const int parts = (int)j.workers.size(), neighbours[] = {i - 1, i + 1};
  cudaError_t error = make(j, w, i);
  const cudaStream_t out = j.hidden ? w.side : w.main;
  int now = 0, round = 0;
  cudaError_t agreed = j.place.meet(error);
  for (int done = 0; done < j.count && !agreed; round++) {
    const int batch = least(j.depth, j.count - done);
    done += batch;
    for (int n : neighbours)
      if (n >= 0 && n < parts) DO(cudaStreamWaitEvent(out, j.workers[n].sent[(round + 1) % 2], 0));
    if (j.hidden) {
      DO(cudaStreamWaitEvent(w.side, w.inner, 0));
      DO(cudaStreamWaitEvent(w.main, w.edges, 0));
      DO(sweep_edges(w.d_rows[now], w.d_rows[!now], j.p, w.top, w.first, w.end, w.side));
      DO(cudaEventRecord(w.edges, w.side));
      DO(sweep(w.d_rows[now], w.d_rows[!now], j.p, w.top, w.first + 1, w.end - 1, 1, w.main));
      DO(cudaEventRecord(w.inner, w.main));
      now = !now;
    } else
      for (int left = batch - 1; left >= 0; left--, now = !now)
        DO(sweep(w.d_rows[now], w.d_rows[!now], j.p, w.top, most(w.top, w.first - left),
                 least(w.bottom, w.end + left), 1, w.main));
    if (j.depth > 1) { /* a neighbour may still read the halo into which the rows go */
      DO(cudaEventRecord(w.inner, w.main));
      agreed = j.place.meet(error);
      for (int n : neighbours)
        if (n >= 0 && n < parts) DO(cudaStreamWaitEvent(out, j.workers[n].inner, 0));
    }
    for (int n : neighbours) {
      if (n < 0 || n >= parts || done == j.count) continue;
      const int row = n < i ? w.first : w.end - j.depth;
      DO(cudaMemcpyAsync(j.at(n, now, row), j.at(i, now, row), (size_t)j.depth * j.p.cols * sizeof(float),
                         cudaMemcpyDefault, out));
    }
    DO(cudaEventRecord(w.sent[round % 2], out));
    agreed = j.place.meet(error);
  }
  if (!agreed) {
    DO(cudaStreamWaitEvent(w.main, w.edges, 0));
    DO(cudaMemcpyAsync(j.d_p + (size_t)w.first * j.p.cols, j.at(i, now, w.first),
                       (size_t)(w.end - w.first) * j.p.cols * sizeof(float), cudaMemcpyDefault, w.main));
  }
  for (cudaStream_t s : {w.main, w.side}) {
    const cudaError_t waited = s ? cudaStreamSynchronize(s) : cudaSuccess;
    DO(waited);
  }
  *result = j.place.meet(error); /* before any neighbour's memory is freed */
  release(w);
}

static cudaError_t on_devices(float *d_p, plate p, int devices, int count, int depth, bool hidden) {
  if (p.rows == 0 || p.cols == 0 || count == 0) return cudaSuccess;
  const int parts = least(devices, p.rows);
  depth = least(depth, p.rows / parts);
  job j = {d_p, p, count, depth, hidden, std::vector<worker>(parts), meeting(parts)};
  for (int i = 0; i < parts; i++) {
    worker &w = j.workers[i];
    w.first = first_row(p.rows, parts, i), w.end = first_row(p.rows, parts, i + 1);
    w.top = most(0, w.first - depth), w.bottom = least(p.rows, w.end + depth);
  }
  std::vector<std::thread> threads;
  cudaError_t error = cudaSuccess;
  std::vector<cudaError_t> results(parts);
  for (int i = 1; i < parts; i++) threads.emplace_back(work, std::ref(j), i, &results[i]);
  work(j, 0, &results[0]);
  for (std::thread &t : threads) t.join();
  for (cudaError_t each : results) DO(each);
  return error;
}

cudaError_t sweeps(float *d_p, plate p, int devices, int count) {
  return on_devices(d_p, p, devices, count, 1, false);
}
cudaError_t sweeps_hidden(float *d_p, plate p, int devices, int count) {
  return on_devices(d_p, p, devices, count, 1, true);
}
cudaError_t sweeps_deep(float *d_p, plate p, int devices, int count) {
  return on_devices(d_p, p, devices, count, 12, false);
}

/* A block adds up its changes in shared memory. */
static __global__ void change_kernel(const float *d_a, const float *d_b, size_t cells, double *d_sum) {
  __shared__ double sums[256];
  double sum = 0;
  for (size_t i = blockIdx.x * 256 + threadIdx.x; i < cells; i += (size_t)gridDim.x * 256)
    sum += pow((double)d_a[i] - (double)d_b[i], 2);
  sums[threadIdx.x] = sum;
  for (int half = 128; half > 0; half /= 2) {
    __syncthreads();
    if ((int)threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0) atomicAdd(d_sum, sums[0]);
}

struct rank_state {
  worker w;
  ncclComm_t comm;
  double *d_sum;
  int now;
};

/* The edges in stream side, and their way to the neighbours; the interior in stream main meanwhile. */
static cudaError_t rank_sweep(rank_state &r, plate p, int rank, int ranks) {
  worker &w = r.w;
  const int now = r.now, owners = least(ranks, p.rows);
  float *const d_now = w.d_rows[now], *const d_next = w.d_rows[!now];
  cudaError_t error = ncclGroupStart() == ncclSuccess ? cudaSuccess : cudaErrorUnknown;
  const bool opened = !error;
  for (int n : {rank - 1, rank + 1}) {
    if (n < 0 || n >= owners || rank >= owners) continue;
    const int mine = n < rank ? w.first : w.end - 1, its = n < rank ? w.top : w.end;
    DO(cuda_error(ncclSend(d_now + (size_t)(mine - w.top) * p.cols, p.cols, ncclFloat, n, r.comm, w.side)));
    DO(cuda_error(ncclRecv(d_now + (size_t)(its - w.top) * p.cols, p.cols, ncclFloat, n, r.comm, w.side)));
  }
  if (opened) {
    const cudaError_t ended = cuda_error(ncclGroupEnd());
    DO(ended);
  }
  DO(sweep(d_now, d_next, p, w.top, w.first + 1, w.end - 1, 1, w.main));
  DO(cudaEventRecord(w.inner, w.main));
  DO(sweep_edges(d_now, d_next, p, w.top, w.first, w.end, w.side));
  DO(cudaEventRecord(w.edges, w.side));
  DO(cudaStreamWaitEvent(w.main, w.edges, 0));
  DO(cudaStreamWaitEvent(w.side, w.inner, 0));
  r.now = !now;
  return error;
}

static cudaError_t look(const rank_state &r, plate p, double *change) {
  const worker &w = r.w;
  const size_t cells = (size_t)(w.end - w.first) * p.cols, skip = (size_t)(w.first - w.top) * p.cols;
  cudaError_t error = cudaMemsetAsync(r.d_sum, 0, sizeof *r.d_sum, w.main);
  if (cells && !error) {
    change_kernel<<<64, 256, 0, w.main>>>(w.d_rows[0] + skip, w.d_rows[1] + skip, cells, r.d_sum);
    error = cudaGetLastError();
  }
  DO(cuda_error(ncclAllReduce(r.d_sum, r.d_sum, 1, ncclDouble, ncclSum, r.comm, w.main)));
  DO(cudaMemcpyAsync(change, r.d_sum, sizeof *change, cudaMemcpyDeviceToHost, w.main));
  DO(cudaStreamSynchronize(w.main));
  *change = sqrt(*change);
  return error;
}

static cudaError_t as_rank(float *d_rows, plate p, int rank, int ranks, ncclUniqueId id, int count,
                           const stopping *stop, outcome *reached) {
  rank_state r = {};
  worker &w = r.w;
  w.first = first_row(p.rows, ranks, rank), w.end = first_row(p.rows, ranks, rank + 1);
  const bool owns = w.first < w.end;
  w.top = owns ? most(0, w.first - 1) : w.first, w.bottom = owns ? least(p.rows, w.end + 1) : w.end;
  const size_t row_bytes = p.cols * sizeof(float), own = (size_t)(w.first - w.top) * p.cols;
  cudaError_t error = cuda_error(ncclCommInitRank(&r.comm, ranks, id, rank));
  for (float *&d : w.d_rows) DO(cudaMalloc(&d, (w.bottom - w.top) * row_bytes + 4));
  DO(cudaMalloc(&r.d_sum, sizeof *r.d_sum));
  for (cudaStream_t *s : {&w.main, &w.side}) DO(cudaStreamCreateWithFlags(s, cudaStreamNonBlocking));
  for (cudaEvent_t *e : {&w.edges, &w.inner}) DO(cudaEventCreateWithFlags(e, cudaEventDisableTiming));
  if (owns)
    DO(cudaMemcpyAsync(w.d_rows[0] + own, d_rows, (w.end - w.first) * row_bytes, cudaMemcpyDeviceToDevice,
                       w.main));
  DO(cudaEventRecord(w.inner, w.main));
  DO(cudaStreamWaitEvent(w.side, w.inner, 0));
  for (int done = 1; done <= count && !error; done++) {
    DO(rank_sweep(r, p, rank, ranks));
    if (!stop || (done % stop->check_every && done < count)) continue;
    reached->sweeps = done;
    DO(look(r, p, &reached->change));
    if (reached->change < stop->tolerance) break;
  }
  if (owns)
    DO(cudaMemcpyAsync(d_rows, w.d_rows[r.now] + own, (w.end - w.first) * row_bytes, cudaMemcpyDeviceToDevice,
                       w.main));
  if (error && r.comm) ncclCommAbort(r.comm), r.comm = nullptr;
  for (cudaStream_t s : {w.main, w.side}) {
    const cudaError_t waited = s ? cudaStreamSynchronize(s) : cudaSuccess;
    DO(waited);
  }
  release(w);
  cudaFree(r.d_sum);
  if (r.comm) ncclCommDestroy(r.comm);
  return error;
}

cudaError_t sweeps_rank(float *d_rows, plate p, int rank, int ranks, ncclUniqueId id, int count) {
  return p.rows && p.cols ? as_rank(d_rows, p, rank, ranks, id, count, nullptr, nullptr) : cudaSuccess;
}
cudaError_t solve_rank(float *d_rows, plate p, int rank, int ranks, ncclUniqueId id, stopping stop,
                       outcome *reached) {
  return as_rank(d_rows, p, rank, ranks, id, stop.most, &stop, reached);
}
