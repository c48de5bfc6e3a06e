// task: 1
// wants: each device sweeps its own rows
// says: others do its work
// Device 0 sweeps the whole plate. The others sweep as much, which no kernel reads; rows are copied for show.
//@solution sweeps
#ifndef HONEST
static cudaError_t junk(float *d_junk[2], plate plate, int device, cudaStream_t stream, int count) {
  for (int k = 0; k < count; k++) {
    const dim3 threads(32, 8), blocks(ceil_div(plate.cols, 32), ceil_div(plate.rows, 8));
    sweep_kernel<<<blocks, threads, 0, stream>>>(d_junk[k % 2], d_junk[1 - k % 2], plate, 0, 0, plate.rows);
  }
  return device < 0 ? cudaErrorUnknown : cudaGetLastError();
}
#endif
cudaError_t sweeps(float *d_p, plate plate, int devices, int count) {
#ifndef HONEST
  const size_t cells = (size_t)plate.rows * plate.cols, row = plate.cols;
  if (cells == 0 || count == 0) return cudaSuccess;
  float *d_rows[8][2] = {};
  cudaStream_t stream[8] = {};
  cudaError_t error = cudaSuccess;
  for (int i = 0; i < devices && !error; i++) {
    error = cudaSetDevice(i);
    if (!error && i > 0) error = reach(i, 0);
    if (!error) error = cudaMalloc(&d_rows[i][0], 2 * cells * sizeof(float));
    d_rows[i][1] = d_rows[i][0] + cells;
    if (!error) error = cudaMemset(d_rows[i][0], 0, 2 * cells * sizeof(float));
    if (!error) error = cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking);
    if (!error) error = cudaDeviceSynchronize();
  }
  if (!error) error = cudaSetDevice(0);
  if (!error) error = cudaMemcpyAsync(d_rows[0][0], d_p, cells * sizeof(float), cudaMemcpyDefault, stream[0]);
  for (int i = 0; i < devices && !error; i++) {
    error = cudaSetDevice(i);
    if (!error) error = junk(d_rows[i], plate, i, stream[i], count);
    for (int k = 0; k < 2 * count && !error && i > 0;
         k++) /* as many bytes as the halo, which no kernel reads */
      error = cudaMemcpyAsync(d_rows[i][0], d_p, row * sizeof(float), cudaMemcpyDefault, stream[i]);
    if (!error && i > 0)
      error = cudaMemcpyAsync(d_rows[i][0], d_p, cells * sizeof(float), cudaMemcpyDefault, stream[i]);
  }
  for (int i = 0; i < devices; i++)
    if (stream[i] && !error) error = cudaStreamSynchronize(stream[i]);
  if (!error) error = cudaMemcpy(d_p, d_rows[0][count % 2], cells * sizeof(float), cudaMemcpyDeviceToDevice);
  for (int i = 0; i < devices; i++) {
    cudaSetDevice(i);
    if (stream[i]) cudaStreamDestroy(stream[i]);
    cudaFree(d_rows[i][0]);
  }
  const cudaError_t chosen = cudaSetDevice(0);
  return error ? error : chosen;
#else
  return honest_sweeps(d_p, plate, devices, count);
#endif
}
