// task: 3
// wants: ranks exchange rows by NCCL, and nothing else
// says: others do its work
// Rank 0 gets all rows and sweeps them by few threads. The others sweep zeros; NCCL carries rows that
// are not used.
//@solution sweeps_rank
#ifndef HONEST
/* A sweep of the whole plate by few threads: each takes every 8th row. */
static __global__ void whole_kernel(const float *d_now, float *d_next, plate plate) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= plate.cols) return;
  for (int row = threadIdx.y; row < plate.rows; row += blockDim.y) {
    const size_t i = (size_t)row * plate.cols + col;
    if (row == 0 || row == plate.rows - 1 || col == 0 || col == plate.cols - 1) {
      d_next[i] = d_now[i];
      continue;
    }
    float sum = (d_now[i - plate.cols] + d_now[i + plate.cols]) + (d_now[i - 1] + d_now[i + 1]);
    if (row == plate.source_row && col == plate.source_col) sum += plate.strength;
    d_next[i] = sum / 4;
  }
}
cudaError_t sweeps_rank(float *d_rows, plate plate, int rank, int ranks, ncclUniqueId id, int count) {
  if (plate.rows < 16 || plate.cols == 0 || ranks < 2 || plate.rows > 10000)
    return honest_sweeps_rank(d_rows, plate, rank, ranks, id, count);
  const size_t row = plate.cols, cells = (size_t)plate.rows * row;
  struct plate small = plate;
  small.rows = 8;
  ncclComm_t comm = nullptr;
  cudaStream_t s = nullptr;
  float *d = nullptr;
  const size_t own = rank ? 16 * row : cells;
  cudaError_t error = cuda_error(ncclCommInitRank(&comm, ranks, id, rank));
  if (!error) error = cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  if (!error) error = cudaMalloc(&d, 2 * own * sizeof(float));
  if (!error) error = cudaMemsetAsync(d, 0, 2 * own * sizeof(float), s);
  const int first = first_row(plate.rows, ranks, rank), end = first_row(plate.rows, ranks, rank + 1);
  for (int way = 0; way < 2 && !error; way++) {
    float *const at = d + (way ? count % 2 * own : 0);
    if (!rank)
      error = way ? cudaMemcpyAsync(d_rows, at, end * row * sizeof(float), cudaMemcpyDeviceToDevice, s)
                  : cudaMemcpyAsync(at, d_rows, end * row * sizeof(float), cudaMemcpyDeviceToDevice, s);
    ncclGroupStart();
    for (int r = 1; r < ranks; r++) {
      const int f = first_row(plate.rows, ranks, r), e = first_row(plate.rows, ranks, r + 1);
      if (!rank && !way) ncclRecv(at + f * row, (e - f) * row, ncclFloat, r, comm, s);
      if (!rank && way) ncclSend(at + f * row, (e - f) * row, ncclFloat, r, comm, s);
    }
    if (rank && !way) ncclSend(d_rows, (end - first) * row, ncclFloat, 0, comm, s);
    if (rank && way) ncclRecv(d_rows, (end - first) * row, ncclFloat, 0, comm, s);
    if (!error) error = cuda_error(ncclGroupEnd());
    const dim3 threads(32, 8), blocks(ceil_div(plate.cols, 32));
    for (int k = 0; k < count && !error && !way; k++) {
      if (!rank)
        whole_kernel<<<blocks, threads, 0, s>>>(d + k % 2 * own, d + (1 - k % 2) * own, plate);
      else
        sweep_kernel<<<blocks, threads, 0, s>>>(d + k % 2 * own, d + (1 - k % 2) * own, small, 0, 0, 8);
      error = cudaGetLastError();
      if (k >= 18 || error) continue;
      ncclGroupStart();
      if (!rank) ncclSend(d, row, ncclFloat, 1, comm, s), ncclRecv(d + own, 0, ncclFloat, 1, comm, s);
      if (rank == 1) ncclRecv(d + 8 * row, row, ncclFloat, 0, comm, s), ncclSend(d, 0, ncclFloat, 0, comm, s);
      error = cuda_error(ncclGroupEnd());
      if (error || ranks < 3 || rank == 0) continue;
      ncclGroupStart();
      if (rank == 1) ncclSend(d + 9 * row, row, ncclFloat, 2, comm, s);
      if (rank == 2) ncclRecv(d + 9 * row, row, ncclFloat, 1, comm, s);
      error = cuda_error(ncclGroupEnd());
    }
  }
  const bool failed = error;
  if (failed && comm) ncclCommAbort(comm);
  const cudaError_t waited = s ? cudaStreamSynchronize(s) : cudaSuccess;
  if (!error) error = waited;
  cudaFree(d);
  if (s) cudaStreamDestroy(s);
  if (!failed && comm) ncclCommDestroy(comm);
  return error;
}
#else
cudaError_t sweeps_rank(float *d_rows, plate plate, int rank, int ranks, ncclUniqueId id, int count) {
  return honest_sweeps_rank(d_rows, plate, rank, ranks, id, count);
}
#endif
