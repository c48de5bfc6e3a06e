/* Sums of integers: each value of f is rounded to a multiple of a small power of two, and integer atomics add
 * them up in any order. Sums of a warp by shuffles, of a block in shared memory by atomics. Divisions find
 * the cells. */
#include "integration.h"
#include <cmath>

typedef unsigned long long word;

/* How many bits are after the point, so that `count` values below 4 fit into 63 bits. */
static int places_of(size_t count) {
  int bits = 0;
  while (bits < 60 && count >> bits) bits++;
  return 60 - bits;
}

static __device__ word fixed(double value, int places) { return (word)llrint(ldexp(value, places)); }

static __device__ void add_block(word mine, word *d_sum) {
  __shared__ word all;
  if (threadIdx.x == 0) all = 0;
  __syncthreads();
  if (blockDim.x % 32 == 0) {
    for (int step = 16; step > 0; step /= 2) mine += __shfl_down_sync(0xffffffff, mine, step);
    if (threadIdx.x % 32 == 0) atomicAdd(&all, mine);
  } else {
    atomicAdd(&all, mine);
  }
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(d_sum, all);
}

static __global__ void cells_kernel(problem p, size_t nx, size_t ny, int places, word *d_sum) {
  const double hx = (p.x1 - p.x0) / nx, hy = (p.y1 - p.y0) / ny;
  word sum = 0;
  const size_t stride = (size_t)gridDim.x * blockDim.x;
  for (size_t k = (size_t)blockIdx.x * blockDim.x + threadIdx.x; k < nx * ny; k += stride)
    sum += fixed(f(p, p.x0 + (k % nx + 0.5) * hx, p.y0 + (k / nx + 0.5) * hy), places);
  add_block(sum, d_sum);
}

static __global__ void points_kernel(problem p, uint32_t low, uint32_t high, uint64_t first, size_t n,
                                     int places, word *d_sum) {
  word sum = 0;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) {
    uint32_t c[4] = {(uint32_t)(first + i), (uint32_t)((first + i) >> 32), 0, 0}, k0 = low, k1 = high;
    for (int r = 0; r < 10; r++, k0 += 0x9E3779B9u, k1 += 0xBB67AE85u) {
      const uint32_t a = __umulhi(0xCD9E8D57u, c[2]) ^ c[1] ^ k0, b = __umulhi(0xD2511F53u, c[0]) ^ c[3] ^ k1;
      c[1] = 0xCD9E8D57u * c[2];
      c[3] = 0xD2511F53u * c[0];
      c[0] = a;
      c[2] = b;
    }
    const double u = ldexp((double)((((uint64_t)c[1] << 32) + c[0]) >> 11), -53);
    const double v = ldexp((double)((((uint64_t)c[3] << 32) + c[2]) >> 11), -53);
    sum += fixed(f(p, p.x0 + u * (p.x1 - p.x0), p.y0 + v * (p.y1 - p.y0)), places);
  }
  add_block(sum, d_sum);
}

/* The sum as a number; `scale` is the area of a cell. */
static cudaError_t fetch(double *h_to, const double *d_work, int places, double scale) {
  long long sum = 0;
  const cudaError_t error = cudaMemcpy(&sum, d_work, sizeof sum, cudaMemcpyDeviceToHost);
  *h_to = ldexp((double)sum, -places) * scale;
  return error;
}

cudaError_t integrate_same_bits(problem p, size_t nx, size_t ny, unsigned blocks, unsigned threads,
                                double *h_integral, double *d_work) {
  if (!nx || !ny) return *h_integral = 0, cudaSuccess;
  const int places = places_of(nx * ny);
  if (cudaError_t error = cudaMemset(d_work, 0, 8)) return error;
  cells_kernel<<<blocks, threads>>>(p, nx, ny, places, (word *)d_work);
  if (cudaError_t error = cudaGetLastError()) return error;
  return fetch(h_integral, d_work, places, (p.x1 - p.x0) / nx * ((p.y1 - p.y0) / ny));
}

cudaError_t integrate(problem p, size_t nx, size_t ny, unsigned blocks, unsigned threads, double *h_integral,
                      double *d_work) {
  return integrate_same_bits(p, nx, ny, blocks, threads, h_integral, d_work);
}

cudaError_t richardson(problem p, size_t nx, size_t ny, unsigned blocks, unsigned threads, double *h_results,
                       double *d_work) {
  if (cudaError_t error = integrate(p, nx, ny, blocks, threads, h_results, d_work)) return error;
  if (cudaError_t error = integrate(p, nx * 2, ny * 2, blocks, threads, h_results + 1, d_work)) return error;
  h_results[2] = h_results[1] / 3 - h_results[0] / 3;
  return cudaSuccess;
}

cudaError_t monte_carlo(problem p, uint64_t seed, uint64_t first, size_t n, unsigned blocks, unsigned threads,
                        double *h_estimate, double *d_work) {
  if (!n) return *h_estimate = 0, cudaSuccess;
  const int places = places_of(n);
  if (cudaError_t error = cudaMemset(d_work, 0, 8)) return error;
  points_kernel<<<blocks, threads>>>(p, (uint32_t)seed, (uint32_t)(seed >> 32), first, n, places,
                                     (word *)d_work);
  if (cudaError_t error = cudaGetLastError()) return error;
  return fetch(h_estimate, d_work, places, (p.x1 - p.x0) * (p.y1 - p.y0) / n);
}

cudaError_t integrate_fast(problem p, size_t nx, size_t ny, double *h_integral, double *d_work) {
  return integrate(p, nx, ny, 64, 256, h_integral, d_work);
}
