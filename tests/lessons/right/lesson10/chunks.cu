/* Chunks of cells of fixed size that threads take in turn, whatever the grid; sums of a block by a shared
 * atomic where the order may differ, by halves of an array where it may not. A class template stands for
 * what is added up; results come through pinned memory in a stream of its own. */
#include "integration.h"

#include <math.h>
#include <stdlib.h>

namespace {

struct cells {
  problem p;
  size_t nx, ny;
  double hx, hy;
  cells(const problem &q, size_t columns, size_t rows)
      : p(q), nx(columns), ny(rows), hx((q.x1 - q.x0) / columns), hy((q.y1 - q.y0) / rows) {}
  __host__ __device__ size_t count() const { return nx * ny; }
  __host__ __device__ double weight() const { return hx * hy; }
  __device__ double operator[](size_t cell) const {
    const size_t row = cell / nx, column = cell - row * nx;
    return f(p, p.x0 + hx * (column + 0.5), p.y0 + hy * (row + 0.5));
  }
};

struct generator {
  uint32_t word[4], key[2];
  __device__ generator(uint64_t seed, uint64_t number)
      : word{uint32_t(number), uint32_t(number >> 32), 0, 0}, key{uint32_t(seed), uint32_t(seed >> 32)} {
    int left = 10;
    do {
      const uint32_t low[2] = {0xD2511F53u * word[0], 0xCD9E8D57u * word[2]},
                     high[2] = {__umulhi(0xD2511F53u, word[0]), __umulhi(0xCD9E8D57u, word[2])};
      word[0] = high[1] ^ word[1] ^ key[0];
      word[2] = high[0] ^ word[3] ^ key[1];
      word[1] = low[1];
      word[3] = low[0];
      key[0] += 0x9E3779B9u, key[1] += 0xBB67AE85u;
    } while (--left);
  }
  __device__ double number(int pair) const {
    const unsigned long long all = (unsigned long long)word[2 * pair + 1] << 32 | word[2 * pair];
    return ldexp(double(all >> 11), -53);
  }
};

struct points {
  problem p;
  uint64_t seed, first;
  size_t n;
  size_t count() const { return n; }
  double weight() const { return (p.x1 - p.x0) * (p.y1 - p.y0) / n; }
  __device__ double operator[](size_t k) const {
    const generator g(seed, first + k);
    return f(p, p.x0 + g.number(0) * (p.x1 - p.x0), p.y0 + g.number(1) * (p.y1 - p.y0));
  }
};

__device__ void add_in_block(double mine, double weight, double *to) {
  __shared__ double all;
  if (threadIdx.x == 0) all = 0;
  __syncthreads();
  atomicAdd(&all, mine);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(to, weight * all);
}

__global__ void any_order(cells c, double *to) {
  double mine = 0;
  for (size_t k = threadIdx.x + blockIdx.x * size_t(blockDim.x); k < c.count();
       k += gridDim.x * size_t(blockDim.x))
    mine += c[k];
  add_in_block(mine, c.weight(), to);
}

template <class terms>
__global__ void chunks_kernel(terms all, size_t count, size_t chunk, size_t chunks, double *to) {
  for (size_t c = blockIdx.x * size_t(blockDim.x) + threadIdx.x; c < chunks;
       c += size_t(gridDim.x) * blockDim.x) {
    const size_t end = (c + 1) * chunk < count ? (c + 1) * chunk : count;
    double mine = 0;
    for (size_t k = c * chunk; k < end; ++k) mine += all[k];
    to[c] = mine;
  }
}

/* Halves the array: to[k] += to[k + half] for all k that have such a partner. */
__global__ void fold_kernel(double *to, size_t left, size_t half) {
  const size_t k = blockIdx.x * size_t(256) + threadIdx.x;
  if (k + half < left) to[k] += to[k + half];
}

/* A stream and a place in pinned memory. */
struct lane {
  cudaStream_t stream = nullptr;
  double *place = nullptr;
  cudaError_t error;
  lane() {
    error = cudaStreamCreate(&stream);
    if (!error) error = cudaHostAlloc(&place, 2 * sizeof(double), cudaHostAllocDefault);
  }
  void note(cudaError_t e) { error = error ? error : e; }
  cudaError_t close() {
    if (stream) note(cudaStreamSynchronize(stream));
    if (stream) note(cudaStreamDestroy(stream));
    return error;
  }
  ~lane() {
    if (place) cudaFreeHost(place);
  }
};

template <class terms>
cudaError_t fixed_order(const terms &all, unsigned blocks, unsigned threads, double *result, double *d_work) {
  const size_t count = all.count();
  *result = 0;
  if (!count) return cudaSuccess;
  const size_t chunk = 1 + (count - 1) / (WORK_COUNT / 2);
  size_t left = 1 + (count - 1) / chunk;
  lane l;
  if (!l.error) {
    chunks_kernel<<<blocks, threads, 0, l.stream>>>(all, count, chunk, left, d_work);
    l.note(cudaPeekAtLastError());
  }
  while (left > 1 && !l.error) {
    const size_t half = left - left / 2;
    fold_kernel<<<unsigned((half + 255) / 256), 256, 0, l.stream>>>(d_work, left, half);
    l.note(cudaPeekAtLastError());
    left = half;
  }
  if (!l.error) l.note(cudaMemcpyAsync(l.place, d_work, sizeof(double), cudaMemcpyDefault, l.stream));
  const cudaError_t error = l.close();
  if (!error) *result = *l.place * all.weight();
  return error;
}

/* Sums of up to two grids, in any order of additions. */
cudaError_t sums(const cells *grids, int how_many, unsigned blocks, unsigned threads, double *results,
                 double *d_work) {
  for (int g = 0; g < how_many; ++g) results[g] = 0;
  if (grids->nx == 0 || grids->ny == 0) return cudaSuccess;
  lane l;
  if (!l.error) l.note(cudaMemsetAsync(d_work, 0, how_many * sizeof(double), l.stream));
  for (int g = how_many; g-- > 0 && !l.error;) {
    any_order<<<blocks, threads, 0, l.stream>>>(grids[g], d_work + g);
    l.note(cudaPeekAtLastError());
  }
  if (!l.error)
    l.note(cudaMemcpyAsync(l.place, d_work, how_many * sizeof(double), cudaMemcpyDeviceToHost, l.stream));
  const cudaError_t error = l.close();
  for (int g = 0; g < how_many && !error; ++g) results[g] = l.place[g];
  return error;
}

} // namespace

cudaError_t integrate(problem p, size_t nx, size_t ny, unsigned blocks, unsigned threads, double *h_integral,
                      double *d_work) {
  const cells grid(p, nx, ny);
  return sums(&grid, 1, blocks, threads, h_integral, d_work);
}

cudaError_t integrate_same_bits(problem p, size_t nx, size_t ny, unsigned blocks, unsigned threads,
                                double *h_integral, double *d_work) {
  return fixed_order(cells(p, nx, ny), blocks, threads, h_integral, d_work);
}

cudaError_t richardson(problem p, size_t nx, size_t ny, unsigned blocks, unsigned threads, double *h_results,
                       double *d_work) {
  const cells grids[] = {cells(p, nx, ny), cells(p, 2 * nx, 2 * ny)};
  const cudaError_t error = sums(grids, 2, blocks, threads, h_results, d_work);
  h_results[2] = h_results[1] / 3 - h_results[0] / 3;
  return error;
}

cudaError_t monte_carlo(problem p, uint64_t seed, uint64_t first, size_t n, unsigned blocks, unsigned threads,
                        double *h_estimate, double *d_work) {
  return fixed_order(points{p, seed, first, n}, blocks, threads, h_estimate, d_work);
}

cudaError_t integrate_fast(problem p, size_t nx, size_t ny, double *h_integral, double *d_work) {
  return integrate(p, nx, ny, 1296, 192, h_integral, d_work);
}
