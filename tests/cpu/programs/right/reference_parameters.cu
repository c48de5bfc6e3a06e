/* Kernels whose parameters are references, to what lies in managed memory. */
#include "program.h"

struct element {
  int value, count;
};

namespace of_elements {
__global__ void twice(element &e, const int *factor, int times) {
  for (int i = 0; i < times; i++) e.value *= *factor;
  e.count++;
}
} // namespace of_elements

template <class T> __global__ void add(T &to, const T &from, const T *more) {
  to += from + (more ? *more : T(0));
}

struct pair {
  int x, y;
};
__global__ void store(pair p, int &to, const pair &q) { to = p.x + p.y + q.x; }

/* Kernels of one name, of which only one has a reference there. */
__global__ void set(float x, float *to) { *to = x; }
__global__ void set(const int &x, int *to) { *to = x; }

int main() {
  element *e;
  int *two;
  float *f;
  pair *p;
  CHECK(cudaMallocManaged(&e, sizeof *e));
  CHECK(cudaMallocManaged(&two, sizeof *two));
  CHECK(cudaMallocManaged(&f, 2 * sizeof *f));
  CHECK(cudaMallocManaged(&p, sizeof *p));
  *e = {3, 0};
  *two = 2;
  f[0] = 1, f[1] = 2;
  *p = {5, 7};
  of_elements::twice<<<1, 1>>>(*e, two, 4);
  add<float><<<1, 1>>>(f[0], f[1], nullptr);
  add<float><<<1, 1>>>(f[0], f[1], 0);
  add<<<1, 1>>>(f[0], f[1], f);
  CHECK(cudaDeviceSynchronize());
  expect("value", 0, e->value, 48);
  expect("count", 0, e->count, 1);
  expect("sum", 0, f[0], 12);
  store<<<1, 1>>>({1, 2}, *two, *p);
  CHECK(cudaDeviceSynchronize());
  expect("stored", 0, *two, 8);
  const float half = 0.5f;
  set<<<1, 1>>>(half, &f[0]);
  set<<<1, 1>>>(*two, &e->value);
  CHECK(cudaDeviceSynchronize());
  expect("set", 0, f[0], 0.5f);
  expect("set", 1, e->value, 8);
  CHECK(cudaFree(e));
  CHECK(cudaFree(two));
  CHECK(cudaFree(f));
  CHECK(cudaFree(p));
}
