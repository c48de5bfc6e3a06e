/* Two sweeps of all devices are one graph, captured from device 0's stream: the host launches it once for
 * two sweeps. In task 2 three streams of each device take part. Ranks get their memory from their stream,
 * and wait for events. */
#include "multigpu.h"
#include <math.h>
#include <vector>

/* A thread for each cell of the rows first to end - 1, counted from the first cell of these rows. */
static __global__ void cells_kernel(const float *d_now, float *d_next, plate p, int top, int first, int end) {
  const size_t all = (size_t)(end - first) * p.cols, stride = (size_t)gridDim.x * blockDim.x;
  for (size_t k = (size_t)blockIdx.x * blockDim.x + threadIdx.x; k < all; k += stride) {
    const int row = first + (int)(k / p.cols), col = (int)(k % p.cols);
    const size_t i = k + (size_t)(first - top) * p.cols;
    float next = d_now[i];
    if (row % (p.rows - 1 ? p.rows - 1 : 1) != 0 && col % (p.cols - 1 ? p.cols - 1 : 1) != 0) {
      next = (d_now[i - p.cols] + d_now[i + p.cols]) + (d_now[i - 1] + d_now[i + 1]);
      if (row == p.source_row && col == p.source_col) next += p.strength;
      next *= 0.25f;
    }
    d_next[i] = next;
  }
}

struct strip {
  int device, first, end, top, bottom;
  float *d[2]; /* before sweeps with an even number, and with an odd one */
  cudaStream_t main, up, down;
  cudaEvent_t before, swept[3], copied; /* swept: of main, up, down */
  int rows() const { return end - first; }
};

struct fleet {
  plate p;
  std::vector<strip> all;
  cudaStream_t lead; /* of device 0 */
  cudaEvent_t go;
  cudaGraph_t graph;
  cudaGraphExec_t twice;
  int halo;
};

static cudaError_t sweep(const strip &s, plate p, int odd, int first, int end, cudaStream_t stream) {
  if (first >= end) return cudaSuccess;
  const size_t blocks = ((size_t)(end - first) * p.cols + 191) / 192;
  cells_kernel<<<(unsigned)(blocks < 1 << 20 ? blocks : 1 << 20), 192, 0, stream>>>(s.d[odd], s.d[!odd], p,
                                                                                    s.top, first, end);
  return cudaGetLastError();
}

/* The row that s and its neighbour `to` share goes into the array that sweep `odd` wrote. */
static cudaError_t send(const strip &s, const strip &to, plate p, int odd, int halo, cudaStream_t stream) {
  const int row = to.device < s.device ? s.first : s.end - halo;
  return cudaMemcpyAsync(to.d[!odd] + (size_t)(row - to.top) * p.cols,
                         s.d[!odd] + (size_t)(row - s.top) * p.cols, (size_t)halo * p.cols * sizeof(float),
                         cudaMemcpyDefault, stream);
}

/* Each device begins after `lead`, and `lead` goes on after all devices. */
static cudaError_t fork(fleet &f) {
  cudaError_t error = cudaEventRecord(f.go, f.lead);
  for (const strip &s : f.all)
    for (cudaStream_t stream : {s.main, s.up, s.down})
      if (!error) error = cudaStreamWaitEvent(stream, f.go, 0);
  return error;
}
static cudaError_t join(fleet &f) {
  cudaError_t error = cudaSuccess;
  for (const strip &s : f.all) {
    const cudaStream_t streams[] = {s.main, s.up, s.down};
    if (!error) error = cudaSetDevice(s.device);
    for (int k = 0; k < 3 && !error; k++) {
      error = cudaEventRecord(s.swept[k], streams[k]);
      if (!error) error = cudaStreamWaitEvent(f.lead, s.swept[k], 0);
    }
  }
  return error ? error : cudaSetDevice(0);
}

/* One sweep of all devices between two joins; hidden: the copies of the edges run while the interior is swept. */
static cudaError_t one_sweep(fleet &f, int odd, bool hidden) {
  const int parts = (int)f.all.size();
  cudaError_t error = fork(f);
  for (int i = 0; i < parts && !error; i++) {
    const strip &s = f.all[i];
    error = cudaSetDevice(i);
    if (!hidden) {
      if (!error) error = sweep(s, f.p, odd, s.first, s.end, s.main);
      if (!error && i > 0) error = send(s, f.all[i - 1], f.p, odd, 1, s.main);
      if (!error && i + 1 < parts) error = send(s, f.all[i + 1], f.p, odd, 1, s.main);
      continue;
    }
    if (!error) error = sweep(s, f.p, odd, s.first, s.first + 1, s.up);
    if (!error && s.rows() > 1) error = sweep(s, f.p, odd, s.end - 1, s.end, s.down);
    if (!error && s.rows() == 1) { /* its only row is swept in `up` */
      error = cudaEventRecord(s.copied, s.up);
      if (!error) error = cudaStreamWaitEvent(s.down, s.copied, 0);
    }
    if (!error && i > 0) error = send(s, f.all[i - 1], f.p, odd, 1, s.up);
    if (!error && i + 1 < parts) error = send(s, f.all[i + 1], f.p, odd, 1, s.down);
    if (!error) error = sweep(s, f.p, odd, s.first + 1, s.end - 1, s.main);
  }
  return error ? error : join(f);
}

/* `batch` sweeps, of fewer rows each time, and then the exchange. */
static cudaError_t deep_round(fleet &f, int odd, int batch) {
  const int parts = (int)f.all.size();
  cudaError_t error = fork(f);
  for (const strip &s : f.all) {
    if (!error) error = cudaSetDevice(s.device);
    for (int k = 0; k < batch && !error; k++) {
      const int more = batch - 1 - k, first = s.first - more, end = s.end + more;
      error = sweep(s, f.p, (odd + k) % 2, first < s.top ? s.top : first, end > s.bottom ? s.bottom : end,
                    s.main);
    }
  }
  if (!error) error = join(f);
  if (!error) error = fork(f);
  for (int i = 0; i < parts && !error; i++) {
    const int last = (odd + batch - 1) % 2;
    error = cudaSetDevice(i);
    if (!error && i > 0) error = send(f.all[i], f.all[i - 1], f.p, last, f.halo, f.all[i].up);
    if (!error && i + 1 < parts) error = send(f.all[i], f.all[i + 1], f.p, last, f.halo, f.all[i].down);
  }
  return error ? error : join(f);
}

static cudaError_t capture(fleet &f, bool hidden) {
  cudaError_t error = cudaStreamBeginCapture(f.lead, cudaStreamCaptureModeThreadLocal);
  if (error) return error;
  error = one_sweep(f, 0, hidden);
  if (!error) error = one_sweep(f, 1, hidden);
  const cudaError_t ended = cudaStreamEndCapture(f.lead, &f.graph);
  if (!error) error = ended;
  return error ? error : cudaGraphInstantiate(&f.twice, f.graph, 0);
}

static cudaError_t reach(int from, int to) {
  int can = 0;
  cudaError_t error = cudaDeviceCanAccessPeer(&can, from, to);
  if (!error && can) error = cudaDeviceEnablePeerAccess(to, 0);
  if (error != cudaErrorPeerAccessAlreadyEnabled) return error;
  cudaGetLastError();
  return cudaSuccess;
}

static cudaError_t start(fleet &f, int i, const float *d_p) {
  strip &s = f.all[i];
  const int parts = (int)f.all.size();
  cudaError_t error = cudaSetDevice(i);
  for (int n = 0; n < parts && !error; n++)
    if (n != i) error = reach(i, n);
  const size_t bytes = (size_t)(s.bottom - s.top) * f.p.cols * sizeof(float);
  for (cudaStream_t *stream : {&s.main, &s.up, &s.down})
    if (!error) error = cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking);
  for (cudaEvent_t *event : {&s.before, &s.swept[0], &s.swept[1], &s.swept[2], &s.copied})
    if (!error) error = cudaEventCreateWithFlags(event, cudaEventDisableTiming);
  for (float *&d : s.d)
    if (!error) error = cudaMalloc(&d, bytes);
  if (!error)
    error = cudaMemcpyAsync(s.d[0], d_p + (size_t)s.top * f.p.cols, bytes, cudaMemcpyDefault, s.main);
  return error;
}

static void stop(const fleet &f) {
  if (f.twice) cudaGraphExecDestroy(f.twice);
  if (f.graph) cudaGraphDestroy(f.graph);
  for (const strip &s : f.all) {
    cudaSetDevice(s.device);
    for (cudaEvent_t event : {s.before, s.swept[0], s.swept[1], s.swept[2], s.copied})
      if (event) cudaEventDestroy(event);
    for (cudaStream_t stream : {s.main, s.up, s.down})
      if (stream) cudaStreamDestroy(stream);
    for (float *d : s.d) cudaFree(d);
  }
  cudaSetDevice(0);
  if (f.go) cudaEventDestroy(f.go);
  if (f.lead) cudaStreamDestroy(f.lead);
}

static cudaError_t run(fleet &f, float *d_p, int count, int depth, bool hidden) {
  cudaError_t error = cudaStreamCreateWithFlags(&f.lead, cudaStreamNonBlocking);
  if (!error) error = cudaEventCreateWithFlags(&f.go, cudaEventDisableTiming);
  for (size_t i = 0; i < f.all.size() && !error; i++) error = start(f, (int)i, d_p);
  if (!error) error = join(f);
  if (depth > 1)
    for (int done = 0; done < count && !error; done += depth)
      error = deep_round(f, done % 2, count - done < depth ? count - done : depth);
  else {
    if (!error && count > 1) error = capture(f, hidden);
    for (int k = 1; k < count && !error; k += 2) error = cudaGraphLaunch(f.twice, f.lead);
    if (!error && count % 2) error = one_sweep(f, 0, hidden);
  }
  if (!error) error = fork(f);
  for (const strip &s : f.all) {
    const size_t skip = (size_t)s.first * f.p.cols;
    if (!error) error = cudaSetDevice(s.device);
    if (!error)
      error = cudaMemcpyAsync(d_p + skip, s.d[count % 2] + skip - (size_t)s.top * f.p.cols,
                              (size_t)s.rows() * f.p.cols * sizeof(float), cudaMemcpyDefault, s.main);
  }
  if (!error) error = join(f);
  if (!error) error = cudaEventRecord(f.go, f.lead);
  return error ? error : cudaEventSynchronize(f.go);
}

static cudaError_t on_fleet(float *d_p, plate p, int devices, int count, int depth, bool hidden) {
  if (p.rows == 0 || p.cols == 0 || count == 0) return cudaSuccess;
  fleet f = {};
  const int parts = devices < p.rows ? devices : p.rows, least = p.rows / parts;
  f.p = p;
  f.halo = depth < least ? depth : least;
  f.all.resize(parts);
  for (int i = 0; i < parts; i++) {
    strip &s = f.all[i];
    s.device = i;
    s.first = first_row(p.rows, parts, i), s.end = first_row(p.rows, parts, i + 1);
    s.top = s.first < f.halo ? 0 : s.first - f.halo;
    s.bottom = p.rows - s.end < f.halo ? p.rows : s.end + f.halo;
  }
  cudaError_t error = run(f, d_p, count, f.halo, hidden);
  if (error) /* work may still run that was queued before */
    for (const strip &s : f.all)
      if (!cudaSetDevice(s.device)) cudaDeviceSynchronize();
  stop(f);
  return error;
}

cudaError_t sweeps(float *d_p, plate p, int devices, int count) {
  return on_fleet(d_p, p, devices, count, 1, false);
}
cudaError_t sweeps_hidden(float *d_p, plate p, int devices, int count) {
  return on_fleet(d_p, p, devices, count, 1, true);
}
cudaError_t sweeps_deep(float *d_p, plate p, int devices, int count) {
  return on_fleet(d_p, p, devices, count, 8, false);
}

/* The changes of a block meet in shared memory. */
static __global__ void change_kernel(const float *d_a, const float *d_b, size_t cells, double *d_sum) {
  __shared__ double block;
  if (threadIdx.x == 0) block = 0;
  __syncthreads();
  double sum = 0;
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < cells; i += gridDim.x * blockDim.x)
    sum += ((double)d_a[i] - (double)d_b[i]) * ((double)d_a[i] - (double)d_b[i]);
  atomicAdd(&block, sum);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(d_sum, block);
}

struct seat {
  strip s;
  ncclComm_t comm;
  double *d_sum; /* its own, and the sum of all */
};

static cudaError_t rank_run(seat &m, float *d_rows, plate p, int rank, int ranks, ncclUniqueId id, int most,
                            const stopping *when, outcome *reached) {
  strip &s = m.s;
  const int owners = ranks < p.rows ? ranks : p.rows, cols = p.cols;
  s.first = first_row(p.rows, ranks, rank), s.end = first_row(p.rows, ranks, rank + 1);
  s.top = s.first - 1; /* a row of halo at either side, also at the edge of the plate */
  const size_t own = (size_t)s.rows() * cols, room = (own + 2 * (size_t)cols) * sizeof(float);
  cudaError_t error = cuda_error(ncclCommInitRank(&m.comm, ranks, id, rank));
  if (!error) error = cudaStreamCreateWithFlags(&s.main, cudaStreamNonBlocking);
  if (!error) error = cudaEventCreateWithFlags(&s.before, cudaEventDisableTiming);
  if (!error) error = cudaMallocAsync(&s.d[0], room, s.main);
  if (!error) error = cudaMallocAsync(&s.d[1], room, s.main);
  if (!error) error = cudaMallocAsync(&m.d_sum, 2 * sizeof(double), s.main);
  if (!error && own)
    error = cudaMemcpyAsync(s.d[0] + cols, d_rows, own * sizeof(float), cudaMemcpyDefault, s.main);
  int done = 0;
  while (done < most && !error) {
    float *const d_now = s.d[done % 2];
    if (rank < owners && owners > 1) {
      error = cuda_error(ncclGroupStart());
      const bool open = !error;
      for (int side = 0; side < 4 && !error; side++) { /* receive from above, below; send to above, below */
        const int below = side % 2, other = below ? rank + 1 : rank - 1;
        if (other < 0 || other >= owners) continue;
        float *const d_row = d_now + (side < 2 ? (below ? own + cols : 0) : (below ? own : cols));
        error = cuda_error(side < 2 ? ncclRecv(d_row, cols, ncclFloat, other, m.comm, s.main)
                                    : ncclSend(d_row, cols, ncclFloat, other, m.comm, s.main));
      }
      const cudaError_t closed = open ? cuda_error(ncclGroupEnd()) : cudaSuccess;
      if (!error) error = closed;
    }
    if (!error) error = sweep(s, p, done % 2, s.first, s.end, s.main);
    done++;
    if (!when || error || (done % when->check_every && done < most)) continue;
    double sum = 0;
    error = cudaMemsetAsync(m.d_sum, 0, sizeof(double), s.main);
    if (!error && own) {
      change_kernel<<<256, 512, 0, s.main>>>(s.d[0] + cols, s.d[1] + cols, own, m.d_sum);
      error = cudaGetLastError();
    }
    if (!error)
      error = cuda_error(ncclAllReduce(m.d_sum, m.d_sum + 1, 1, ncclDouble, ncclSum, m.comm, s.main));
    if (!error) error = cudaMemcpyAsync(&sum, m.d_sum + 1, sizeof sum, cudaMemcpyDeviceToHost, s.main);
    if (!error) error = cudaEventRecord(s.before, s.main);
    if (!error) error = cudaEventSynchronize(s.before);
    *reached = {done, sqrt(sum)};
    if (reached->change < when->tolerance) break;
  }
  if (!error && own)
    error = cudaMemcpyAsync(d_rows, s.d[done % 2] + cols, own * sizeof(float), cudaMemcpyDefault, s.main);
  return error;
}

static cudaError_t as_rank(float *d_rows, plate p, int rank, int ranks, ncclUniqueId id, int most,
                           const stopping *when, outcome *reached) {
  seat m = {};
  cudaError_t error = rank_run(m, d_rows, p, rank, ranks, id, most, when, reached);
  const bool failed = error != cudaSuccess;
  if (failed && m.comm) ncclCommAbort(m.comm);
  for (void *d : {(void *)m.s.d[0], (void *)m.s.d[1], (void *)m.d_sum})
    if (d) {
      const cudaError_t freed = cudaFreeAsync(d, m.s.main);
      if (!error) error = freed;
    }
  const cudaError_t waited = m.s.main ? cudaStreamSynchronize(m.s.main) : cudaSuccess;
  if (m.s.before) cudaEventDestroy(m.s.before);
  if (m.s.main) cudaStreamDestroy(m.s.main);
  if (!failed && m.comm) ncclCommDestroy(m.comm);
  return error ? error : waited;
}

cudaError_t sweeps_rank(float *d_rows, plate p, int rank, int ranks, ncclUniqueId id, int count) {
  if (p.rows == 0 || p.cols == 0) return cudaSuccess;
  return as_rank(d_rows, p, rank, ranks, id, count, nullptr, nullptr);
}
cudaError_t solve_rank(float *d_rows, plate p, int rank, int ranks, ncclUniqueId id, stopping when,
                       outcome *reached) {
  return as_rank(d_rows, p, rank, ranks, id, when.most, &when, reached);
}
