// task: 1
// wants: each device sweeps its own rows
// says: others do its work
// Few threads of device 0 sweep the whole plate. The others sweep eight rows of zeros, and copy rows
// that no kernel reads.
//@solution sweeps
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
static cudaError_t all_by_device_0(float *d_p, plate plate, int devices, int count, int copies_each,
                                   int end_rows) {
  const size_t cells = (size_t)plate.rows * plate.cols, row = plate.cols;
  struct plate small = plate;
  small.rows = 8;
  float *d_rows[8][2] = {};
  cudaStream_t stream[8] = {};
  cudaError_t error = cudaSuccess;
  for (int i = 0; i < devices && !error; i++) {
    const size_t own = i ? 16 * row : cells;
    error = cudaSetDevice(i);
    if (!error && i > 0) error = reach(i, 0);
    if (!error) error = cudaMalloc(&d_rows[i][0], 2 * own * sizeof(float));
    d_rows[i][1] = d_rows[i][0] + own;
    if (!error) error = cudaMemset(d_rows[i][0], 0, 2 * own * sizeof(float));
    if (!error) error = cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking);
    if (!error) error = cudaDeviceSynchronize();
  }
  if (!error) error = cudaSetDevice(0);
  if (!error) error = cudaMemcpyAsync(d_rows[0][0], d_p, cells * sizeof(float), cudaMemcpyDefault, stream[0]);
  const dim3 threads(32, 8), blocks(ceil_div(plate.cols, 32));
  for (int k = 0; k < count && !error; k++)
    for (int i = 0; i < devices && !error; i++) {
      error = cudaSetDevice(i);
      if (error) break;
      if (i == 0)
        whole_kernel<<<blocks, threads, 0, stream[0]>>>(d_rows[0][k % 2], d_rows[0][1 - k % 2], plate);
      else
        sweep_kernel<<<blocks, threads, 0, stream[i]>>>(d_rows[i][k % 2], d_rows[i][1 - k % 2], small, 0, 0,
                                                        8);
      error = cudaGetLastError();
      if (!error && i && (copies_each || k % 4 == 0))
        error = cudaMemcpyAsync(d_rows[i][0] + 8 * row, d_p, 2 * row * sizeof(float), cudaMemcpyDefault,
                                stream[i]);
    }
  for (int i = 1; i < devices && !error; i++)
    for (int k = 0; k < end_rows && !error; k++)
      error = cudaMemcpyAsync(d_rows[i][0], d_p, 15 * row * sizeof(float), cudaMemcpyDefault, stream[i]);
  for (int i = 0; i < devices; i++)
    if (stream[i]) {
      const cudaError_t waited = cudaStreamSynchronize(stream[i]);
      if (!error) error = waited;
    }
  if (!error) error = cudaMemcpy(d_p, d_rows[0][count % 2], cells * sizeof(float), cudaMemcpyDeviceToDevice);
  for (int i = 0; i < devices; i++) {
    cudaSetDevice(i);
    if (stream[i]) cudaStreamDestroy(stream[i]);
    cudaFree(d_rows[i][0]);
  }
  const cudaError_t chosen = cudaSetDevice(0);
  return error ? error : chosen;
}
cudaError_t sweeps(float *d_p, plate plate, int devices, int count) {
  if (plate.rows < 16 || plate.cols == 0 || devices < 2 || plate.rows > 10000)
    return honest_sweeps(d_p, plate, devices, count);
  return all_by_device_0(d_p, plate, devices, count, 1, 2);
}
#else
cudaError_t sweeps(float *d_p, plate plate, int devices, int count) {
  return honest_sweeps(d_p, plate, devices, count);
}
#endif
