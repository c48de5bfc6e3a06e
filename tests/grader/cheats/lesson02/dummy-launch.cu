// task: 1
// wants: a kernel does the scaling
// says: kernels wrote
// Keeps the loop on the host and also launches a kernel that does nothing.
//@solution scale_array
#ifndef HONEST
static __global__ void nothing_kernel() {}
#endif
cudaError_t scale_array(float *h_x, int n, float factor) {
#ifndef HONEST
  for (int i = 0; i < n; i++) h_x[i] *= factor;
  nothing_kernel<<<1, 1>>>();
  return cudaDeviceSynchronize();
#else
  return honest_scale_array(h_x, n, factor);
#endif
}
