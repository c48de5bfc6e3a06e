// task: further
// wants: a convolution is products
// says: cuBLAS multiplied nothing
// A kernel adds up the nine neighbours of each place itself; a product of single numbers is for show.
//@solution conv_forward
#ifndef HONEST
static __global__ void direct_kernel(conv c, const float *d_x, const float *d_weights, float *d_columns,
                                     float *d_y, size_t count) {
  const size_t n = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (n >= count) return;
  const int to = (int)(n % c.to), column = (int)(n / c.to % c.width),
            row = (int)(n / c.to / c.width % c.height);
  const float *x = d_x + n / c.to / c.width / c.height * c.height * c.width * c.from;
  float sum = 0;
  for (int tap = 0; tap < 9; tap++) {
    const int i = row + tap / 3 - 1, j = column + tap % 3 - 1;
    if (i < 0 || i >= c.height || j < 0 || j >= c.width) continue;
    for (int from = 0; from < c.from; from++)
      sum += x[(i * c.width + j) * c.from + from] * d_weights[(tap * c.from + from) * c.to + to];
  }
  d_y[n] = sum;
}
#endif
cudaError_t conv_forward(cublasHandle_t handle, cudaStream_t stream, conv c, int batch,
                         const float *d_weights, const float *d_x, float *d_columns, float *d_y) {
#ifndef HONEST
  const size_t count = conv_count(c, batch);
  cudaError_t error = cuda_error(cublasSetStream(handle, stream));
  neighbours_kernel<<<blocks_of_images(c, 9 * c.from, batch), BLOCK, 0, stream>>>(c, d_x, d_columns);
  if (!error) error = cudaGetLastError();
  if (!error) error = product(handle, false, false, 1, 1, 1, d_columns, d_weights, d_y);
  if (error) return error;
  direct_kernel<<<blocks_for(count), BLOCK, 0, stream>>>(c, d_x, d_weights, d_columns, d_y, count);
  return cudaGetLastError();
#else
  return honest_conv_forward(handle, stream, c, batch, d_weights, d_x, d_columns, d_y);
#endif
}
