/* A grid-stride loop over the cells of a part, in blocks of one dimension, and copies that name both
 * devices. */
#include "multigpu.h"
#include <math.h>
#include <vector>

/* A part of the plate on its device. */
struct part {
  int device;
  int first, end;        /* it owns the rows first .. end - 1 */
  int top, bottom;       /* its arrays hold the rows top .. bottom - 1: its own, and a halo at either side */
  float *d_now, *d_next; /* before and after a sweep */
  cudaStream_t stream;   /* its kernels, in task 2 those of the interior */
  cudaStream_t border;   /* in task 2 the kernels of its first and last row, and the copies */
  cudaEvent_t sent;      /* its rows have reached its neighbours */
  cudaEvent_t swept;     /* its last sweep is done; in task 2 that of the interior */
  cudaEvent_t bordered;  /* in task 2 that of the first and last row is done */
};

/* Where `row` of the plate is in one of the part's arrays. */
static float *at(const part &p, float *d_rows, plate plate, int row) {
  return d_rows + (size_t)(row - p.top) * plate.cols;
}

/* lesson08's sweep, of the rows first .. end - 1. Both arrays begin with row `top`. */
static __global__ void sweep_kernel(const float *d_now, float *d_next, plate plate, int top, int first,
                                    int end) {
  const size_t cols = plate.cols, count = (size_t)(end - first) * cols;
  const size_t stride = (size_t)gridDim.x * blockDim.x;
  for (size_t k = (size_t)blockIdx.x * blockDim.x + threadIdx.x; k < count; k += stride) {
    const int row = first + (int)(k / cols), col = (int)(k % cols);
    const size_t i = (size_t)(row - top) * cols + col;
    float value = d_now[i];
    if (row > 0 && row < plate.rows - 1 && col > 0 && col < plate.cols - 1) {
      value = (d_now[i - cols] + d_now[i + cols]) + (d_now[i - 1] + d_now[i + 1]);
      if (row == plate.source_row && col == plate.source_col) value += plate.strength;
      value *= 0.25f;
    }
    d_next[i] = value;
  }
}

/* Queues a sweep of the rows first .. end - 1 of a part; there may be none. The part's device is the
 * current one. */
static cudaError_t sweep_rows(const part &p, plate plate, int first, int end, cudaStream_t stream) {
  if (first >= end) return cudaSuccess;
  const size_t needed = ((size_t)(end - first) * plate.cols + 159) / 160;
  const unsigned blocks = (unsigned)min(needed, (size_t)2048);
  sweep_kernel<<<blocks, 160, 0, stream>>>(p.d_now, p.d_next, plate, p.top, first, end);
  return cudaGetLastError();
}

static void swap_arrays(part &p) {
  float *const swept = p.d_next;
  p.d_next = p.d_now;
  p.d_now = swept;
}

/* Adds the squares of the differences of `cells` cells to *d_sum: a warp by shuffles, then an atomic. */
static __global__ void change_kernel(const float *d_now, const float *d_next, size_t cells, double *d_sum) {
  const size_t stride = (size_t)gridDim.x * blockDim.x;
  double sum = 0;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < cells; i += stride) {
    const double difference = (double)d_next[i] - (double)d_now[i];
    sum += difference * difference;
  }
  for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_down_sync(0xffffffff, sum, apart);
  if (threadIdx.x % 32 == 0) atomicAdd(d_sum, sum);
}

/* Devices i - 1 and i + 1 own rows that part i needs. */
static bool has_above(const part &p) { return p.top < p.first; }
static bool has_below(const part &p) { return p.end < p.bottom; }

/* After this, copies between the two go straight from one to the other, where the machine can do that. */
static cudaError_t reach(int device, int other) {
  int can = 0;
  cudaError_t error = cudaDeviceCanAccessPeer(&can, device, other);
  if (error || !can) return error;
  error = cudaDeviceEnablePeerAccess(other, 0);
  if (error != cudaErrorPeerAccessAlreadyEnabled) return error;
  cudaGetLastError(); /* it is no error that an earlier call has done it */
  return cudaSuccess;
}

/* Part i with `halo` rows at either side, filled from d_p on device 0. Makes its device the current one. */
static cudaError_t make_part(part &p, const float *d_p, plate plate, int parts, int i, int halo) {
  p.device = i;
  p.first = first_row(plate.rows, parts, i);
  p.end = first_row(plate.rows, parts, i + 1);
  p.top = p.first < halo ? 0 : p.first - halo;
  p.bottom = plate.rows - p.end < halo ? plate.rows : p.end + halo;
  const size_t size_bytes = (size_t)(p.bottom - p.top) * plate.cols * sizeof *d_p;
  int low, high;
  cudaError_t error = cudaSetDevice(i);
  if (!error && i > 0) error = reach(i, 0);
  if (!error && has_above(p) && i > 1) error = reach(i, i - 1);
  if (!error && has_below(p)) error = reach(i, i + 1);
  if (!error) error = cudaMalloc(&p.d_now, size_bytes);
  if (!error) error = cudaMalloc(&p.d_next, size_bytes);
  if (!error) error = cudaDeviceGetStreamPriorityRange(&low, &high);
  if (!error) error = cudaStreamCreateWithFlags(&p.stream, cudaStreamNonBlocking);
  if (!error) error = cudaStreamCreateWithPriority(&p.border, cudaStreamNonBlocking, high);
  if (!error) error = cudaEventCreateWithFlags(&p.sent, cudaEventDisableTiming);
  if (!error) error = cudaEventCreateWithFlags(&p.swept, cudaEventDisableTiming);
  if (!error) error = cudaEventCreateWithFlags(&p.bordered, cudaEventDisableTiming);
  if (!error)
    error =
        cudaMemcpyAsync(p.d_now, d_p + (size_t)p.top * plate.cols, size_bytes, cudaMemcpyDefault, p.stream);
  if (!error) error = cudaEventRecord(p.sent, p.stream);
  if (!error) error = cudaEventRecord(p.swept, p.stream);
  if (!error) error = cudaEventRecord(p.bordered, p.stream);
  return error;
}

/* Also of a part that was only half made. */
static void release_part(const part &p) {
  cudaSetDevice(p.device);
  if (p.bordered) cudaEventDestroy(p.bordered);
  if (p.swept) cudaEventDestroy(p.swept);
  if (p.sent) cudaEventDestroy(p.sent);
  if (p.border) cudaStreamDestroy(p.border);
  if (p.stream) cudaStreamDestroy(p.stream);
  cudaFree(p.d_next);
  cudaFree(p.d_now);
}

/* All parts. Devices that own no row get none. */
static cudaError_t make_parts(std::vector<part> &parts, const float *d_p, plate plate, int devices,
                              int halo) {
  parts.resize(devices < plate.rows ? devices : plate.rows);
  cudaError_t error = cudaSuccess;
  for (size_t i = 0; i < parts.size() && !error; i++)
    error = make_part(parts[i], d_p, plate, (int)parts.size(), (int)i, halo);
  return error;
}

/* `stream` waits until part i's halo holds its neighbours' rows. */
static cudaError_t await_halo(const std::vector<part> &parts, size_t i, cudaStream_t stream) {
  const part &p = parts[i];
  cudaError_t error = cudaSuccess;
  if (has_above(p)) error = cudaStreamWaitEvent(stream, parts[i - 1].sent, 0);
  if (!error && has_below(p)) error = cudaStreamWaitEvent(stream, parts[i + 1].sent, 0);
  return error;
}

/* Copies rows of part i that are new in d_next to the halos of its neighbours. */
static cudaError_t send_rows(const std::vector<part> &parts, size_t i, plate plate, cudaStream_t stream) {
  const part &p = parts[i];
  const size_t row_bytes = plate.cols * sizeof(float);
  cudaError_t error = cudaSuccess;
  if (has_above(p)) {
    const part &to = parts[i - 1]; /* its halo below: rows p.first .. to.bottom - 1 */
    error = cudaMemcpyPeerAsync(at(to, to.d_next, plate, p.first), to.device, at(p, p.d_next, plate, p.first),
                                p.device, (to.bottom - p.first) * row_bytes, stream);
  }
  if (!error && has_below(p)) {
    const part &to = parts[i + 1]; /* its halo above: rows to.top .. p.end - 1 */
    error = cudaMemcpyPeerAsync(at(to, to.d_next, plate, to.top), to.device, at(p, p.d_next, plate, to.top),
                                p.device, (p.end - to.top) * row_bytes, stream);
  }
  if (!error) error = cudaEventRecord(p.sent, stream);
  return error;
}

/* Copies the parts into d_p, waits for everything, and releases the parts; the copies only if nothing went
 * wrong before. Makes device 0 the current one. */
static cudaError_t gather(std::vector<part> &parts, float *d_p, plate plate, cudaError_t error) {
  for (part &p : parts) {
    if (error) break;
    const size_t size_bytes = (size_t)(p.end - p.first) * plate.cols * sizeof *d_p;
    error = cudaSetDevice(p.device);
    if (!error) error = cudaStreamWaitEvent(p.stream, p.bordered, 0);
    if (!error)
      error = cudaMemcpyAsync(d_p + (size_t)p.first * plate.cols, at(p, p.d_now, plate, p.first), size_bytes,
                              cudaMemcpyDefault, p.stream);
  }
  /* A neighbour's copy may still be on its way into an array: wait for all before any is freed. */
  for (const part &p : parts)
    for (const cudaStream_t stream : {p.stream, p.border}) {
      const cudaError_t waited = stream ? cudaStreamSynchronize(stream) : cudaSuccess;
      if (!error) error = waited;
    }
  for (const part &p : parts) release_part(p);
  const cudaError_t chosen = cudaSetDevice(0);
  return error ? error : chosen;
}

cudaError_t sweeps(float *d_p, plate plate, int devices, int count) {
  if (plate.rows == 0 || plate.cols == 0 || count == 0) return cudaSuccess;
  std::vector<part> parts;
  cudaError_t error = make_parts(parts, d_p, plate, devices, 1);
  for (int k = 0; k < count && !error; k++) {
    for (size_t i = 0; i < parts.size() && !error; i++) {
      part &p = parts[i];
      error = cudaSetDevice(p.device);
      if (!error) error = await_halo(parts, i, p.stream);
      if (!error) error = sweep_rows(p, plate, p.first, p.end, p.stream);
    }
    /* Only now: all parts wait for the rows of the last sweep, not of this one. */
    for (size_t i = 0; i < parts.size() && !error && k < count - 1; i++) {
      error = cudaSetDevice(parts[i].device);
      if (!error) error = send_rows(parts, i, plate, parts[i].stream);
    }
    for (part &p : parts) swap_arrays(p);
  }
  return gather(parts, d_p, plate, error);
}

cudaError_t sweeps_hidden(float *d_p, plate plate, int devices, int count) {
  if (plate.rows == 0 || plate.cols == 0 || count == 0) return cudaSuccess;
  std::vector<part> parts;
  cudaError_t error = make_parts(parts, d_p, plate, devices, 1);
  for (int k = 0; k < count && !error; k++) {
    for (size_t i = 0; i < parts.size() && !error; i++) {
      part &p = parts[i];
      error = cudaSetDevice(p.device);
      /* The interior's neighbours are the border rows of the last sweep, and the other way round. */
      if (!error) error = cudaStreamWaitEvent(p.stream, p.bordered, 0);
      if (!error) error = cudaStreamWaitEvent(p.border, p.swept, 0);
      if (!error) error = await_halo(parts, i, p.border);
      if (!error) error = sweep_rows(p, plate, p.first, p.first + 1, p.border);
      if (!error && p.end - 1 > p.first) error = sweep_rows(p, plate, p.end - 1, p.end, p.border);
      if (!error) error = cudaEventRecord(p.bordered, p.border);
      if (!error) error = sweep_rows(p, plate, p.first + 1, p.end - 1, p.stream);
      if (!error) error = cudaEventRecord(p.swept, p.stream);
    }
    for (size_t i = 0; i < parts.size() && !error && k < count - 1; i++) {
      error = cudaSetDevice(parts[i].device);
      if (!error) error = send_rows(parts, i, plate, parts[i].border);
    }
    for (part &p : parts) swap_arrays(p);
  }
  return gather(parts, d_p, plate, error);
}

/* What a rank works with. */
struct member {
  part p;
  ncclComm_t comm;
  double *d_sum; /* of task 4 */
};

/* Its part, with halo rows that are not filled yet, and its place among the ranks. */
static cudaError_t join(member &m, const float *d_rows, plate plate, int rank, int ranks, ncclUniqueId id) {
  part &p = m.p;
  p.first = first_row(plate.rows, ranks, rank);
  p.end = first_row(plate.rows, ranks, rank + 1);
  p.top = p.first > 0 && p.first < p.end ? p.first - 1 : p.first;
  p.bottom = p.end < plate.rows && p.first < p.end ? p.end + 1 : p.end;
  const size_t row_bytes = plate.cols * sizeof(float), size_bytes = (size_t)(p.bottom - p.top) * row_bytes;
  cudaError_t error = cuda_error(ncclCommInitRank(&m.comm, ranks, id, rank));
  if (!error) error = cudaStreamCreateWithFlags(&m.p.stream, cudaStreamNonBlocking);
  if (error || size_bytes == 0) return error;
  error = cudaMalloc(&p.d_now, size_bytes);
  if (!error) error = cudaMalloc(&p.d_next, size_bytes);
  if (!error)
    error = cudaMemcpyAsync(at(p, p.d_now, plate, p.first), d_rows, (p.end - p.first) * row_bytes,
                            cudaMemcpyDeviceToDevice, m.p.stream);
  return error;
}

/* Both ends of a row's way, to and from rank `other`. */
static ncclResult_t swap_rows(const member &m, plate plate, int other, int mine, int its) {
  ncclResult_t result =
      ncclSend(at(m.p, m.p.d_now, plate, mine), plate.cols, ncclFloat, other, m.comm, m.p.stream);
  if (result == ncclSuccess)
    result = ncclRecv(at(m.p, m.p.d_now, plate, its), plate.cols, ncclFloat, other, m.comm, m.p.stream);
  return result;
}

/* Fills the halo of d_now. All four calls are one group: none of them waits for another one to end first. */
static cudaError_t exchange(const member &m, plate plate, int rank) {
  const part &p = m.p;
  ncclResult_t result = ncclGroupStart();
  if (result == ncclSuccess && p.top < p.first) result = swap_rows(m, plate, rank - 1, p.first, p.top);
  if (result == ncclSuccess && p.end < p.bottom) result = swap_rows(m, plate, rank + 1, p.end - 1, p.end);
  const ncclResult_t ended = ncclGroupEnd();
  return cuda_error(result == ncclSuccess ? ended : result);
}

static cudaError_t sweep_once(member &m, plate plate, int rank) {
  cudaError_t error = exchange(m, plate, rank);
  if (!error) error = sweep_rows(m.p, plate, m.p.first, m.p.end, m.p.stream);
  swap_arrays(m.p);
  return error;
}

/* Copies the part into d_rows if nothing went wrong before, waits, and releases everything. */
static cudaError_t leave(const member &m, float *d_rows, plate plate, cudaError_t error) {
  const part &p = m.p;
  if (!error && p.d_now)
    error = cudaMemcpyAsync(d_rows, at(p, p.d_now, plate, p.first),
                            (size_t)(p.end - p.first) * plate.cols * sizeof *d_rows, cudaMemcpyDeviceToDevice,
                            m.p.stream);
  /* After an error a rank must not wait for others, which may never call. */
  const bool failed = error != cudaSuccess;
  if (failed && m.comm) ncclCommAbort(m.comm);
  const cudaError_t waited = p.stream ? cudaStreamSynchronize(p.stream) : cudaSuccess;
  if (!error) error = waited;
  cudaFree(p.d_next);
  cudaFree(p.d_now);
  cudaFree(m.d_sum);
  if (p.stream) cudaStreamDestroy(p.stream);
  if (!failed && m.comm) ncclCommDestroy(m.comm);
  return error;
}

cudaError_t sweeps_rank(float *d_rows, plate plate, int rank, int ranks, ncclUniqueId id, int count) {
  if (plate.rows == 0 || plate.cols == 0) return cudaSuccess; /* in all ranks, so none waits for another */
  member m = {};
  cudaError_t error = join(m, d_rows, plate, rank, ranks, id);
  for (int k = 0; k < count && !error; k++) error = sweep_once(m, plate, rank);
  return leave(m, d_rows, plate, error);
}

/* The change of the last sweep: 8 bytes come to the host of each rank. */
static cudaError_t fetch_change(const member &m, plate plate, double *change) {
  const part &p = m.p;
  const size_t cells = (size_t)(p.end - p.first) * plate.cols;
  cudaError_t error = cudaMemsetAsync(m.d_sum, 0, sizeof *m.d_sum, m.p.stream);
  if (!error && cells > 0) { /* after the swap d_next holds the plate before the sweep */
    change_kernel<<<132, 512, 0, m.p.stream>>>(at(p, p.d_next, plate, p.first),
                                               at(p, p.d_now, plate, p.first), cells, m.d_sum);
    error = cudaGetLastError();
  }
  /* Also of a rank without rows: a collective is of all. */
  if (!error) error = cuda_error(ncclAllReduce(m.d_sum, m.d_sum, 1, ncclDouble, ncclSum, m.comm, m.p.stream));
  if (!error) error = cudaMemcpyAsync(change, m.d_sum, sizeof *change, cudaMemcpyDeviceToHost, m.p.stream);
  if (!error) error = cudaStreamSynchronize(m.p.stream);
  *change = sqrt(*change);
  return error;
}

cudaError_t solve_rank(float *d_rows, plate plate, int rank, int ranks, ncclUniqueId id, stopping stop,
                       outcome *reached) {
  member m = {};
  *reached = (outcome){0, INFINITY};
  cudaError_t error = join(m, d_rows, plate, rank, ranks, id);
  if (!error) error = cudaMalloc(&m.d_sum, sizeof *m.d_sum);
  while (!error && reached->sweeps < stop.most && !(reached->change < stop.tolerance)) {
    const int left = stop.most - reached->sweeps, batch = left < stop.check_every ? left : stop.check_every;
    for (int k = 0; k < batch && !error; k++) error = sweep_once(m, plate, rank);
    if (!error) error = fetch_change(m, plate, &reached->change);
    reached->sweeps += batch;
  }
  return leave(m, d_rows, plate, error);
}

#define DEPTH                                                                                                \
  16 /* rows of a halo, and sweeps between copies: a copy and its waits take longer than 16 more rows */

cudaError_t sweeps_deep(float *d_p, plate plate, int devices, int count) {
  if (plate.rows == 0 || plate.cols == 0 || count == 0) return cudaSuccess;
  std::vector<part> parts;
  const int smallest = plate.rows / devices < 1 ? 1 : plate.rows / devices;
  const int depth = smallest < DEPTH ? smallest : DEPTH; /* a part sends rows of its own only */
  cudaError_t error = make_parts(parts, d_p, plate, devices, depth);
  for (int done = 0; done < count && !error;) {
    const int batch = count - done < depth ? count - done : depth;
    done += batch;
    for (size_t i = 0; i < parts.size() && !error; i++) {
      part &p = parts[i];
      error = cudaSetDevice(p.device);
      if (!error) error = await_halo(parts, i, p.stream);
      for (int left = batch - 1; left >= 0 && !error; left--) {
        /* `left` more sweeps need so many rows around the part. Those of the plate's edge are always
         * right. */
        const int first = p.top == 0 ? 0 : p.first - left,
                  end = p.bottom == plate.rows ? p.bottom : p.end + left;
        error = sweep_rows(p, plate, first, end, p.stream);
        if (left > 0) swap_arrays(p);
      }
      if (!error) error = cudaEventRecord(p.swept, p.stream);
    }
    for (size_t i = 0; i < parts.size() && !error && done < count; i++) {
      const part &p = parts[i];
      error = cudaSetDevice(p.device);
      /* The neighbours have read their halos for the last time. */
      if (!error && has_above(p)) error = cudaStreamWaitEvent(p.stream, parts[i - 1].swept, 0);
      if (!error && has_below(p)) error = cudaStreamWaitEvent(p.stream, parts[i + 1].swept, 0);
      if (!error) error = send_rows(parts, i, plate, p.stream);
    }
    for (part &p : parts) swap_arrays(p);
  }
  return gather(parts, d_p, plate, error);
}
