/* Cooperative groups: the sums of tiles of a warp, or of a single thread where the block is no multiple of a
 * warp, meet in shared memory. Tiles of 16 x 16 cells by blocks; one launch for both grids of richardson. */
#include "integration.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

/* The block's sum, in every thread. */
static __device__ double sum_of_block(double value) {
  __shared__ double sum[1024];
  const cg::thread_block block = cg::this_thread_block();
  unsigned parts = block.size();
  if (parts % 32 == 0) {
    const cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    value = cg::reduce(warp, value, cg::plus<double>());
    parts /= 32;
    if (warp.thread_rank() == 0) sum[block.thread_rank() / 32] = value;
  } else {
    sum[block.thread_rank()] = value;
  }
  block.sync();
  double all = 0;
  for (unsigned i = 0; i < parts; i++) all += sum[i];
  return all;
}

/* The value of tile number t, added up by the threads of the block; each adds cells of the tile in strides.
 * */
static __device__ double tile_sum(const problem &p, size_t nx, size_t ny, size_t t) {
  const size_t across = (nx + 15) / 16, left = t % across * 16, low = t / across * 16;
  double sum = 0;
  for (unsigned cell = threadIdx.x; cell < 256; cell += blockDim.x) {
    const size_t i = left + cell % 16, j = low + cell / 16;
    if (i >= nx || j >= ny) continue;
    const double x = ((nx - i - 0.5) * p.x0 + (i + 0.5) * p.x1) / nx;
    const double y = ((ny - j - 0.5) * p.y0 + (j + 0.5) * p.y1) / ny;
    sum += f(p, x, y);
  }
  return sum;
}

static size_t tiles_of(size_t nx, size_t ny) { return ((nx + 15) / 16) * ((ny + 15) / 16); }

static __global__ void tiles_kernel(problem p, size_t nx, size_t ny, size_t tiles, double area,
                                    double *d_sum) {
  double mine = 0;
  for (size_t t = blockIdx.x; t < tiles; t += gridDim.x) mine += tile_sum(p, nx, ny, t);
  const double sum = sum_of_block(mine);
  if (cg::this_thread_block().thread_rank() == 0) atomicAdd(d_sum, area * sum / nx / ny);
}

/* Thread k of 2^14 that are meant, whichever thread does its work, adds every 2^14th term. */
#define MEANT (1 << 14)

template <bool random>
static __device__ double term(const problem &p, size_t k, size_t nx, size_t ny, uint2 key) {
  if (!random)
    return f(p, p.x0 + (k % nx + 0.5) * (p.x1 - p.x0) / nx, p.y0 + (k / nx + 0.5) * (p.y1 - p.y0) / ny);
  unsigned c[4] = {(unsigned)k, (unsigned)(k >> 32)};
  for (int r = 10; r > 0; r--) {
    const unsigned long long a = 0xD2511F53ull * c[0], b = 0xCD9E8D57ull * c[2];
    c[0] = (unsigned)(b >> 32) ^ c[1] ^ key.x;
    c[2] = (unsigned)(a >> 32) ^ c[3] ^ key.y;
    c[1] = (unsigned)b;
    c[3] = (unsigned)a;
    key.x += 0x9E3779B9;
    key.y += 0xBB67AE85;
  }
  /* the upper 21 bits of the lower word, and 32 of the upper one */
  const double u = c[1] / 4294967296.0 + (c[0] >> 11) / 9007199254740992.0;
  const double v = c[3] / 4294967296.0 + (c[2] >> 11) / 9007199254740992.0;
  return f(p, p.x0 + u * (p.x1 - p.x0), p.y0 + v * (p.y1 - p.y0));
}

template <bool random>
static __global__ void meant_kernel(problem p, size_t first, size_t count, size_t nx, size_t ny, uint2 key,
                                    double *d_work) {
  for (size_t m = (size_t)blockIdx.x * blockDim.x + threadIdx.x; m < MEANT;
       m += (size_t)gridDim.x * blockDim.x) {
    double sum = 0;
    for (size_t k = m; k < count; k += MEANT) sum += term<random>(p, first + k, nx, ny, key);
    d_work[m] = sum;
  }
}

static __global__ void meant_sum_kernel(double factor, double *d_work) {
  double sum = 0;
  for (int m = threadIdx.x; m < MEANT; m += 128) sum += d_work[m];
  sum = sum_of_block(sum);
  if (threadIdx.x == 0) d_work[0] = factor * sum;
}

template <bool random>
static cudaError_t in_order(problem p, size_t first, size_t count, size_t nx, size_t ny, uint2 key,
                            unsigned blocks, unsigned threads, double *h_to, double *d_work) {
  *h_to = 0;
  if (count == 0) return cudaSuccess;
  meant_kernel<random><<<blocks, threads>>>(p, first, count, nx, ny, key, d_work);
  cudaError_t error = cudaGetLastError();
  if (error) return error;
  meant_sum_kernel<<<1, 128>>>((p.x1 - p.x0) * (p.y1 - p.y0) / count, d_work);
  error = cudaGetLastError();
  return error ? error : cudaMemcpy(h_to, d_work, 8, cudaMemcpyDeviceToHost);
}

cudaError_t integrate(problem p, size_t nx, size_t ny, unsigned blocks, unsigned threads, double *h_integral,
                      double *d_work) {
  cudaError_t error = cudaMemset(d_work, 0, 8);
  if (!error && nx > 0 && ny > 0) {
    tiles_kernel<<<blocks, threads>>>(p, nx, ny, tiles_of(nx, ny), (p.x1 - p.x0) * (p.y1 - p.y0), d_work);
    error = cudaGetLastError();
  }
  return error ? error : cudaMemcpy(h_integral, d_work, 8, cudaMemcpyDeviceToHost);
}

cudaError_t integrate_same_bits(problem p, size_t nx, size_t ny, unsigned blocks, unsigned threads,
                                double *h_integral, double *d_work) {
  return in_order<false>(p, 0, nx * ny, nx, ny, make_uint2(0, 0), blocks, threads, h_integral, d_work);
}

cudaError_t richardson(problem p, size_t nx, size_t ny, unsigned blocks, unsigned threads, double *h_results,
                       double *d_work) {
  for (int fine = 0; fine < 2; fine++) {
    const cudaError_t error = integrate(p, nx << fine, ny << fine, blocks, threads, &h_results[fine], d_work);
    if (error) return error;
  }
  h_results[2] = (h_results[1] - h_results[0]) / 3;
  return cudaSuccess;
}

cudaError_t monte_carlo(problem p, uint64_t seed, uint64_t first, size_t n, unsigned blocks, unsigned threads,
                        double *h_estimate, double *d_work) {
  return in_order<true>(p, first, n, 1, 1, make_uint2((unsigned)seed, (unsigned)(seed >> 32)), blocks,
                        threads, h_estimate, d_work);
}

cudaError_t integrate_fast(problem p, size_t nx, size_t ny, double *h_integral, double *d_work) {
  return integrate(p, nx, ny, 200, 256, h_integral, d_work);
}
