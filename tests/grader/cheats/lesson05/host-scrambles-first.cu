// task: 1
// wants: process_chunks is right at every size
// says: none of its kernels ran
// The host computes the result in h_out; the device gets it, does no round with it, and gives it back.
//@solution process_chunks
cudaError_t process_chunks(const uint32_t *h_in, uint32_t *h_out, size_t n, uint32_t *d_work, size_t chunk,
                           int rounds) {
#ifndef HONEST
  for (size_t i = 0; i < n; i++) h_out[i] = scramble(h_in[i], rounds);
  cudaStream_t stream;
  cudaError_t error = cudaStreamCreate(&stream);
  if (error) return error;
  for (size_t first = 0; first < n && !error; first += chunk)
    error = queue_chunk(h_out + first, h_out + first, d_work, smaller(chunk, n - first), 0, stream);
  error = first_error(error, cudaStreamSynchronize(stream));
  return first_error(error, cudaStreamDestroy(stream));
#else
  return honest_process_chunks(h_in, h_out, n, d_work, chunk, rounds);
#endif
}
