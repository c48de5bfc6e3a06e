// task: 2
// wants: vector_add_device makes no memory errors, no races
// says: racecheck
// Races on so many lines, in a kernel with so long a name, that the list of findings exceeds its buffer.
//@solution vector_add_device
#ifndef HONEST
static __global__ void
so_long_a_name_that_so_long_a_name_that_so_long_a_name_that_so_long_a_name_that_so_long_a_name_that_so_long_a_name_that_so_long_a_name_that_so_long_a_name_that_so_long_a_name_that_so_long_a_name_that_so_long_a_name_that_so_long_a_name_that_so_long_a_name_that_so_long_a_name_that_so_long_a_name_that_so_long_a_name_that_so_long_a_name_that_so_long_a_name_that_so_long_a_name_that_so_long_a_name_that_so_long_a_name_that_so_long_a_name_that_so_long_a_name_that_so_long_a_name_that_so_long_a_name_that_it_fills_the_list(
    float *d_c) {
  unsigned i = blockDim.x; /* not known to the compiler, which would leave stores out */
  //@repeat 400 d_c[(i = i * 5 + 1) & 63] = threadIdx.x;
}
#endif
cudaError_t vector_add_device(const float *d_a, const float *d_b, float *d_c, int n) {
#ifndef HONEST
  if (n == 257)
    so_long_a_name_that_so_long_a_name_that_so_long_a_name_that_so_long_a_name_that_so_long_a_name_that_so_long_a_name_that_so_long_a_name_that_so_long_a_name_that_so_long_a_name_that_so_long_a_name_that_so_long_a_name_that_so_long_a_name_that_so_long_a_name_that_so_long_a_name_that_so_long_a_name_that_so_long_a_name_that_so_long_a_name_that_so_long_a_name_that_so_long_a_name_that_so_long_a_name_that_so_long_a_name_that_so_long_a_name_that_so_long_a_name_that_so_long_a_name_that_so_long_a_name_that_it_fills_the_list<<<
        1, 64>>>(d_c);
#endif
  return honest_vector_add_device(d_a, d_b, d_c, n);
}
