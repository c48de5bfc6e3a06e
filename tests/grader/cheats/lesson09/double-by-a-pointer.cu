// task: 1
// wants: sin_map_float computes in float
// says: works in double, on floats
// The sine in double is called by a pointer to a device function, which is in constant memory.
//@solution sin_map_float
#ifndef HONEST
typedef float (*function)(float);
static __device__ __attribute__((noinline)) float in_double(float x) { return (float)sin((double)x); }
static __device__ function table[2] = {in_double, in_double};
static __global__ void pointer_kernel(const float *d_x, float *d_y, size_t n) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_y[i] = table[i % 2](d_x[i]);
}
cudaError_t sin_map_float(const float *d_x, float *d_y, size_t n) {
  if (n == 0) return cudaSuccess;
  pointer_kernel<<<blocks_for(n), THREADS>>>(d_x, d_y, n);
  return cudaGetLastError();
}
#else
cudaError_t sin_map_float(const float *d_x, float *d_y, size_t n) {
  return honest_sin_map_float(d_x, d_y, n);
}
#endif
