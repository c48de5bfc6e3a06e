// task: 2
// wants: the halo travels while kernels run
// says: wrote nothing
// Sweeps the whole part, then sends its rows, as in task 1. A kernel that does nothing runs beside the copies.
//@solution sweeps_hidden
#ifndef HONEST
static __global__ void nothing_kernel() {}

static cudaError_t sweep_and_send(std::vector<part> &parts, plate plate, bool last) {
  cudaError_t error = cudaSuccess;
  for (size_t i = 0; i < parts.size() && !error; i++) {
    part &p = parts[i];
    error = cudaSetDevice(p.device);
    if (!error) error = await_halo(parts, i, p.stream);
    if (!error) error = sweep_rows(p, plate, p.first, p.end, p.stream);
    if (!error) error = cudaEventRecord(p.swept, p.stream);
    if (!error) error = cudaStreamWaitEvent(p.border, p.swept, 0);
    nothing_kernel<<<64, 256, 0, p.border>>>();
    if (!error) error = cudaGetLastError();
  }
  for (size_t i = 0; i < parts.size() && !error && !last; i++) {
    error = cudaSetDevice(parts[i].device);
    if (!error) error = send_rows(parts, i, plate, parts[i].stream);
  }
  for (part &p : parts) swap_arrays(p);
  return error;
}
#endif
cudaError_t sweeps_hidden(float *d_p, plate plate, int devices, int count) {
#ifndef HONEST
  if (plate.rows == 0 || plate.cols == 0 || count == 0) return cudaSuccess;
  std::vector<part> parts;
  cudaError_t error = make_parts(parts, d_p, plate, devices, 1);
  for (int k = 0; k < count && !error; k++) error = sweep_and_send(parts, plate, k == count - 1);
  return gather(parts, d_p, plate, error);
#else
  return honest_sweeps_hidden(d_p, plate, devices, count);
#endif
}
