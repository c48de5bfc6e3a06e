/* A warp, or what there is of it, adds up a row; the sums of the rows are added up in order. Both grids of
 * richardson in one launch, by blockIdx.y. Compensated sums, blocks of two dimensions, a stream and pinned
 * memory of its own. */
#include "integration.h"

/* Kahan's sum: what the last addition lost is put into the next one. */
struct kahan {
  double sum, lost;
  __device__ void operator+=(double value) {
    const double y = value - lost, t = sum + y;
    lost = (t - sum) - y;
    sum = t;
  }
};

/* d_rows[j] = the sum of row j. Thread 0 of a block writes it; the others' parts come through shared memory.
 * */
static __device__ double row_sum(const problem &p, size_t nx, size_t ny, size_t j) {
  __shared__ double parts[32];
  const unsigned me = threadIdx.y * blockDim.x + threadIdx.x, many = blockDim.x * blockDim.y;
  const double y = p.y0 + (p.y1 - p.y0) / (2 * ny) * (2 * j + 1);
  __syncthreads();
  if (me < 32) {
    kahan mine = {0, 0};
    for (size_t part = me; part < 32; part += many) { /* 32 parts, whatever the block */
      mine = {0, 0};
      for (size_t i = part; i < nx; i += 32) mine += f(p, p.x0 + (p.x1 - p.x0) / (2 * nx) * (2 * i + 1), y);
      parts[part] = mine.sum;
    }
  }
  __syncthreads();
  kahan all = {0, 0};
  for (int part = 0; part < 32; part++) all += parts[part];
  return all.sum;
}

static __global__ void rows_kernel(problem p, size_t nx, size_t ny, size_t bands, double *d_rows) {
  const size_t m = blockIdx.y + 1; /* richardson: the second grid is twice as fine */
  double *const d_to = d_rows + blockIdx.y * bands;
  for (size_t band = blockIdx.x; band < bands; band += gridDim.x) {
    kahan sum = {0, 0};
    for (size_t j = band; j < m * ny; j += bands) sum += row_sum(p, m * nx, m * ny, j);
    if (threadIdx.x == 0 && threadIdx.y == 0) d_to[band] = sum.sum / ((double)(m * nx) * (double)(m * ny));
  }
}

static __global__ void join_kernel(size_t count, double factor, double *d_from, double *d_to) {
  kahan sum = {0, 0};
  for (size_t k = 0; k < count; k++) sum += d_from[k];
  *d_to = factor * sum.sum;
}

static __device__ uint2 multiply(uint32_t a, uint32_t b) {
  const unsigned long long product = (unsigned long long)a * b;
  return make_uint2((uint32_t)product, (uint32_t)(product >> 32));
}

static __global__ void points_kernel(problem p, uint2 key, uint64_t first, size_t n, size_t pieces,
                                     double *d_work) {
  for (size_t k = blockIdx.x + (size_t)gridDim.x * threadIdx.x; k < pieces;
       k += (size_t)gridDim.x * blockDim.x) {
    kahan sum = {0, 0};
    for (size_t i = k; i < n; i += pieces) {
      uint4 c = {(uint32_t)(first + i), (uint32_t)((first + i) >> 32), 0, 0};
      for (unsigned r = 0; r < 10; r++) {
        const uint2 a = multiply(c.x, 0xD2511F53), b = multiply(c.z, 0xCD9E8D57);
        c = {b.y ^ c.y ^ (key.x + r * 0x9E3779B9), b.x, a.y ^ c.w ^ (key.y + r * 0xBB67AE85), a.x};
      }
      const double u = (double)(((uint64_t)c.y << 32 | c.x) >> 11) * 0x1p-53;
      const double v = (double)(((uint64_t)c.w << 32 | c.z) >> 11) * 0x1p-53;
      sum += f(p, fma(u, p.x1 - p.x0, p.x0), fma(v, p.y1 - p.y0, p.y0));
    }
    d_work[k] = sum.sum;
  }
}

/* Copies `count` results to the host, through pinned memory, and ends the stream. */
static cudaError_t finish(cudaError_t error, cudaStream_t stream, const double *d_from, double *h_to,
                          int count) {
  double *h_pinned = nullptr;
  if (!error) error = cudaGetLastError();
  if (!error) error = cudaMallocHost(&h_pinned, count * sizeof(double));
  if (!error)
    error = cudaMemcpyAsync(h_pinned, d_from, count * sizeof(double), cudaMemcpyDeviceToHost, stream);
  const cudaError_t waited = cudaStreamSynchronize(stream);
  if (!error) error = waited;
  for (int i = 0; i < count && !error; i++) h_to[i] = h_pinned[i];
  if (h_pinned) cudaFreeHost(h_pinned);
  cudaStreamDestroy(stream);
  return error;
}

/* One grid, or two. */
static cudaError_t sums(problem p, size_t nx, size_t ny, unsigned blocks, unsigned threads, int grids,
                        double *h_to, double *d_work) {
  for (int g = 0; g < grids; g++) h_to[g] = 0;
  if (nx == 0 || ny == 0) return cudaSuccess;
  cudaStream_t stream;
  cudaError_t error = cudaStreamCreate(&stream);
  if (error) return error;
  const size_t bands = ny < 4096 ? ny : 4096;
  const dim3 shape = threads % 2 ? dim3(threads) : dim3(threads / 2, 2);
  const double area = (p.x1 - p.x0) * (p.y1 - p.y0);
  rows_kernel<<<dim3(blocks, grids), shape, 0, stream>>>(p, nx, ny, bands, d_work);
  error = cudaGetLastError();
  for (int g = 0; g < grids && !error; g++) {
    join_kernel<<<1, 1, 0, stream>>>(bands, area, d_work + g * bands, d_work + 2 * bands + g);
    error = cudaGetLastError();
  }
  return finish(error, stream, d_work + 2 * bands, h_to, grids);
}

cudaError_t integrate(problem p, size_t nx, size_t ny, unsigned blocks, unsigned threads, double *h_integral,
                      double *d_work) {
  return sums(p, nx, ny, blocks, threads, 1, h_integral, d_work);
}

cudaError_t integrate_same_bits(problem p, size_t nx, size_t ny, unsigned blocks, unsigned threads,
                                double *h_integral, double *d_work) {
  return sums(p, nx, ny, blocks, threads, 1, h_integral, d_work);
}

cudaError_t richardson(problem p, size_t nx, size_t ny, unsigned blocks, unsigned threads, double *h_results,
                       double *d_work) {
  const cudaError_t error = sums(p, nx, ny, blocks, threads, 2, h_results, d_work);
  h_results[2] = (h_results[1] - h_results[0]) / 3;
  return error;
}

cudaError_t monte_carlo(problem p, uint64_t seed, uint64_t first, size_t n, unsigned blocks, unsigned threads,
                        double *h_estimate, double *d_work) {
  *h_estimate = 0;
  if (n == 0) return cudaSuccess;
  cudaStream_t stream;
  cudaError_t error = cudaStreamCreate(&stream);
  if (error) return error;
  const size_t pieces = n < 5000 ? n : 5000;
  const uint2 key = make_uint2((uint32_t)seed, (uint32_t)(seed >> 32));
  points_kernel<<<blocks, threads, 0, stream>>>(p, key, first, n, pieces, d_work);
  error = cudaGetLastError();
  if (!error)
    join_kernel<<<1, 1, 0, stream>>>(pieces, (p.x1 - p.x0) * (p.y1 - p.y0) / n, d_work, d_work + pieces);
  return finish(error, stream, d_work + pieces, h_estimate, 1);
}

cudaError_t integrate_fast(problem p, size_t nx, size_t ny, double *h_integral, double *d_work) {
  return sums(p, nx, ny, 132, 64, 1, h_integral, d_work);
}
