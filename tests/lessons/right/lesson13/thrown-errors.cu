/* Errors are thrown, and owners release what they own. One routine does tasks 1, 2 and further. One kernel sweeps
 * both edges of a part, with a stride of the grid. Task 2 queues the interior first: the rows travel behind the
 * interior of the next sweep. */
#include "multigpu.h"
#include <math.h>
#include <algorithm>
#include <memory>
#include <vector>

static void check(cudaError_t error) {
  if (error) throw error;
}
static void check(ncclResult_t result) { check(cuda_error(result)); }

/* Owned by one device, and released on it. */
template <typename T> struct owned {
  cudaError_t (*release)(T);
  T it = nullptr;
  int device;
  explicit owned(cudaError_t (*by)(T)) : release(by) { check(cudaGetDevice(&device)); }
  ~owned() {
    if (it) cudaSetDevice(device), release(it);
  }
  owned(const owned &) = delete;
  operator T() const { return it; }
};
struct stream : owned<cudaStream_t> {
  stream() : owned(cudaStreamDestroy) { check(cudaStreamCreateWithFlags(&it, cudaStreamNonBlocking)); }
};
struct event : owned<cudaEvent_t> {
  event() : owned(cudaEventDestroy) { check(cudaEventCreateWithFlags(&it, cudaEventDisableTiming)); }
};
template <typename T> struct memory : owned<void *> {
  explicit memory(size_t count) : owned(cudaFree) { check(cudaMalloc(&it, count * sizeof(T) + 1)); }
  T *at(size_t i) const { return (T *)it + i; }
};

struct rows {
  int first, end;
};

/* Sweeps the rows of a and of b. Where d_sum is given, adds the squares of the changes to it. */
static __global__ void sweep_kernel(const float *d_now, float *d_next, plate plate, int top, rows a, rows b,
                                    double *d_sum) {
  const int in_a = a.end - a.first, all = in_a + b.end - b.first, col = blockIdx.x * 32 + threadIdx.x;
  double sum = 0;
  for (int k = blockIdx.y * 8 + threadIdx.y; k < all && col < plate.cols; k += gridDim.y * 8) {
    const int row = k < in_a ? a.first + k : b.first + k - in_a;
    const float *old = d_now + (size_t)(row - top) * plate.cols + col;
    float value = *old;
    if (row > 0 && row < plate.rows - 1 && col > 0 && col < plate.cols - 1) {
      value = (old[-plate.cols] + old[plate.cols]) + (old[-1] + old[1]);
      if (row == plate.source_row && col == plate.source_col) value += plate.strength;
      value *= 0.25f;
    }
    d_next[old - d_now] = value;
    sum += ((double)value - *old) * ((double)value - *old);
  }
  if (!d_sum) return;
  for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_down_sync(0xffffffff, sum, apart);
  if (threadIdx.x == 0) atomicAdd(d_sum, sum);
}

/* The rows of a device or rank, with room for `halo` rows of each neighbour. */
struct part {
  plate p;
  int first, end, top, bottom, now = 0;
  memory<float> a, b;
  stream main;
  part(plate p, int parts, int i, int halo)
      : p(p), first(first_row(p.rows, parts, i)), end(first_row(p.rows, parts, i + 1)),
        top(std::max(0, first - halo)), bottom(std::min(p.rows, end + halo)), a(room()), b(room()) {}
  size_t room() const { return (size_t)(bottom - top) * p.cols; }
  float *row(int which, int r) const { return (which ? b : a).at((size_t)(r - top) * p.cols); }
  size_t bytes(int count) const { return (size_t)count * p.cols * sizeof(float); }
  void sweep(cudaStream_t in, rows x, rows y = {0, 0}, double *d_sum = nullptr) const {
    const int count = x.end - x.first + y.end - y.first;
    if (count <= 0) return;
    const dim3 blocks((p.cols + 31) / 32, std::min((count + 7) / 8, 4096)), threads(32, 8);
    sweep_kernel<<<blocks, threads, 0, in>>>(row(now, top), row(!now, top), p, top, x, y, d_sum);
    check(cudaGetLastError());
  }
};

struct device_part : part {
  int device;
  stream border;
  event sent, swept, bordered;
  device_part(plate p, int parts, int i, int halo) : part(p, parts, i, halo), device(i) {}
};

static void reach(int device, int other) {
  int can = 0;
  check(cudaDeviceCanAccessPeer(&can, device, other));
  const cudaError_t error = can ? cudaDeviceEnablePeerAccess(other, 0) : cudaSuccess;
  if (error != cudaErrorPeerAccessAlreadyEnabled)
    check(error);
  else
    cudaGetLastError();
}

/* All parts. At the end nothing is released before all devices are done with it. */
struct team {
  std::vector<std::unique_ptr<device_part>> all;
  ~team() {
    for (const auto &p : all) cudaStreamSynchronize(p->main), cudaStreamSynchronize(p->border);
    all.clear();
    cudaSetDevice(0);
  }
};

/* Copies `depth` rows to the halo of part i + step. */
static void send(const team &t, int i, int step, int depth, cudaStream_t in) {
  if (i + step < 0 || i + step >= (int)t.all.size()) return;
  const device_part &from = *t.all[i], &to = *t.all[i + step];
  const int row = step < 0 ? from.first : from.end - depth;
  check(cudaMemcpyPeerAsync(to.row(!to.now, row), to.device, from.row(!from.now, row), from.device,
                            from.bytes(depth), in));
}

/* Part i, filled from d_p. */
static void add_part(team &t, const float *d_p, plate p, int parts, int i, int depth) {
  check(cudaSetDevice(i));
  if (i > 0) reach(i, i - 1);
  if (i + 1 < parts) reach(i, i + 1);
  t.all.emplace_back(new device_part(p, parts, i, depth));
  const device_part &d = *t.all[i];
  check(cudaMemcpyPeerAsync(d.row(0, d.top), i, d_p + (size_t)d.top * p.cols, 0, d.bytes(d.bottom - d.top),
                            d.main));
  for (const event *e : {&d.sent, &d.swept, &d.bordered}) check(cudaEventRecord(*e, d.main));
}

static void run(float *d_p, plate p, int devices, int count, int depth, bool hidden) {
  team t;
  const int parts = std::min(devices, p.rows);
  depth = std::min(depth, p.rows / parts);
  for (int i = 0; i < parts; i++) add_part(t, d_p, p, parts, i, depth);
  const auto await_neighbours = [&](int i, cudaStream_t in, const event device_part::*e) {
    for (int n : {i - 1, i + 1})
      if (n >= 0 && n < parts) check(cudaStreamWaitEvent(in, (*t.all[n]).*e, 0));
  };
  for (int done = 0; done < count;) {
    const int batch = std::min(depth, count - done);
    done += batch;
    for (int i = 0; i < parts; i++) {
      device_part &d = *t.all[i];
      check(cudaSetDevice(i));
      if (hidden) {
        const int inner = std::min(d.first + 1, d.end), low = std::max(inner, d.end - 1);
        check(cudaStreamWaitEvent(d.main, d.bordered, 0));
        d.sweep(d.main, {inner, low});
        check(cudaEventRecord(d.swept, d.main));
        check(cudaStreamWaitEvent(d.border, d.swept, 0));
        await_neighbours(i, d.border, &device_part::sent);
        d.sweep(d.border, {d.first, inner}, {low, d.end});
        check(cudaEventRecord(d.bordered, d.border));
        continue;
      }
      await_neighbours(i, d.main, &device_part::sent);
      for (int left = batch - 1; left >= 0; left--) {
        d.sweep(d.main, {std::max(d.top, d.first - left), std::min(d.bottom, d.end + left)});
        if (left) d.now = !d.now;
      }
      check(cudaEventRecord(d.swept, d.main));
    }
    for (int i = 0; i < parts && done < count; i++) {
      const device_part &d = *t.all[i];
      const cudaStream_t in = hidden ? d.border : d.main;
      check(cudaSetDevice(i));
      if (!hidden) await_neighbours(i, in, &device_part::swept);
      send(t, i, -1, depth, in);
      send(t, i, +1, depth, in);
      check(cudaEventRecord(d.sent, in));
    }
    for (const auto &d : t.all) d->now = !d->now;
  }
  for (const auto &d : t.all) {
    check(cudaSetDevice(d->device));
    check(cudaStreamWaitEvent(d->main, d->bordered, 0));
    check(cudaMemcpyPeerAsync(d_p + (size_t)d->first * p.cols, 0, d->row(d->now, d->first), d->device,
                              d->bytes(d->end - d->first), d->main));
  }
  for (const auto &d : t.all) check(cudaStreamSynchronize(d->main)), check(cudaStreamSynchronize(d->border));
}

template <typename F> static cudaError_t caught(F work) {
  try {
    work();
  } catch (cudaError_t error) {
    cudaSetDevice(0);
    return error;
  }
  return cudaSetDevice(0);
}

static cudaError_t plate_on(float *d_p, plate p, int devices, int count, int depth, bool hidden) {
  if (p.rows == 0 || p.cols == 0 || count == 0) return cudaSuccess;
  return caught([&] { run(d_p, p, devices, count, depth, hidden); });
}
cudaError_t sweeps(float *d_p, plate p, int devices, int count) {
  return plate_on(d_p, p, devices, count, 1, false);
}
cudaError_t sweeps_hidden(float *d_p, plate p, int devices, int count) {
  return plate_on(d_p, p, devices, count, 1, true);
}
cudaError_t sweeps_deep(float *d_p, plate p, int devices, int count) {
  return plate_on(d_p, p, devices, count, 8, false);
}

/* A rank that does not come to `finish` leaves the others without waiting for them. */
struct communicator {
  ncclComm_t it = nullptr;
  ~communicator() {
    if (it) ncclCommAbort(it);
  }
};

static void rank_sweeps(float *d_rows, plate p, int rank, int ranks, ncclUniqueId id, int count,
                        stopping stop, outcome *reached) {
  communicator comm;
  check(ncclCommInitRank(&comm.it, ranks, id, rank));
  const bool owns = rank < p.rows;
  part d(p, ranks, rank, owns);
  memory<double> sum(1);
  try {
    if (owns)
      check(cudaMemcpyAsync(d.row(0, d.first), d_rows, d.bytes(d.end - d.first), cudaMemcpyDeviceToDevice,
                            d.main));
    for (int done = 1; done <= count; done++, d.now = !d.now) {
      const bool look = reached && (done % stop.check_every == 0 || done == count);
      if (look) check(cudaMemsetAsync(sum, 0, sizeof(double), d.main));
      if (owns) {
        check(ncclGroupStart());
        ncclResult_t result = ncclSuccess;
        for (int other : {rank - 1, rank + 1}) {
          if (other < 0 || other >= std::min(ranks, p.rows) || result) continue;
          const int mine = other < rank ? d.first : d.end - 1, its = other < rank ? d.top : d.end;
          result = ncclRecv(d.row(d.now, its), p.cols, ncclFloat, other, comm.it, d.main);
          if (!result) result = ncclSend(d.row(d.now, mine), p.cols, ncclFloat, other, comm.it, d.main);
        }
        const ncclResult_t ended = ncclGroupEnd();
        check(result ? result : ended);
        d.sweep(d.main, {d.first, d.end}, {0, 0}, look ? sum.at(0) : nullptr);
      }
      if (!look) continue;
      check(ncclAllReduce(sum, sum, 1, ncclDouble, ncclSum, comm.it, d.main));
      check(cudaMemcpyAsync(&reached->change, sum, sizeof(double), cudaMemcpyDeviceToHost, d.main));
      check(cudaStreamSynchronize(d.main));
      *reached = {done, sqrt(reached->change)};
      if (reached->change < stop.tolerance) count = done;
    }
    if (owns)
      check(cudaMemcpyAsync(d_rows, d.row(d.now, d.first), d.bytes(d.end - d.first), cudaMemcpyDeviceToDevice,
                            d.main));
    check(cudaStreamSynchronize(d.main));
  } catch (...) {
    ncclCommAbort(comm.it);
    comm.it = nullptr;
    cudaStreamSynchronize(d.main);
    throw;
  }
  const ncclComm_t done = comm.it;
  comm.it = nullptr;
  ncclCommDestroy(done);
}

static cudaError_t rank_caught(float *d_rows, plate p, int rank, int ranks, ncclUniqueId id, int count,
                               stopping stop, outcome *reached) {
  try {
    rank_sweeps(d_rows, p, rank, ranks, id, count, stop, reached);
  } catch (cudaError_t error) {
    return error;
  }
  return cudaSuccess;
}
cudaError_t sweeps_rank(float *d_rows, plate p, int rank, int ranks, ncclUniqueId id, int count) {
  if (p.rows == 0 || p.cols == 0) return cudaSuccess;
  return rank_caught(d_rows, p, rank, ranks, id, count, {0, 1, 1}, nullptr);
}
cudaError_t solve_rank(float *d_rows, plate p, int rank, int ranks, ncclUniqueId id, stopping stop,
                       outcome *reached) {
  return rank_caught(d_rows, p, rank, ranks, id, stop.most, stop, reached);
}
