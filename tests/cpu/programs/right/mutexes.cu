/* Locks of several kinds around plain updates: compare-and-swap, a ticket, an exchange, and one in shared
 * memory that threads of one warp want. */
#include "program.h"
struct mutex {
  int held;
  __device__ void lock() {
    while (atomicCAS(&held, 0, 1) != 0)
      ;
    __threadfence();
  }
  __device__ void unlock() {
    __threadfence();
    atomicExch(&held, 0);
  }
};
struct ticket_lock {
  unsigned next, serving;
  __device__ void lock() {
    unsigned mine = atomicAdd(&next, 1u);
    while (atomicAdd(&serving, 0u) != mine)
      ;
    __threadfence();
  }
  __device__ void unlock() {
    __threadfence();
    atomicAdd(&serving, 1u);
  }
};
__global__ void dot(const float *a, const float *b, int n, mutex *m, float *sum) {
  __shared__ float c[64];
  float t = 0;
  for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += gridDim.x * 64) t += a[i] * b[i];
  c[threadIdx.x] = t;
  __syncthreads();
  for (int i = 32; i; i >>= 1) {
    if (threadIdx.x < i) c[threadIdx.x] += c[threadIdx.x + i];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    m->lock();
    *sum += c[0];
    m->unlock();
  }
}
__global__ void per_thread(ticket_lock *l, int *log, int *count) {
  l->lock();
  log[*count] = blockIdx.x * blockDim.x + threadIdx.x;
  *count = *count + 1;
  l->unlock();
}
__global__ void exchange(int *lock, int *value) {
  for (bool done = false; !done;) {
    if (atomicExch(lock, 1) == 0) {
      __threadfence();
      *value += 2;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}
__global__ void inner(int *out) {
  __shared__ int lock, value, max_at;
  if (threadIdx.x == 0) lock = 0, value = 0, max_at = -1;
  __syncthreads();
  for (bool done = false; !done;) {
    if (atomicCAS(&lock, 0, 1) == 0) {
      __threadfence_block();
      value += threadIdx.x;
      if ((int)threadIdx.x > max_at) max_at = threadIdx.x;
      __threadfence_block();
      atomicExch(&lock, 0);
      done = true;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = value * 1000 + max_at;
}
int main() {
  const int n = 1000;
  float h[n], *a, *sum, r;
  char *state;
  int *log, l[60], *out, o[2];
  double want = 0;
  for (int i = 0; i < n; i++) {
    h[i] = (float)(i % 9);
    want += h[i] * h[i];
  }
  CHECK(cudaMalloc(&a, sizeof h));
  CHECK(cudaMalloc(&sum, 4));
  CHECK(cudaMalloc(&state, 64));
  CHECK(cudaMalloc(&log, sizeof l));
  CHECK(cudaMalloc(&out, 8));
  CHECK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(state, 0, 64));
  CHECK(cudaMemset(sum, 0, 4));
  dot<<<5, 64>>>(a, a, n, (mutex *)state, sum);
  CHECK(cudaMemcpy(&r, sum, 4, cudaMemcpyDeviceToHost));
  expect("dot", 0, r, want);
  per_thread<<<6, 10>>>((ticket_lock *)(state + 8), log, (int *)(state + 16));
  CHECK(cudaMemcpy(l, log, sizeof l, cudaMemcpyDeviceToHost));
  int x = 0;
  for (int i = 0; i < 60; i++) x += l[i];
  expect("log", 0, x, 59 * 30);
  exchange<<<3, 33>>>((int *)(state + 20), (int *)(state + 24));
  CHECK(cudaMemcpy(&x, state + 24, 4, cudaMemcpyDeviceToHost));
  expect("exch", 0, x, 2 * 99);
  inner<<<2, 50>>>(out);
  CHECK(cudaMemcpy(o, out, 8, cudaMemcpyDeviceToHost));
  expect("inner", 0, o[1], 49 * 25 * 1000 + 49);
  CHECK(cudaFree(a));
  CHECK(cudaFree(sum));
  CHECK(cudaFree(state));
  CHECK(cudaFree(log));
  CHECK(cudaFree(out));
}
