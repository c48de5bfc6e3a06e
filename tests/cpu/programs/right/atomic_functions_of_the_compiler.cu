/* The compiler's atomic functions of CUDA 12.8, __nv_atomic_…: each of them, for the types that it has, with
   and without a scope; a flag that is released and acquired, and a lock. */
#include "program.h"

#ifndef __CUDACC_DEVICE_ATOMIC_BUILTINS__
#error the compiler has no __nv_atomic functions
#endif

__global__ void sums(unsigned *u, int *i, unsigned long long *l, float *f, double *d) {
  const int t = threadIdx.x;
  __nv_atomic_fetch_add(u, 1, __NV_ATOMIC_RELAXED);
  __nv_atomic_add(u + 1, 2u, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
  __nv_atomic_sub(i, t, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_sub(i + 1, 3, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_SYSTEM);
  __nv_atomic_fetch_min(i + 2, -t, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_max(i + 3, t, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_and(u + 2, ~(1u << t), __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_or(u + 3, 1u << t, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_xor(u + 4, 1u << t, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_add(l, 1ull << 40, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_max(l + 1, (unsigned long long)t << 33, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_add(f, 0.5f, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_sub(d, 0.25, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
}

/* Any type of 4 or 8 bytes is exchanged. */
__global__ void exchanges(float *f, int2 *pairs, unsigned short *s) {
  if (threadIdx.x == 0) {
    float one = 1.0f, before;
    __nv_atomic_exchange(f, &one, &before, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_store(f + 1, &before, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  }
  int2 seen, next;
  __nv_atomic_load(pairs, &seen, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  do next = make_int2(seen.x + 1, seen.y - 1);
  while (!__nv_atomic_compare_exchange(pairs, &seen, &next, true, __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED,
                                       __NV_THREAD_SCOPE_DEVICE));
  unsigned short old = __nv_atomic_load_n(s, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  while (!__nv_atomic_compare_exchange_n(s, &old, (unsigned short)(old + 3), false, __NV_ATOMIC_RELAXED,
                                         __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE)) {
  }
}

__global__ void pass(int *data, int *flag, int *out) {
  if (blockIdx.x == 0) {
    data[threadIdx.x] = threadIdx.x * 5;
    __syncthreads();
    if (threadIdx.x == 0) __nv_atomic_store_n(flag, 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
  } else {
    if (threadIdx.x == 0)
      while (!__nv_atomic_load_n(flag, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE)) {
      }
    __syncthreads();
    out[threadIdx.x] = data[threadIdx.x ^ 1];
  }
}

/* With fences of their own, and relaxed operations between them. */
__global__ void locked(int *lock, int *value) {
  for (bool done = false; !done;) {
    int open = 0;
    if (__nv_atomic_compare_exchange_n(lock, &open, 1, false, __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED)) {
      __nv_atomic_thread_fence(__NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
      *value = *value + 1;
      __nv_atomic_thread_fence(__NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
      __nv_atomic_exchange_n(lock, 0, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
      done = true;
    }
  }
}

struct values {
  unsigned u[5];
  int i[4];
  unsigned long long l[2];
  double d;
  float f[3];
  int2 pair;
  unsigned short s;
  int flag, lock, counter;
};

int main() {
  values h = {}, *v;
  int *data, *out, r[64];
  h.u[2] = ~0u;
  h.f[1] = 7.0f;
  CHECK(cudaMalloc(&v, sizeof *v));
  CHECK(cudaMalloc(&data, sizeof r));
  CHECK(cudaMalloc(&out, sizeof r));
  CHECK(cudaMemcpy(v, &h, sizeof h, cudaMemcpyHostToDevice));
  sums<<<1, 32>>>(v->u, v->i, v->l, v->f, &v->d);
  exchanges<<<2, 32>>>(v->f + 1, &v->pair, &v->s);
  pass<<<2, 64>>>(data, &v->flag, out);
  locked<<<3, 40>>>(&v->lock, &v->counter);
  CHECK(cudaMemcpy(&h, v, sizeof h, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost));
  const double u[5] = {32, 64, 0, ~0u, ~0u}, i[4] = {-496, -96, -31, 31};
  for (int k = 0; k < 5; k++) expect("u", k, h.u[k], u[k]);
  for (int k = 0; k < 4; k++) expect("i", k, h.i[k], i[k]);
  expect("l", 0, (double)(h.l[0] >> 40), 32);
  expect("l", 1, (double)(h.l[1] >> 33), 31);
  expect("f", 0, h.f[0], 16);
  expect("d", 0, h.d, -8);
  expect("f", 1, h.f[1], 1);
  expect("pair", 0, h.pair.x, 64);
  expect("pair", 1, h.pair.y, -64);
  expect("s", 0, h.s, 192);
  expect("counter", 0, h.counter, 120);
  for (int k = 0; k < 64; k++) expect("r", k, r[k], (k ^ 1) * 5);
  CHECK(cudaFree(v));
  CHECK(cudaFree(data));
  CHECK(cudaFree(out));
}
