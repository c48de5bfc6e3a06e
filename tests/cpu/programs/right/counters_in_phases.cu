/* One counter in shared memory, cleared, counted and read in turn, with a barrier between; and a global one
   read by the next launch. */
#include "program.h"

__global__ void count(const int *in, int n, int *per_digit, int *total) {
  __shared__ int counter;
  for (int digit = 0; digit < 4; digit++) {
    if (threadIdx.x == 0) counter = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
      if (in[i] % 4 == digit) {
        atomicAdd(&counter, 1);
        atomicAdd(total, 1);
      }
    __syncthreads();
    if (threadIdx.x == digit) per_digit[digit] = counter;
    __syncthreads();
  }
}

__global__ void check(const int *total, int *same, int n) { *same = *total == n; }

int main() {
  const int n = 400;
  int h[n], digits[4], *in, *out;
  for (int i = 0; i < n; i++) h[i] = i;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, 6 * sizeof *out));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(out, 0, 6 * sizeof *out));
  count<<<1, 96>>>(in, n, out, out + 4);
  check<<<1, 1>>>(out + 4, out + 5, n);
  CHECK(cudaMemcpy(digits, out, sizeof digits, cudaMemcpyDeviceToHost));
  for (int d = 0; d < 4; d++) expect("digit", d, digits[d], n / 4);
  int same;
  CHECK(cudaMemcpy(&same, out + 5, sizeof same, cudaMemcpyDeviceToHost));
  expect("total", 0, same, 1);
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}
