// expect: racecheck: mirror_sum
// says: reads|writes; __syncthreads
/* Every thread adds its vector and its mirror image's, by an operator of the program's own. The tile is read
   before all of it has been written. */
#include "program.h"

__device__ float4 operator+(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

__global__ void mirror_sum(const float4 *in, float4 *out) {
  __shared__ float4 tile[64];
  const int i = threadIdx.x;
  tile[i] = in[i]; // <- at
#ifdef FIXED
  __syncthreads();
#endif
  out[i] = tile[i] + tile[63 - i]; // <- at
}

int main() {
  float4 *in, *out;
  CHECK(cudaMalloc(&in, 64 * sizeof *in));
  CHECK(cudaMalloc(&out, 64 * sizeof *out));
  CHECK(cudaMemset(in, 0, 64 * sizeof *in));
  mirror_sum<<<1, 64>>>(in, out);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}
