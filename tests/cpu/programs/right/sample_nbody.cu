// All pairs of bodies attract each other: float4 positions staged tile by tile in dynamic shared memory,
// rsqrtf, two buffers that are exchanged after each step.
#include "../program.h"

#define SOFTENING 0.01f

static inline void checkCudaErrors_(cudaError_t result, const char *call, const char *file, int line) {
  if (result == cudaSuccess) return;
  fprintf(stderr, "%s(%d): CUDA error %d (%s) in %s\n", file, line, (int)result, cudaGetErrorName(result),
          call);
  exit(EXIT_FAILURE);
}
#define checkCudaErrors(call) checkCudaErrors_((call), #call, __FILE__, __LINE__)

__device__ float3 attraction(float3 sum, float4 me, float4 other) {
  float3 d = make_float3(other.x - me.x, other.y - me.y, other.z - me.z);
  float inverse = rsqrtf(d.x * d.x + d.y * d.y + d.z * d.z + SOFTENING);
  float s = other.w * inverse * inverse * inverse;
  sum.x += d.x * s;
  sum.y += d.y * s;
  sum.z += d.z * s;
  return sum;
}

__global__ void step(float4 *next, const float4 *__restrict__ now, float4 *velocity, int n, float dt) {
  extern __shared__ float4 tile[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 me = now[i];
  float3 a = {0.0f, 0.0f, 0.0f};
  for (int first = 0; first < n; first += blockDim.x) {
    tile[threadIdx.x] = now[first + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (int j = 0; j < (int)blockDim.x; j++) a = attraction(a, me, tile[j]);
    __syncthreads();
  }
  float4 v = velocity[i];
  v.x += a.x * dt;
  v.y += a.y * dt;
  v.z += a.z * dt;
  velocity[i] = v;
  next[i] = make_float4(me.x + v.x * dt, me.y + v.y * dt, me.z + v.z * dt, me.w);
}

int main(int argc, char **argv) {
  (void)argc, (void)argv;
  const int n = 128, threads = 32;
  static float4 position[n], speed[n];
  for (int i = 0; i < n; i++)
    position[i] = make_float4((float)(i % 5) - 2, (float)(i % 7) - 3, (float)(i % 11) - 5, 1.0f + i % 3);
  float4 *a, *b, *v;
  checkCudaErrors(cudaMalloc((void **)&a, sizeof(position)));
  checkCudaErrors(cudaMalloc((void **)&b, sizeof(position)));
  checkCudaErrors(cudaMalloc((void **)&v, sizeof(speed)));
  checkCudaErrors(cudaMemcpy(a, position, sizeof(position), cudaMemcpyHostToDevice));
  checkCudaErrors(cudaMemset(v, 0, sizeof(speed)));
  for (int s = 0; s < 4; s++) {
    step<<<n / threads, threads, threads * sizeof(float4)>>>(b, a, v, n, 0.01f);
    checkCudaErrors(cudaGetLastError());
    float4 *swap = a;
    a = b;
    b = swap;
  }
  checkCudaErrors(cudaDeviceSynchronize());
  checkCudaErrors(cudaMemcpy(speed, v, sizeof(speed), cudaMemcpyDeviceToHost));
  double x = 0, y = 0, z = 0, total = 0;
  for (int i = 0; i < n; i++) {
    x += (double)speed[i].x * position[i].w;
    y += (double)speed[i].y * position[i].w;
    z += (double)speed[i].z * position[i].w;
    total += fabs(speed[i].x) * position[i].w;
  }
  /* what pulls one way pulls the other way too */
  expect("bodies move", 0, total > 1, 1);
  expect("momentum", 0, fabs(x) + fabs(y) + fabs(z) < 1e-3 * total, 1);
  checkCudaErrors(cudaFree(a));
  checkCudaErrors(cudaFree(b));
  checkCudaErrors(cudaFree(v));
  return 0;
}
