// task: 3
// wants: histogram makes no memory errors, no races, and every thread reaches its barriers
// says: loads, changes and stores
// The blocks add their counts to the global ones by a load and a store, through a volatile pointer.
//@solution histogram
static __global__ void counts_kernel(const uint8_t *d_x, size_t n, uint32_t *d_counts) {
  __shared__ uint32_t counts[BINS];
  for (int v = threadIdx.x; v < BINS; v += blockDim.x) counts[v] = 0;
  __syncthreads();
  const size_t stride = (size_t)gridDim.x * blockDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    atomicAdd(&counts[d_x[i]], 1);
  __syncthreads();
#ifndef HONEST
  volatile uint32_t *total = d_counts;
#endif
  for (int v = threadIdx.x; v < BINS; v += blockDim.x)
#ifndef HONEST
    total[v] = total[v] + counts[v];
#else
    if (counts[v] > 0) atomicAdd(&d_counts[v], counts[v]);
#endif
}

cudaError_t histogram(const uint8_t *d_x, size_t n, uint32_t *d_counts) {
  const cudaError_t error = cudaMemsetAsync(d_counts, 0, BINS * sizeof *d_counts);
  if (error || n == 0) return error;
  const size_t blocks = (n + 65535) / 65536;
  counts_kernel<<<(unsigned)(blocks < 256 ? blocks : 256), 1024>>>(d_x, n, d_counts);
  return cudaGetLastError();
}
