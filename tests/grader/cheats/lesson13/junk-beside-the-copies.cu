// task: 2
// wants: the halo travels while kernels run
// says: those do nothing for it
// Sweeps the whole part, then sends its rows, as in task 1. Beside the copies a kernel sweeps ten rows of
// zeros.
//@solution sweeps_hidden
#ifndef HONEST
static __global__ void zeros_kernel(const float *d_in, float *d_out, int cols) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
  if (j < cols) d_out[(size_t)i * cols + j] = d_in[(size_t)i * cols + j] / 4;
}

static cudaError_t sweep_and_send(std::vector<part> &parts, std::vector<float *> &zeros, plate plate,
                                  bool last) {
  cudaError_t error = cudaSuccess;
  for (size_t i = 0; i < parts.size() && !error; i++) {
    part &p = parts[i];
    error = cudaSetDevice(p.device);
    if (!error) error = await_halo(parts, i, p.stream);
    if (!error) error = sweep_rows(p, plate, p.first, p.end, p.stream);
    if (!error) error = cudaEventRecord(p.swept, p.stream);
    if (!error) error = cudaStreamWaitEvent(p.border, p.swept, 0);
    if (error) break;
    zeros_kernel<<<dim3((plate.cols + 255) / 256, 10), 256, 0, p.border>>>(
        zeros[i], zeros[i] + (size_t)10 * plate.cols, plate.cols);
    error = cudaGetLastError();
  }
  for (size_t i = 0; i < parts.size() && !error && !last; i++) {
    error = cudaSetDevice(parts[i].device);
    if (!error) error = send_rows(parts, i, plate, parts[i].stream);
  }
  for (part &p : parts) swap_arrays(p);
  return error;
}

static cudaError_t make_zeros(const std::vector<part> &parts, std::vector<float *> &zeros, plate plate) {
  cudaError_t error = cudaSuccess;
  for (size_t i = 0; i < parts.size() && !error; i++) {
    zeros.push_back(nullptr);
    error = cudaSetDevice(parts[i].device);
    if (!error) error = cudaMalloc(&zeros[i], (size_t)20 * plate.cols * sizeof(float));
    if (!error)
      error = cudaMemsetAsync(zeros[i], 0, (size_t)20 * plate.cols * sizeof(float), parts[i].border);
  }
  return error;
}
#endif
cudaError_t sweeps_hidden(float *d_p, plate plate, int devices, int count) {
#ifndef HONEST
  if (plate.rows == 0 || plate.cols == 0 || count == 0) return cudaSuccess;
  std::vector<part> parts;
  std::vector<float *> zeros;
  cudaError_t error = make_parts(parts, d_p, plate, devices, 1);
  if (!error) error = make_zeros(parts, zeros, plate);
  for (int k = 0; k < count && !error; k++) error = sweep_and_send(parts, zeros, plate, k == count - 1);
  error = gather(parts, d_p, plate, error);
  for (float *z : zeros) {
    const cudaError_t freed = cudaFree(z);
    if (!error) error = freed;
  }
  return error;
#else
  return honest_sweeps_hidden(d_p, plate, devices, count);
#endif
}
