/* cuda::make_pipeline(): each thread's own stages, filled in the background and waited for one by one, or all
   but the last few; then a barrier, as other threads read them. */
#include "program.h"
#include <cuda/pipeline>

enum { THREADS = 64, STAGES = 3, TILES = 8 };

__global__ void in_turn(const float4 *in, float *out) {
  __shared__ float4 tile[STAGES][THREADS];
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  const int t = threadIdx.x;
  float sum = 0;
  for (int next = 0, now = 0; now < TILES; now++) {
    for (; next < TILES && next < now + STAGES; next++) {
      pipe.producer_acquire();
      cuda::memcpy_async(&tile[next % STAGES][t], &in[next * THREADS + t],
                         cuda::aligned_size_t<16>(sizeof(float4)), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    __syncthreads();
    const float4 v = tile[now % STAGES][THREADS - 1 - t];
    sum += v.x + v.y + v.z + v.w;
    __syncthreads();
    pipe.consumer_release();
  }
  out[t] = sum;
}

__global__ void all_but_the_last(const int *in, int *out) {
  __shared__ int parts[4];
  if (threadIdx.x) return;
  auto pipe = cuda::make_pipeline();
  for (int i = 0; i < 4; i++) {
    pipe.producer_acquire();
    cuda::memcpy_async(parts + i, in + i, sizeof(int), pipe);
    pipe.producer_commit();
  }
  cuda::pipeline_consumer_wait_prior<1>(pipe);
  for (int i = 0; i < 3; i++) out[i] = parts[i];
  pipe.consumer_release();
  cuda::pipeline_consumer_wait_prior<0>(pipe);
  out[3] = parts[3];
  pipe.consumer_release();
}

/* The copies of a thread's pipeline are made part of a barrier's phase, for which all threads wait. */
__global__ void with_a_barrier(const int *in, int *out) {
  __shared__ int parts[THREADS];
  __shared__ cuda::barrier<cuda::thread_scope_block> b;
  const int t = threadIdx.x;
  if (t == 0) init(&b, THREADS);
  __syncthreads();
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(parts + t, in + t, sizeof(int), pipe);
  cuda::pipeline_producer_commit(pipe, b);
  b.arrive_and_wait();
  out[t] = parts[t ^ 1];
}

int main() {
  static float4 h_in[TILES * THREADS];
  float h_out[THREADS];
  int h[THREADS], *d, *r;
  for (int i = 0; i < TILES * THREADS; i++) h_in[i] = make_float4(i, 1, 2, 3);
  for (int i = 0; i < THREADS; i++) h[i] = i * 3;
  float4 *in;
  float *out;
  CHECK(cudaMalloc(&in, sizeof h_in));
  CHECK(cudaMalloc(&out, sizeof h_out));
  CHECK(cudaMalloc(&d, sizeof h));
  CHECK(cudaMalloc(&r, sizeof h));
  CHECK(cudaMemcpy(in, h_in, sizeof h_in, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  in_turn<<<1, THREADS>>>(in, out);
  CHECK(cudaMemcpy(h_out, out, sizeof h_out, cudaMemcpyDeviceToHost));
  for (int i = 0; i < THREADS; i++)
    expect("sum", i, h_out[i], TILES * (THREADS - 1 - i + 6) + THREADS * TILES * (TILES - 1) / 2);
  all_but_the_last<<<1, 2>>>(d, r);
  CHECK(cudaMemcpy(h, r, 4 * sizeof *h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 4; i++) expect("part", i, h[i], i * 3);
  with_a_barrier<<<1, THREADS>>>(d, r);
  CHECK(cudaMemcpy(h, r, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < THREADS; i++) expect("neighbour", i, h[i], (i ^ 1) * 3);
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  CHECK(cudaFree(d));
  CHECK(cudaFree(r));
}
