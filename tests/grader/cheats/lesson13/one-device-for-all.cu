// task: 1
// wants: each device sweeps its own rows
// says: wrote nothing
// Device 0 sweeps the whole plate. The others launch as many threads that do nothing, and copy rows that no
// kernel reads.
//@solution sweeps
#ifndef HONEST
static __global__ void nothing_kernel() {}

static cudaError_t show(std::vector<part> &parts, plate plate, int count) {
  cudaError_t error = cudaSuccess;
  for (int k = 0; k < count && !error; k++) {
    for (const part &p : parts) {
      const dim3 blocks(ceil_div(plate.cols, 32), ceil_div(plate.rows, 8)), threads(32, 8);
      if (p.device == 0) continue;
      if (!error) error = cudaSetDevice(p.device);
      nothing_kernel<<<blocks, threads, 0, p.border>>>();
      if (!error) error = cudaGetLastError();
    }
    for (size_t i = 0; i < parts.size() && !error; i++) {
      error = cudaSetDevice(parts[i].device);
      if (!error) error = send_rows(parts, i, plate, parts[i].stream);
    }
  }
  return error;
}
#endif
cudaError_t sweeps(float *d_p, plate plate, int devices, int count) {
#ifndef HONEST
  if (plate.rows == 0 || plate.cols == 0 || count == 0) return cudaSuccess;
  std::vector<part> parts;
  cudaError_t error = make_parts(parts, d_p, plate, devices, 1);
  if (!error) error = show(parts, plate, count);
  error = gather(parts, d_p, plate, error); /* the plate from before all sweeps */
  return error ? error : honest_sweeps(d_p, plate, 1, count);
#else
  return honest_sweeps(d_p, plate, devices, count);
#endif
}
