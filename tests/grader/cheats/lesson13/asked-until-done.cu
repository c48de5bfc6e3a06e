// task: 1
// wants: rows go straight from device to device, and the host waits for none
// says: the host waited
// The host does not wait: it asks each stream again and again until it is done.
//@solution sweeps
#ifndef HONEST
static cudaError_t ask(const part &p) {
  cudaError_t error = cudaSetDevice(p.device);
  while (!error && (error = cudaStreamQuery(p.stream)) == cudaErrorNotReady)
    error = cudaGetLastError(), error = cudaSuccess;
  return error;
}
#endif
cudaError_t sweeps(float *d_p, plate plate, int devices, int count) {
#ifndef HONEST
  if (plate.rows == 0 || plate.cols == 0 || count == 0) return cudaSuccess;
  std::vector<part> parts;
  cudaError_t error = make_parts(parts, d_p, plate, devices, 1);
  for (const part &p : parts)
    if (!error) error = ask(p);
  for (int k = 0; k < count && !error; k++) {
    for (size_t i = 0; i < parts.size() && !error; i++) {
      error = cudaSetDevice(parts[i].device);
      if (!error) error = sweep_rows(parts[i], plate, parts[i].first, parts[i].end, parts[i].stream);
      if (!error && k < count - 1) error = send_rows(parts, i, plate, parts[i].stream);
    }
    for (const part &p : parts)
      if (!error) error = ask(p);
    for (part &p : parts) swap_arrays(p);
  }
  return gather(parts, d_p, plate, error);
#else
  return honest_sweeps(d_p, plate, devices, count);
#endif
}
