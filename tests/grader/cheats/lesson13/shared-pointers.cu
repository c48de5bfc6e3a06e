// task: 3
// wants: ranks exchange rows by NCCL, and nothing else
// says: is a process of its own
// The ranks are threads here, so each finds the other's arrays and events by pointers, and its kernel reads the
// rows there. On a cluster they are processes. NCCL sends as many rows, which are not used.
//@solution sweeps_rank
#ifndef HONEST
static const float
    *d_shown[8][2]; /* row 0 of the plate in a rank's arrays, before even sweeps and before odd ones */
static cudaEvent_t done[8][2];
static int swept[8];

static __global__ void fetch_kernel(float *d_to, const float *d_from, int cols) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col < cols) d_to[col] = d_from[col];
}

/* Waits until both neighbours have queued as many sweeps. */
static void meet(int rank, int owners, int count) {
  __atomic_store_n(&swept[rank], count, __ATOMIC_RELEASE);
  for (int n = rank - 1; n <= rank + 1; n += 2)
    while (n >= 0 && n < owners && __atomic_load_n(&swept[n], __ATOMIC_ACQUIRE) < count) {
    }
}

static cudaError_t fetch(const member &m, plate plate, int other, int row, int k) {
  const part &p = m.p;
  cudaError_t error = cudaStreamWaitEvent(p.stream, done[other][k % 2], 0);
  if (error) return error;
  fetch_kernel<<<ceil_div(plate.cols, 128), 128, 0, p.stream>>>(
      at(p, p.d_now, plate, row), d_shown[other][k % 2] + (ptrdiff_t)row * plate.cols, plate.cols);
  return cudaGetLastError();
}

static cudaError_t show(const member &m, plate plate, int rank) {
  const part &p = m.p;
  int device = 0;
  cudaError_t error = cudaGetDevice(&device);
  for (int n = 0; n < 4 && !error; n++)
    if (n != device) error = reach(device, n);
  cudaGetLastError();
  d_shown[rank][0] = p.d_now - (ptrdiff_t)p.top * plate.cols;
  d_shown[rank][1] = p.d_next - (ptrdiff_t)p.top * plate.cols;
  for (int k = 0; k < 2; k++) cudaEventCreateWithFlags(&done[rank][k], cudaEventDisableTiming);
  return cudaEventRecord(done[rank][0], p.stream);
}
#endif
cudaError_t sweeps_rank(float *d_rows, plate plate, int rank, int ranks, ncclUniqueId id, int count) {
#ifndef HONEST
  if (plate.rows == 0 || plate.cols == 0) return cudaSuccess;
  member m = {};
  part &p = m.p;
  const int owners = ranks < plate.rows ? ranks : plate.rows;
  cudaError_t error = join(m, d_rows, plate, rank, ranks, id);
  if (rank >= owners || ranks == 1 || error) {
    for (int k = 0; k < count && !error; k++)
      error = sweep_rows(p, plate, p.first, p.end, p.stream), swap_arrays(p);
    return leave(m, d_rows, plate, error);
  }
  swept[rank] = -1;
  if (!error) error = exchange(m, plate, rank); /* all ranks are here */
  if (!error) error = cudaStreamSynchronize(p.stream);
  if (!error) error = show(m, plate, rank);
  for (int k = 0; k < count && !error; k++) {
    if (k > 0) error = exchange(m, plate, rank);
    meet(rank, owners, k);
    if (!error && rank > 0) error = fetch(m, plate, rank - 1, p.top, k);
    if (!error && rank < owners - 1) error = fetch(m, plate, rank + 1, p.end, k);
    if (!error) error = sweep_rows(p, plate, p.first, p.end, p.stream);
    if (!error) error = cudaEventRecord(done[rank][(k + 1) % 2], p.stream);
    swap_arrays(p);
  }
  if (!error) error = cudaStreamSynchronize(p.stream);
  meet(rank, owners, count + 1);
  for (int k = 0; k < 2; k++) cudaEventDestroy(done[rank][k]);
  return leave(m, d_rows, plate, error);
#else
  return honest_sweeps_rank(d_rows, plate, rank, ranks, id, count);
#endif
}
