/* A kernel sweeps twice while it has a tile in shared memory, so every function has a halo of two rows and sends
 * them after every second sweep. Both edges of a part are one launch. The second sweep adds up the change. Of
 * several calls the first that fails ends them: error = f() || ... */
#include "multigpu.h"
#include <math.h>
#include <algorithm>
#include <vector>

enum { WIDE = 32, HIGH = 8 };
struct span {
  int first, end;
  int count() const { return std::max(0, end - first); }
};

/* `steps` sweeps of the rows of a (blockIdx.z = 0) or b (1); d_now and d_next begin with row held.first. The squares
 * of the last sweep's changes are added to *d_sum, if there is one. */
template <int steps>
static __global__ void tile_kernel(const float *d_now, float *d_next, plate p, span held, span a, span b,
                                   double *d_sum) {
  enum { across = WIDE + 2 * steps, down = HIGH + 2 * steps };
  __shared__ float tile[2][down][across];
  const span rows = blockIdx.z ? b : a;
  const int me = threadIdx.y * WIDE + threadIdx.x, left = blockIdx.x * WIDE - steps;
  double sum = 0;
  for (int start = rows.first + blockIdx.y * HIGH; start < rows.end; start += gridDim.y * HIGH) {
    const int top = start - steps;
    for (int t = me; t < down * across; t += WIDE * HIGH) {
      const int row = top + t / across, col = left + t % across;
      const bool needed = row >= rows.first - steps && row < rows.end + steps;
      const bool there = needed && row >= held.first && row < held.end && col >= 0 && col < p.cols;
      tile[0][t / across][t % across] = there ? d_now[(size_t)(row - held.first) * p.cols + col] : 0;
    }
    __syncthreads();
    for (int step = 1; step <= steps; step++) {
      const float(*from)[across] = tile[(step - 1) & 1];
      const int high = down - 2 * step, wide = across - 2 * step;
      for (int t = me; t < high * wide; t += WIDE * HIGH) {
        const int y = step + t / wide, x = step + t % wide, row = top + y, col = left + x;
        const bool inside = row > 0 && row < p.rows - 1 && col > 0 && col < p.cols - 1;
        float value = from[y][x];
        if (inside) {
          value = (from[y - 1][x] + from[y + 1][x]) + (from[y][x - 1] + from[y][x + 1]);
          value = (row == p.source_row && col == p.source_col ? value + p.strength : value) / 4;
        }
        if (step < steps)
          tile[step & 1][y][x] = value;
        else if (row < rows.end && col < p.cols) {
          d_next[(size_t)(row - held.first) * p.cols + col] = value;
          const double change = (double)value - (double)from[y][x];
          sum += change * change;
        }
      }
      __syncthreads();
    }
  }
  if (!d_sum) return;
  for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_down_sync(0xffffffff, sum, apart);
  if (me % 32 == 0) atomicAdd(d_sum, sum);
}

struct piece {
  span own, held;
  float *d_now, *d_next;
  size_t at(plate p, int row) const { return (size_t)(row - held.first) * p.cols; }
  void swap() { std::swap(d_now, d_next); }
};

static cudaError_t tiles(const piece &h, plate p, int steps, span a, span b, double *d_sum,
                         cudaStream_t stream) {
  const int high = std::max(a.count(), b.count());
  if (high == 0) return cudaSuccess;
  const dim3 blocks((p.cols + WIDE - 1) / WIDE, std::min((high + HIGH - 1) / HIGH, 8192), b.count() ? 2 : 1);
  const dim3 threads(WIDE, HIGH);
  if (steps == 2)
    tile_kernel<2><<<blocks, threads, 0, stream>>>(h.d_now, h.d_next, p, h.held, a, b, d_sum);
  else
    tile_kernel<1><<<blocks, threads, 0, stream>>>(h.d_now, h.d_next, p, h.held, a, b, d_sum);
  return cudaGetLastError();
}

/* `batch` sweeps, two at a time: before `left` further ones the part and so many rows of the halo are needed. */
static cudaError_t advance(piece &h, plate p, int batch, double *d_sum, cudaStream_t stream) {
  cudaError_t error = cudaSuccess;
  while (batch > 0 && !error) {
    const int steps = std::min(2, batch), left = batch -= steps;
    const span rows = {std::max(h.held.first, h.own.first - left), std::min(h.held.end, h.own.end + left)};
    error = tiles(h, p, steps, rows, {0, 0}, left ? nullptr : d_sum, stream);
    if (left) h.swap();
  }
  return error;
}

static piece cut(plate p, int parts, int i, int halo) {
  piece h = {};
  h.own = {first_row(p.rows, parts, i), first_row(p.rows, parts, i + 1)};
  h.held = h.own;
  if (h.own.count()) h.held = {std::max(0, h.own.first - halo), std::min(p.rows, h.own.end + halo)};
  return h;
}

struct gpu {
  piece h;
  cudaStream_t inner, outer;
  cudaEvent_t inner_done, outer_done, sent;
};
typedef std::vector<gpu> gpus;

template <typename F> static cudaError_t with_neighbours(const gpus &all, int i, F call) {
  cudaError_t error = cudaSuccess;
  if (i > 0) error = call(i - 1);
  if (!error && i + 1 < (int)all.size()) error = call(i + 1);
  return error;
}

static cudaError_t reach(int from, int to) {
  int can;
  cudaError_t error;
  if ((error = cudaDeviceCanAccessPeer(&can, from, to)) || !can) return error;
  if ((error = cudaDeviceEnablePeerAccess(to, 0)) != cudaErrorPeerAccessAlreadyEnabled) return error;
  cudaGetLastError();
  return cudaSuccess;
}

static cudaError_t begin(gpus &all, int i, const float *d_p, plate p) {
  gpu &g = all[i];
  const size_t bytes = (size_t)g.h.held.count() * p.cols * sizeof(float);
  const unsigned flags = cudaEventDisableTiming;
  cudaError_t error;
  if ((error = cudaSetDevice(i)) || (error = i > 1 ? reach(i, 0) : cudaSuccess) ||
      (error = with_neighbours(all, i, [&](int n) { return reach(i, n); })) ||
      (error = cudaMalloc(&g.h.d_now, bytes)) || (error = cudaMalloc(&g.h.d_next, bytes)) ||
      (error = cudaStreamCreateWithFlags(&g.inner, cudaStreamNonBlocking)) ||
      (error = cudaStreamCreateWithFlags(&g.outer, cudaStreamNonBlocking)) ||
      (error = cudaEventCreateWithFlags(&g.inner_done, flags)) ||
      (error = cudaEventCreateWithFlags(&g.outer_done, flags)) ||
      (error = cudaEventCreateWithFlags(&g.sent, flags)) ||
      (error = cudaMemcpyPeerAsync(g.h.d_now, i, d_p + (size_t)g.h.held.first * p.cols, 0, bytes, g.outer)) ||
      (error = cudaEventRecord(g.inner_done, g.outer)) || (error = cudaEventRecord(g.outer_done, g.outer)))
    return error;
  return cudaEventRecord(g.sent, g.outer);
}

static void end(const gpu &g, int i) {
  cudaSetDevice(i);
  if (g.sent) cudaEventDestroy(g.sent);
  if (g.outer_done) cudaEventDestroy(g.outer_done);
  if (g.inner_done) cudaEventDestroy(g.inner_done);
  if (g.outer) cudaStreamDestroy(g.outer);
  if (g.inner) cudaStreamDestroy(g.inner);
  cudaFree(g.h.d_next);
  cudaFree(g.h.d_now);
}

/* The part's sweeps of a round: split, the edges run in a stream of their own. */
static cudaError_t round_of(gpus &all, int i, plate p, int batch, int depth, bool split) {
  gpu &g = all[i];
  const auto halo_there = [&](int n) { return cudaStreamWaitEvent(g.outer, all[n].sent, 0); };
  cudaError_t error;
  if ((error = cudaSetDevice(i)) || (error = with_neighbours(all, i, halo_there))) return error;
  if (!split) {
    if ((error = advance(g.h, p, batch, nullptr, g.outer))) return error;
    return cudaEventRecord(g.outer_done, g.outer);
  }
  const span low = {g.h.own.first, std::min(g.h.own.end, g.h.own.first + depth)},
             high = {std::max(low.end, g.h.own.end - depth), g.h.own.end};
  if ((error = cudaStreamWaitEvent(g.inner, g.outer_done, 0)) ||
      (error = cudaStreamWaitEvent(g.outer, g.inner_done, 0)) ||
      (error = tiles(g.h, p, batch, low, high, nullptr, g.outer)) ||
      (error = cudaEventRecord(g.outer_done, g.outer)) ||
      (error = tiles(g.h, p, batch, {low.end, high.first}, {0, 0}, nullptr, g.inner)))
    return error;
  return cudaEventRecord(g.inner_done, g.inner);
}

static cudaError_t send(const gpus &all, int i, plate p, int depth) {
  const gpu &g = all[i];
  cudaError_t error;
  const auto may_be_written = [&](int n) { return cudaStreamWaitEvent(g.outer, all[n].outer_done, 0); };
  const auto rows_to = [&](int n) {
    const int row = n < i ? g.h.own.first : g.h.own.end - depth;
    return cudaMemcpyPeerAsync(all[n].h.d_next + all[n].h.at(p, row), n, g.h.d_next + g.h.at(p, row), i,
                               (size_t)depth * p.cols * sizeof(float), g.outer);
  };
  if ((error = cudaSetDevice(i)) || (error = with_neighbours(all, i, may_be_written)) ||
      (error = with_neighbours(all, i, rows_to)))
    return error;
  return cudaEventRecord(g.sent, g.outer);
}

static cudaError_t on_gpus(float *d_p, plate p, int devices, int count, int depth, bool split) {
  if (p.rows == 0 || p.cols == 0 || count == 0) return cudaSuccess;
  gpus all(std::min(devices, p.rows));
  const int parts = (int)all.size();
  depth = std::min(depth, p.rows / parts);
  cudaError_t error = cudaSuccess;
  for (int i = 0; i < parts; i++) all[i].h = cut(p, parts, i, depth);
  for (int i = 0; i < parts && !error; i++) error = begin(all, i, d_p, p);
  for (int left = count; left > 0 && !error;) {
    const int batch = std::min(depth, left);
    left -= batch;
    for (int i = 0; i < parts && !error; i++) error = round_of(all, i, p, batch, depth, split);
    for (int i = 0; i < parts && !error && left; i++) error = send(all, i, p, depth);
    for (gpu &g : all) g.h.swap();
  }
  for (int i = 0; i < parts && !error; i++) {
    const piece &h = all[i].h;
    if ((error = cudaSetDevice(i)) || (error = cudaStreamWaitEvent(all[i].outer, all[i].inner_done, 0)))
      break;
    error = cudaMemcpyPeerAsync(d_p + (size_t)h.own.first * p.cols, 0, h.d_now + h.at(p, h.own.first), i,
                                (size_t)h.own.count() * p.cols * sizeof(float), all[i].outer);
  }
  for (const gpu &g : all)
    for (cudaStream_t stream : {g.outer, g.inner}) {
      const cudaError_t waited = stream ? cudaStreamSynchronize(stream) : cudaSuccess;
      if (!error) error = waited;
    }
  for (int i = 0; i < parts; i++) end(all[i], i);
  const cudaError_t chosen = cudaSetDevice(0);
  return error ? error : chosen;
}

cudaError_t sweeps(float *d_p, plate p, int devices, int count) {
  return on_gpus(d_p, p, devices, count, 2, false);
}
cudaError_t sweeps_hidden(float *d_p, plate p, int devices, int count) {
  return on_gpus(d_p, p, devices, count, 2, true);
}
cudaError_t sweeps_deep(float *d_p, plate p, int devices, int count) {
  return on_gpus(d_p, p, devices, count, 10, false);
}

struct member {
  piece h;
  ncclComm_t comm;
  cudaStream_t stream;
  double *d_sum, *sum; /* on the device; on the host, pinned */
  int rank, owners, depth;
};

static cudaError_t exchange(const member &m, plate p) {
  if (m.rank >= m.owners || m.owners == 1) return cudaSuccess;
  ncclResult_t result = ncclGroupStart();
  if (result) return cuda_error(result);
  for (int other = m.rank - 1; other <= m.rank + 1 && !result; other += 2) {
    if (other < 0 || other >= m.owners) continue;
    const span &own = m.h.own;
    const bool up = other < m.rank;
    float *const mine = m.h.d_now + m.h.at(p, up ? own.first : own.end - m.depth),
                 *const its = m.h.d_now + m.h.at(p, up ? own.first - m.depth : own.end);
    const size_t count = (size_t)m.depth * p.cols;
    result = ncclSend(mine, count, ncclFloat, other, m.comm, m.stream);
    if (!result) result = ncclRecv(its, count, ncclFloat, other, m.comm, m.stream);
  }
  const ncclResult_t ended = ncclGroupEnd();
  return cuda_error(result ? result : ended);
}

static cudaError_t as_member(member &m, float *d_rows, plate p, int ranks, ncclUniqueId id, int count,
                             stopping stop, outcome *reached) {
  const size_t row = p.cols * sizeof(float), own = m.h.own.count() * row, room = m.h.held.count() * row + 1;
  cudaError_t error;
  if ((error = cuda_error(ncclCommInitRank(&m.comm, ranks, id, m.rank))) ||
      (error = cudaStreamCreateWithFlags(&m.stream, cudaStreamNonBlocking)) ||
      (error = cudaMalloc(&m.h.d_now, room)) || (error = cudaMalloc(&m.h.d_next, room)) ||
      (error = cudaMalloc(&m.d_sum, sizeof(double))) || (error = cudaMallocHost(&m.sum, sizeof(double))) ||
      (error = own == 0 ? cudaSuccess
                        : cudaMemcpyAsync(m.h.d_now + m.h.at(p, m.h.own.first), d_rows, own,
                                          cudaMemcpyDeviceToDevice, m.stream)))
    return error;
  int done = 0;
  for (bool go_on = count > 0; go_on;) {
    const int check = reached ? std::min(count, (done / stop.check_every + 1) * stop.check_every) : count;
    if (reached && (error = cudaMemsetAsync(m.d_sum, 0, sizeof(double), m.stream))) return error;
    while (done < check) {
      const int batch = std::min(m.depth, check - done);
      done += batch;
      if ((error = exchange(m, p)) ||
          (error = advance(m.h, p, batch, reached && done == check ? m.d_sum : nullptr, m.stream)))
        return error;
      m.h.swap();
    }
    go_on = done < count;
    if (!reached) continue;
    if ((error = cuda_error(ncclAllReduce(m.d_sum, m.d_sum, 1, ncclDouble, ncclSum, m.comm, m.stream))) ||
        (error = cudaMemcpyAsync(m.sum, m.d_sum, sizeof(double), cudaMemcpyDeviceToHost, m.stream)) ||
        (error = cudaStreamSynchronize(m.stream)))
      return error;
    *reached = {done, sqrt(*m.sum)};
    go_on = go_on && !(reached->change < stop.tolerance);
  }
  if (own)
    error = cudaMemcpyAsync(d_rows, m.h.d_now + m.h.at(p, m.h.own.first), own, cudaMemcpyDeviceToDevice,
                            m.stream);
  return error ? error : cudaStreamSynchronize(m.stream);
}

static cudaError_t run_rank(float *d_rows, plate p, int rank, int ranks, ncclUniqueId id, int count,
                            stopping stop, outcome *reached) {
  member m = {};
  m.rank = rank;
  m.owners = std::min(ranks, p.rows);
  m.depth = p.rows / std::max(1, m.owners) >= 2 ? 2 : 1;
  m.h = cut(p, ranks, rank, m.depth);
  const cudaError_t error = as_member(m, d_rows, p, ranks, id, count, stop, reached);
  if (m.comm && error) ncclCommAbort(m.comm);
  if (m.stream) cudaStreamSynchronize(m.stream);
  if (m.sum) cudaFreeHost(m.sum);
  cudaFree(m.d_sum);
  cudaFree(m.h.d_next);
  cudaFree(m.h.d_now);
  if (m.stream) cudaStreamDestroy(m.stream);
  if (m.comm && !error) ncclCommDestroy(m.comm);
  return error;
}

cudaError_t sweeps_rank(float *d_rows, plate p, int rank, int ranks, ncclUniqueId id, int count) {
  if (p.rows == 0 || p.cols == 0) return cudaSuccess;
  return run_rank(d_rows, p, rank, ranks, id, count, {0, 1, 1}, nullptr);
}
cudaError_t solve_rank(float *d_rows, plate p, int rank, int ranks, ncclUniqueId id, stopping stop,
                       outcome *reached) {
  return run_rank(d_rows, p, rank, ranks, id, stop.most, stop, reached);
}
