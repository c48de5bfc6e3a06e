// task: 1
// wants: rows go straight from device to device, and the host waits for none
// says: the host waited 78 times
// After every sweep the host waits for each device by cudaMemcpyAsync of four bytes to pageable memory.
//@solution sweeps
#ifndef HONEST
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
      if (!error) {
        float v;
        error = cudaMemcpyAsync(&v, p.d_now, 4, cudaMemcpyDeviceToHost, p.stream);
      }
    }
    for (size_t i = 0; i < parts.size() && !error && k < count - 1; i++) {
      error = cudaSetDevice(parts[i].device);
      if (!error) error = send_rows(parts, i, plate, parts[i].stream);
    }
    for (part &p : parts) swap_arrays(p);
  }
  return gather(parts, d_p, plate, error);
}
#else
cudaError_t sweeps(float *d_p, plate plate, int devices, int count) {
  return honest_sweeps(d_p, plate, devices, count);
}
#endif
