/* The block that ends last adds up the sums of all blocks or pieces: one launch, and a ticket for each block.
 * Within a block thread 0 adds up the others' values one after another. Functors stand for what is added. */
#include "integration.h"
#include <algorithm>

static __device__ unsigned tickets;

struct cells {
  problem p;
  size_t nx, ny;
  __device__ double operator()(size_t k) const {
    const double i = (double)(k % nx), j = (double)(k / nx);
    return f(p, p.x0 + (i + 0.5) / nx * (p.x1 - p.x0), p.y0 + (j + 0.5) / ny * (p.y1 - p.y0));
  }
};

struct points {
  problem p;
  uint64_t seed, first;
  __device__ double operator()(size_t i) const {
    uint64_t number = first + i, key = seed;
    uint32_t a = (uint32_t)number, b = number >> 32, c = 0, d = 0;
#pragma unroll
    for (int round = 0; round < 10; round++) {
      const uint64_t low = 0xD2511F53ull * a, high = 0xCD9E8D57ull * c;
      a = (uint32_t)(high >> 32) ^ b ^ (uint32_t)key;
      b = (uint32_t)high;
      c = (uint32_t)(low >> 32) ^ d ^ (uint32_t)(key >> 32);
      d = (uint32_t)low;
      key = (uint32_t)((uint32_t)key + 0x9E3779B9u) | (key + 0xBB67AE8500000000ull) >> 32 << 32;
    }
    const double unit = 1.0 / (1ull << 53);
    const double u = unit * (double)((uint64_t)b << 21 | a >> 11),
                 v = unit * (double)((uint64_t)d << 21 | c >> 11);
    return f(p, (1 - u) * p.x0 + u * p.x1, (1 - v) * p.y0 + v * p.y1);
  }
};

/* Pieces of `size` terms each. The last block lets one thread add up the pieces. */
template <typename terms>
static __global__ void pieces_kernel(terms term, size_t count, size_t pieces, double scale, double *d_work) {
  __shared__ bool last;
  const size_t me = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  for (size_t k = me; k < pieces; k += (size_t)gridDim.x * blockDim.x) {
    double sum = 0;
    for (size_t i = k; i < count; i += pieces) sum += term(i);
    d_work[k + 1] = sum;
  }
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicInc(&tickets, gridDim.x - 1) == gridDim.x - 1;
  __syncthreads();
  if (!last || threadIdx.x > 0) return;
  __threadfence();
  double sum = 0;
  for (size_t k = 1; k <= pieces; k++) sum += d_work[k];
  *d_work = sum * scale;
}

template <typename terms>
static cudaError_t add_up(terms term, size_t count, double scale, unsigned blocks, unsigned threads,
                          double *h_to, double *d_work) {
  *h_to = 0;
  if (count == 0) return cudaSuccess;
  const size_t pieces = std::min<size_t>(count, 8192);
  pieces_kernel<<<dim3(blocks), dim3(threads)>>>(term, count, pieces, scale, d_work);
  const cudaError_t error = cudaPeekAtLastError();
  return error ? error : cudaMemcpy(h_to, d_work, sizeof(double), cudaMemcpyDefault);
}

cudaError_t integrate(problem p, size_t nx, size_t ny, unsigned blocks, unsigned threads, double *h_integral,
                      double *d_work) {
  const double area = (p.x1 - p.x0) * (p.y1 - p.y0);
  return add_up(cells{p, nx, ny}, nx * ny, nx && ny ? area / ((double)nx * (double)ny) : 0, blocks, threads,
                h_integral, d_work);
}

cudaError_t integrate_same_bits(problem p, size_t nx, size_t ny, unsigned blocks, unsigned threads,
                                double *h_integral, double *d_work) {
  return integrate(p, nx, ny, blocks, threads, h_integral, d_work);
}

cudaError_t richardson(problem p, size_t nx, size_t ny, unsigned blocks, unsigned threads, double *h_results,
                       double *d_work) {
  cudaError_t error = integrate(p, nx, ny, blocks, threads, &h_results[0], d_work);
  if (!error) error = integrate(p, nx + nx, ny + ny, blocks, threads, &h_results[1], d_work);
  if (!error) h_results[2] = (4 * h_results[1] - h_results[0]) / 3 - h_results[1];
  return error;
}

cudaError_t monte_carlo(problem p, uint64_t seed, uint64_t first, size_t n, unsigned blocks, unsigned threads,
                        double *h_estimate, double *d_work) {
  return add_up(points{p, seed, first}, n, n ? (p.x1 - p.x0) * (p.y1 - p.y0) / (double)n : 0, blocks, threads,
                h_estimate, d_work);
}

cudaError_t integrate_fast(problem p, size_t nx, size_t ny, double *h_integral, double *d_work) {
  return integrate(p, nx, ny, 48, 192, h_integral, d_work);
}
