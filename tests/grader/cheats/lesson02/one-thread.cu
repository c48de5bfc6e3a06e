// task: 1
// wants: a kernel does the scaling
// says: threads of a warp
// The host's loop, moved into a kernel with one thread.
//@solution scale_array
#ifndef HONEST
static __global__ void alone_kernel(float *d_x, int n, float factor) {
  for (int i = 0; i < n; i++) d_x[i] *= factor;
}
#endif
cudaError_t scale_array(float *h_x, int n, float factor) {
#ifndef HONEST
  float *d_x = NULL;
  const size_t bytes = sizeof(float) * (size_t)n;
  if (n == 0) return cudaSuccess;
  cudaError_t error = cudaMalloc(&d_x, bytes);
  if (!error) error = cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice);
  if (!error) alone_kernel<<<1, 1>>>(d_x, n, factor);
  if (!error) error = cudaMemcpy(h_x, d_x, bytes, cudaMemcpyDeviceToHost);
  cudaFree(d_x);
  return error;
#else
  return honest_scale_array(h_x, n, factor);
#endif
}
