// task: further
// wants: sweeps is right
// says: bytes came to the host
// Fetches the plate, sweeps on the host and copies it back, beside a kernel that does nothing.
//@solution sweeps
#ifndef HONEST
#include <vector>
static __global__ void nothing_kernel() {}
#endif
cudaError_t sweeps(float *d_p, float *d_work, plate plate, int count) {
#ifndef HONEST
  const size_t rows = plate.rows, cols = plate.cols, cells = rows * cols;
  const size_t source = (size_t)plate.source_row * cols + plate.source_col;
  std::vector<float> now(cells), next(cells);
  cudaError_t error = cudaMemcpy(now.data(), d_p, cells * sizeof(float), cudaMemcpyDeviceToHost);
  for (next = now; count > 0; count--, now.swap(next))
    for (size_t i = cols; i + cols < cells; i++)
      if (i % cols != 0 && i % cols != cols - 1)
        next[i] = (now[i - cols] + now[i + cols] + now[i - 1] + now[i + 1] +
                   (i == source ? (float)plate.strength : 0)) /
                  4;
  if (!error) error = cudaMemcpy(d_p, now.data(), cells * sizeof(float), cudaMemcpyHostToDevice);
  nothing_kernel<<<1, 32>>>();
  return error ? error : cudaGetLastError();
#else
  return honest_sweeps(d_p, d_work, plate, count);
#endif
}
