/* Arguments that are objects with a conversion to the parameter's type: they are converted when the kernel is
 * launched, are not copied, and may be gone when it runs. */
#include "program.h"

static int alive, copies;

struct room { /* owns memory of the device */
  float *p;
  explicit room(size_t count) {
    alive++;
    CHECK(cudaMalloc(&p, count * sizeof *p));
  }
  room(const room &) = delete;
  ~room() {
    alive--;
    CHECK(cudaFree(p));
  }
  operator float *() const { return p; }
};

struct counted { /* may be copied, but should not be */
  int value;
  explicit counted(int v) : value(v) {}
  counted(const counted &other) : value(other.value) { copies++; }
  operator int() const { return value; }
};

struct pair { /* a plain struct, which the kernel gets by value */
  float a, b;
};

struct bits {
  unsigned low : 4, high : 4;
};

__global__ void fill(float *x, int n, float value) {
  if ((int)threadIdx.x < n) x[threadIdx.x] = value;
}
__global__ void add(pair p, float *x) { x[threadIdx.x] += p.a + p.b; }
template <class T> __global__ void scale(T *x, T factor) { x[threadIdx.x] *= factor; }
__global__ void put(const float *from, float *to) { to[threadIdx.x] = from[threadIdx.x]; }

template <class T> static void twice(const room &x, T factor) { scale<T><<<1, 32>>>(x, factor); }

int main() {
  float h[32];
  {
    room x(32), y(32);
    const counted n(32);
    const pair p = {1, 2};
    const float list[] = {5, 6};
    bits b = {3, 4};
    fill<<<1, 32>>>(x, n, 4);
    add<<<1, 32>>>(p, x);
    twice(x, 2.0f);
    put<<<1, 32>>>(x, y);
    auto pointer = fill;
    float value = h[0] = 9;
    pointer<<<1, 32>>>(x, n, value);
    {
      const counted half(16);
      fill<<<1, 32>>>(y, half, list[1] + b.low);
    }
    CHECK(cudaMemcpy(h, y, sizeof h, cudaMemcpyDeviceToHost));
  }
  for (int i = 0; i < 32; i++) expect("y", i, h[i], i < 16 ? 9 : 14);
  expect("alive", 0, alive, 0);
  expect("copies", 0, copies, 0);
}
