#define FULL 0xffffffffu
extern "C" __global__ void k(const float *__restrict__ p, float *sum, size_t n) {
  float mine = 0;
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += p[i];
#pragma unroll
  for (int step = 16; step > 0; step /= 2) mine += __shfl_down_sync(FULL, mine, step);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, mine);
}
