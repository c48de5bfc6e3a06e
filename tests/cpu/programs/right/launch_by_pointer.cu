/* Kernels launched through pointers, which are read at the launch: a parameter, a table, a member, a call.
   Null pointers and braces become what the kernel's parameters are. */
#include "program.h"

struct pair {
  int a, b;
};
typedef void (*kernel_t)(int *, const int *, pair);

__global__ void first(int *out, const int *in, pair x) { *out = 10 * x.a + x.b + (in ? *in : 0); }
__global__ void second(int *out, const int *in, pair x) { *out = 1000 * x.a + x.b + (in ? *in : 0); }

struct job {
  kernel_t kernel;
};
static kernel_t table[] = {first, second};
static kernel_t pick(int i) { return table[i]; }
static void through(kernel_t k, int *out) { k<<<1, 1>>>(out, 0L, {1, 2}); }
template <kernel_t K> static void of_template(int *out) { K<<<1, 1>>>(out, NULL, pair{3, 4}); }

static void gives(const int *out, int want) {
  int got;
  CHECK(cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost));
  expect("out", want, got, want);
}

int main() {
  int *out;
  CHECK(cudaMalloc(&out, sizeof *out));
  const job j = {second};
  through(first, out);
  gives(out, 12);
  of_template<second>(out);
  gives(out, 3004);
  table[0]<<<1, 1>>>(out, nullptr, {1, 3});
  table[0] = second; /* too late to change the launch before it */
  gives(out, 13);
  pick(0)<<<dim3(1), 1>>>(out, 0x0, {2, 2});
  gives(out, 2002);
  (*table[1])<<<1, 1>>>(out, 0UL, {2, 3});
  gives(out, 2003);
  j.kernel<<<1, 1>>>(out, 0, {2, 4});
  gives(out, 2004);
  first<<<1, 1>>>(out, 0L, {2, 5});
  gives(out, 25);
  CHECK(cudaFree(out));
}
