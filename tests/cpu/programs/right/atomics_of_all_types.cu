/* Every atomic function of CUDA's table for every type it has, in its three scopes. Each thread applies all
 * of them to the same variables; what comes out does not depend on the order. One block, since it takes atomics
 * of a block, too. */
#include "program.h"
#define THREADS 96

template <class T> struct integers { T sum, low, high, bits_and, bits_or, bits_xor, last, swapped; };
struct others {
  long long low, high;
  unsigned up, down;
  unsigned minus;
  int signed_minus;
  float sum, last;
  double double_sum;
  unsigned short cas[2];
};

template <class T> __device__ void apply(integers<T> *a, int i) {
  const T v = (T)(i + 1);
  atomicAdd(&a->sum, v);
  atomicAdd_block(&a->sum, v);
  atomicAdd_system(&a->sum, v);
  atomicMin(&a->low, v);
  atomicMin_block(&a->low, (T)(v + 1));
  atomicMax(&a->high, v);
  atomicMax_system(&a->high, v);
  atomicAnd(&a->bits_and, (T) ~((T)1 << (i % 31)));
  atomicOr(&a->bits_or, (T)1 << (i % 31));
  atomicXor(&a->bits_xor, v);
  atomicXor_system(&a->bits_xor, (T)(v * 64));
  atomicExch(&a->last, (T)77);
  T old = 0, seen;
  do {
    seen = old;
    old = atomicCAS(&a->swapped, seen, (T)(seen + 2));
  } while (old != seen);
}

__global__ void all(integers<int> *i, integers<unsigned> *u, integers<unsigned long long> *l, others *o) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  apply(i, t);
  apply(u, t);
  apply(l, t);
  atomicMin(&o->low, -5000000000LL - t);
  atomicMax(&o->high, 5000000000LL + t);
  atomicInc(&o->up, 9u);
  atomicDec(&o->down, 9u);
  atomicSub(&o->minus, 2u);
  atomicSub_block(&o->signed_minus, 2);
  atomicAdd(&o->sum, 0.25f);
  atomicAdd_system(&o->sum, 0.25f);
  atomicExch(&o->last, 1.5f);
  atomicAdd(&o->double_sum, 0.125);
  atomicAdd_block(&o->double_sum, 0.125);
  unsigned short old = 0, seen;
  do {
    seen = old;
    old = atomicCAS(&o->cas[1], seen, (unsigned short)(seen + 3));
  } while (old != seen);
}

template <class T> static void judge(const char *type, const integers<T> &a) {
  T bits_xor = 0;
  for (int i = 0; i < THREADS; i++) bits_xor ^= (T)(i + 1) ^ (T)((T)(i + 1) * 64);
  expect(type, 0, (double)a.sum, 3.0 * THREADS * (THREADS + 1) / 2);
  expect(type, 1, (double)a.low, 1);
  expect(type, 2, (double)a.high, THREADS);
  expect(type, 3, (double)a.bits_and, 0);
  expect(type, 4, (double)a.bits_or, 0x7fffffff);
  expect(type, 5, (double)a.bits_xor, (double)bits_xor);
  expect(type, 6, (double)a.last, 77);
  expect(type, 7, (double)a.swapped, 2 * THREADS);
}

template <class T> static T *upload(const T &value) {
  T *d;
  CHECK(cudaMalloc(&d, sizeof value));
  CHECK(cudaMemcpy(d, &value, sizeof value, cudaMemcpyHostToDevice));
  return d;
}
template <class T> static void download(T &value, T *d) {
  CHECK(cudaMemcpy(&value, d, sizeof value, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d));
}

int main() {
  integers<int> i = {0, 1 << 30, -1, 0x7fffffff, 0, 0, 0, 0}, *d_i = upload(i);
  integers<unsigned> u = {0, 1u << 30, 0, 0x7fffffffu, 0, 0, 0, 0}, *d_u = upload(u);
  integers<unsigned long long> l = {0, 1ull << 60, 0, 0x7fffffffull, 0, 0, 0, 0}, *d_l = upload(l);
  others o = {}, *d_o;
  o.down = 3;
  o.minus = 1000;
  d_o = upload(o);
  all<<<1, THREADS>>>(d_i, d_u, d_l, d_o);
  CHECK(cudaGetLastError());
  download(i, d_i);
  download(u, d_u);
  download(l, d_l);
  download(o, d_o);
  judge("int", i);
  judge("unsigned", u);
  judge("unsigned long long", l);
  expect("long long", 0, (double)o.low, -5000000000.0 - (THREADS - 1));
  expect("long long", 1, (double)o.high, 5000000000.0 + (THREADS - 1));
  expect("inc", 0, o.up, THREADS % 10);
  expect("dec", 0, o.down, (3 + 10 * THREADS - THREADS) % 10);
  expect("sub", 0, o.minus, 1000 - 2 * THREADS);
  expect("sub", 1, o.signed_minus, -2 * THREADS);
  expect("float", 0, o.sum, 0.5 * THREADS);
  expect("float", 1, o.last, 1.5);
  expect("double", 0, o.double_sum, 0.25 * THREADS);
  expect("unsigned short", 0, o.cas[0], 0);
  expect("unsigned short", 1, o.cas[1], 3 * THREADS);
}
