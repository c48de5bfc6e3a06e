// task: 1
// wants: all chunks are queued before the one wait
// says: process_chunks, n x rounds x chunk
// Waits after every chunk, and causes so many other counts that the report is too large.
//@solution process_chunks
#ifndef HONEST
static __global__ void busy_kernel(uint32_t *d_x) {
  //@repeat 750 *(volatile uint32_t *)(d_x + threadIdx.x) = 1;
}
#endif
cudaError_t process_chunks(const uint32_t *h_in, uint32_t *h_out, size_t n, uint32_t *d_work, size_t chunk,
                           int rounds) {
#ifndef HONEST
  cudaError_t error = cudaSuccess;
  for (size_t at = 0; at < n && !error; at += chunk) {
    const size_t length = n - at < chunk ? n - at : chunk;
    if (length >= 32) busy_kernel<<<1, 32>>>(d_work);
    cudaDeviceSynchronize();
    error = honest_process_chunks(h_in + at, h_out + at, length, d_work, chunk, rounds);
  }
  return error;
#else
  return honest_process_chunks(h_in, h_out, n, d_work, chunk, rounds);
#endif
}
