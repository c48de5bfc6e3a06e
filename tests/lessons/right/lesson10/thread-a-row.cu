/* A thread for each row, as in the course that the lesson grew from; a loop around atomicCAS in the place of
 * atomicAdd; memory of its own, and every sum of a row kept, then added up by one thread. */
#include "integration.h"

static __device__ void add(double *d_to, double value) {
  unsigned long long *const word = (unsigned long long *)d_to;
  unsigned long long seen = *(volatile unsigned long long *)word, expected;
  do {
    expected = seen;
    seen = atomicCAS(word, expected, __double_as_longlong(__longlong_as_double(expected) + value));
  } while (seen != expected);
}

static __device__ double row(const problem &p, size_t nx, size_t ny, size_t j) {
  const double h = (p.x1 - p.x0) / nx, y = p.y0 + (j + 0.5) * ((p.y1 - p.y0) / ny);
  double sum = 0, x = 0.5;
  for (size_t i = 0; i < nx; i++, x += 1) sum += f(p, p.x0 + x * h, y);
  return sum * h * ((p.y1 - p.y0) / ny);
}

static __global__ void rows_kernel(problem p, size_t nx, size_t ny, double *d_sum) {
  __shared__ double sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  double mine = 0;
  for (size_t j = blockIdx.x * (size_t)blockDim.x + threadIdx.x; j < ny; j += (size_t)gridDim.x * blockDim.x)
    mine += row(p, nx, ny, j);
  add(&sum, mine);
  __syncthreads();
  if (threadIdx.x == blockDim.x - 1) add(d_sum, sum);
}

static __global__ void kept_rows_kernel(problem p, size_t nx, size_t ny, double *d_rows) {
  for (size_t j = blockIdx.x * (size_t)blockDim.x + threadIdx.x; j < ny; j += (size_t)gridDim.x * blockDim.x)
    d_rows[j] = row(p, nx, ny, j);
}

static __device__ double point(const problem &p, uint64_t seed, uint64_t number) {
  uint32_t c0 = (uint32_t)number, c1 = (uint32_t)(number >> 32), c2 = 0, c3 = 0;
  uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
  for (int round = 1; round <= 10; round++) {
    const uint32_t high0 = __umulhi(c0, 0xD2511F53), low0 = c0 * 0xD2511F53;
    const uint32_t high2 = __umulhi(c2, 0xCD9E8D57), low2 = c2 * 0xCD9E8D57;
    c0 = high2 ^ c1 ^ k0, c1 = low2, c2 = high0 ^ c3 ^ k1, c3 = low0;
    k0 += 0x9E3779B9, k1 += 0xBB67AE85;
  }
  const double u = (double)((((uint64_t)c1 << 32) | c0) / 2048) / 9007199254740992.0;
  const double v = (double)((((uint64_t)c3 << 32) | c2) / 2048) / 9007199254740992.0;
  return f(p, p.x0 + u * (p.x1 - p.x0), p.y0 + v * (p.y1 - p.y0));
}

static __global__ void kept_points_kernel(problem p, uint64_t seed, uint64_t first, size_t n, size_t parts,
                                          double *d_parts) {
  for (size_t k = blockIdx.x * (size_t)blockDim.x + threadIdx.x; k < parts;
       k += (size_t)gridDim.x * blockDim.x) {
    double sum = 0;
    for (size_t i = k; i < n; i += parts) sum += point(p, seed, first + i);
    d_parts[k] = sum / n;
  }
}

static __global__ void in_order_kernel(const double *d_rows, size_t count, double factor, double *d_sum) {
  double sum = 0;
  for (size_t j = 0; j < count; j++) sum += d_rows[j];
  *d_sum = sum * factor;
}

static cudaError_t fetch(double *h_to, const double *d_from) {
  const cudaError_t error = cudaGetLastError();
  return error ? error : cudaMemcpy(h_to, d_from, sizeof *h_to, cudaMemcpyDeviceToHost);
}

cudaError_t integrate(problem p, size_t nx, size_t ny, unsigned blocks, unsigned threads, double *h_integral,
                      double *d_work) {
  const double none = 0;
  *h_integral = 0;
  if (nx * ny == 0) return cudaSuccess;
  const cudaError_t error = cudaMemcpy(d_work, &none, sizeof none, cudaMemcpyHostToDevice);
  if (error) return error;
  rows_kernel<<<blocks, threads>>>(p, nx, ny, d_work);
  return fetch(h_integral, d_work);
}

cudaError_t integrate_same_bits(problem p, size_t nx, size_t ny, unsigned blocks, unsigned threads,
                                double *h_integral, double *) {
  double *d_rows;
  *h_integral = 0;
  if (nx * ny == 0) return cudaSuccess;
  cudaError_t error = cudaMalloc(&d_rows, (ny + 1) * sizeof *d_rows);
  if (error) return error;
  kept_rows_kernel<<<blocks, threads>>>(p, nx, ny, d_rows);
  error = cudaGetLastError();
  if (!error) {
    in_order_kernel<<<1, 1>>>(d_rows, ny, 1, d_rows + ny);
    error = fetch(h_integral, d_rows + ny);
  }
  cudaFree(d_rows);
  return error;
}

cudaError_t richardson(problem p, size_t nx, size_t ny, unsigned blocks, unsigned threads, double *h_results,
                       double *d_work) {
  cudaError_t error = integrate(p, 2 * nx, 2 * ny, blocks, threads, h_results + 1, d_work);
  if (!error) error = integrate(p, nx, ny, blocks, threads, h_results, d_work);
  h_results[2] = error ? 0 : -(h_results[0] - h_results[1]) / 3;
  return error;
}

cudaError_t monte_carlo(problem p, uint64_t seed, uint64_t first, size_t n, unsigned blocks, unsigned threads,
                        double *h_estimate, double *d_work) {
  const size_t parts = n < 10000 ? n : 10000;
  *h_estimate = 0;
  if (n == 0) return cudaSuccess;
  kept_points_kernel<<<blocks, threads>>>(p, seed, first, n, parts, d_work);
  const cudaError_t error = cudaGetLastError();
  if (error) return error;
  in_order_kernel<<<1, 1>>>(d_work, parts, (p.x1 - p.x0) * (p.y1 - p.y0), d_work + parts);
  return fetch(h_estimate, d_work + parts);
}

cudaError_t integrate_fast(problem p, size_t nx, size_t ny, double *h_integral, double *d_work) {
  return integrate(p, nx, ny, 33, 33, h_integral, d_work);
}
