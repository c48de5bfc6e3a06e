/* Arguments that have no type before they reach the kernel, given to a macro that launches it: 0 and NULL for
 * pointers and numbers, braces, defaults, none. */
#include "program.h"

struct range {
  int first, last;
};

__device__ int results[16];

__global__ void null_or_not(int at, const float *p, int n = 4) { results[at] = (p ? 100 : 0) + n; }
__global__ void between(range r, int at, dim3 shape) { results[at] = r.last - r.first + (int)shape.y; }
__global__ void chosen(int at, int) { results[at] = 1; }
__global__ void chosen(int at, float *) { results[at] = 2; }
__global__ void nothing() { results[12] = 12; }
template <class T> __global__ void sized(T *p, int at, T v) { results[at] = (p ? 100 : 0) + (int)sizeof v; }
template <class T> __global__ void rounded(T *p, int at, range r) {
  results[at] = (p ? 100 : 0) + r.last + (int)sizeof(T);
}

#define RUN(kernel, ...)          kernel<<<1, 1>>>(__VA_ARGS__)
#define RUN_AT(kernel, at, value) kernel<<<1, 1>>>(at, value)
#define FIRST_HALF(kernel)        kernel<<<1, 1>>>
#define CHECKED(kernel, grid, block, ...)                                                                    \
  do {                                                                                                       \
    kernel<<<grid, block>>>(__VA_ARGS__);                                                                    \
    CHECK(cudaGetLastError());                                                                               \
  } while (0)

template <class T> static void launch_of(T *p) {
  RUN(rounded<T>, NULL, 13, {1, 2});
  RUN(sized, p, 14, T(1));
}

int main() {
  const int want[16] = {4, 5, 7, 4, 4, 4, 6, 1, 2, 8, 3, 7, 12, 10, 108, 3};
  int h[16], i = 2;
  RUN(null_or_not, 0, 0);
  RUN(null_or_not, 1, NULL, 5);
  RUN(null_or_not, i++, nullptr, 7);
  RUN_AT(null_or_not, 3, 0);
  FIRST_HALF(null_or_not)(4, NULL, 4);
  CHECKED(null_or_not, 1, 1, 5, 0);
  CHECKED(between, 1, dim3(1, 1), {1, 3}, 6, {8, 4});
  RUN(chosen, 7, 0);
  RUN_AT(chosen, 8, (float *)0);
  RUN(sized<double>, 0, 9, 0);
  i = 1; // braces have the values of the launch
  RUN(between, {0, i}, 10, {1, 2});
  RUN(between, range{1, 5}, 11, {8, 3, 1});
  i = 9;
  RUN(nothing);
  double *d;
  CHECK(cudaMalloc(&d, sizeof *d));
  launch_of(d);
  FIRST_HALF(between)({1, 2}, 15, {1, 2});
  CHECK(cudaMemcpyFromSymbol(h, results, sizeof h));
  for (int k = 0; k < 16; k++) expect("results", k, h[k], want[k]);
  CHECK(cudaFree(d));
}
