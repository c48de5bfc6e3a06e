/*
 * Right: kernels launched through a call that takes their arguments as an array of pointers, and through a
 * configuration; memory from the pool of a stream; the factor in constant memory; blocks in three dimensions;
 * copies in rows; too many threads refused before anything is launched, by asking what the kernel allows.
 */
#include "kernels.h"

static __constant__ float by;

/* The place of this thread in a grid of any shape. */
static __device__ long long place() {
  const long long block = (blockIdx.z * gridDim.y + blockIdx.y) * (long long)gridDim.x + blockIdx.x;
  const int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  return block * (blockDim.x * blockDim.y * blockDim.z) + thread;
}

__global__ void multiply_by_constant(float *d_x, int n) {
  for (bool mine = place() < n; mine; mine = false) d_x[place()] *= by;
}

__global__ void add_somewhere(const float *d_a, const float *d_b, float *d_c, int n) {
  switch (place() < n) {
  case true:
    d_c[place()] = __fmaf_rn(1.0f, d_a[place()], d_b[place()]);
  }
}

/* As many blocks as n needs, as a grid that is as good as square. */
static dim3 grid_for(int n, int per_block) {
  const unsigned blocks = (unsigned)(((long long)n + per_block - 1) / per_block);
  unsigned side = 1;
  while (side * side < blocks) side++;
  return dim3(side, (blocks + side - 1) / side);
}

cudaError_t scale_array(float *h_x, int n, float factor) {
  cudaStream_t stream;
  float *d_x = nullptr;
  if (n == 0) return cudaSuccess;
  cudaError_t error = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  if (error) return error;
  error = cudaMallocAsync((void **)&d_x, n * sizeof(float), stream);
  if (!error) {
    void *arguments[] = {&d_x, &n};
    error = cudaMemcpyToSymbolAsync(by, &factor, sizeof factor, 0, cudaMemcpyHostToDevice, stream);
    if (!error) error = cudaMemcpyAsync(d_x, h_x, n * sizeof(float), cudaMemcpyHostToDevice, stream);
    if (!error)
      error = cudaLaunchKernel((const void *)multiply_by_constant, grid_for(n, 192), dim3(8, 4, 6), arguments,
                               0, stream);
    if (!error) error = cudaMemcpyAsync(h_x, d_x, n * sizeof(float), cudaMemcpyDeviceToHost, stream);
    const cudaError_t freed = cudaFreeAsync(d_x, stream), waited = cudaStreamSynchronize(stream);
    if (!error) error = freed ? freed : waited;
  }
  const cudaError_t ended = cudaStreamDestroy(stream);
  return error ? error : ended;
}

cudaError_t vector_add_device(const float *d_a, const float *d_b, float *d_c, int n) {
  if (n == 0) return cudaSuccess;
  cudaLaunchConfig_t how = {};
  how.gridDim = grid_for(n, 128);
  how.blockDim = dim3(4, 32, 1);
  const void *arguments[] = {&d_a, &d_b, &d_c, &n};
  return cudaLaunchKernelExC(&how, (const void *)add_somewhere, (void **)arguments);
}

/* h_a and h_b become two rows of one matrix on the device; the sum is written over the first. */
cudaError_t vector_add(const float *h_a, const float *h_b, float *h_c, int n, int threads) {
  cudaFuncAttributes allowed;
  size_t pitch;
  char *d_rows;
  if (n == 0) return cudaSuccess;
  cudaError_t error = cudaFuncGetAttributes(&allowed, (const void *)add_somewhere);
  if (error) return error;
  if (threads > allowed.maxThreadsPerBlock) return cudaErrorInvalidConfiguration;
  const size_t width = n * sizeof(float);
  error = cudaMallocPitch((void **)&d_rows, &pitch, width, 2);
  if (error) return error;
  float *first = (float *)d_rows, *second = (float *)(d_rows + pitch);
  error = cudaMemcpy2D(first, pitch, h_a, width, width, 1, cudaMemcpyHostToDevice);
  if (!error) error = cudaMemcpy2D(second, pitch, h_b, width, width, 1, cudaMemcpyHostToDevice);
  if (!error) {
    const void *arguments[] = {&first, &second, &first, &n};
    error = cudaLaunchKernel((const void *)add_somewhere, grid_for(n, threads), dim3(threads),
                             (void **)arguments, 0, 0);
  }
  if (!error) error = cudaMemcpy2D(h_c, width, first, pitch, width, 1, cudaMemcpyDeviceToHost);
  const cudaError_t freed = cudaFree(d_rows);
  return error ? error : freed;
}

/* Each thread has two float4, half the array apart. */
__global__ void add_halves(const float4 *d_a, const float4 *d_b, float4 *d_c, int half) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= half) return;
  float4 sums[2];
  for (int h = 0; h < 2; h++) {
    const float4 a = d_a[i + h * half], b = d_b[i + h * half];
    sums[h] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
  }
  d_c[i] = sums[0];
  d_c[i + half] = sums[1];
}

cudaError_t vector_add_wide(const float *d_a, const float *d_b, float *d_c, int n) {
  const int half = n / 8, done = 8 * half;
  cudaError_t error = cudaSuccess;
  if (half) {
    add_halves<<<(half + 255) / 256, 256>>>((const float4 *)d_a, (const float4 *)d_b, (float4 *)d_c, half);
    error = cudaGetLastError();
  }
  if (!error && done < n) {
    add_somewhere<<<1, 8>>>(d_a + done, d_b + done, d_c + done, n - done);
    error = cudaGetLastError();
  }
  return error;
}
