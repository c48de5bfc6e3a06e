/* Arguments of launches whose type is the parameter's affair: 0 and NULL for pointers and numbers, by their
 * own names or a macro's, in parentheses, where overloads and templates have the choice; braces, defaults. */
#include "program.h"

#include <utility>

#define NOTHING       (0)
#define MASK          NULL
#define NO_MASK_OF(T) 0
#define COUNT         10L

struct range {
  int first, last;
};

__device__ int results[24];

__global__ void null_or_not(int at, const float *p, int n = 4) { results[at] = (p ? 100 : 0) + n; }
__global__ void between(range r, int at, dim3 shape) { results[at] = r.last - r.first + (int)shape.y; }
__global__ void chosen(int at, int) { results[at] = 1; }
__global__ void chosen(int at, float *) { results[at] = 2; }
template <class T> __global__ void sized(T *p, int at, T v) { results[at] = (p ? 100 : 0) + (int)sizeof v; }
template <class A, class B> __global__ void pair_of(std::pair<A, B> p, range r) {
  results[p.first] = (int)p.second + r.first;
}
template <class T> __global__ void first_of(T v, const float *p, int at) {
  results[at] = (p ? 100 : 0) + (int)sizeof v;
}
template <class T> __global__ void masked(const T *p, int at, const int *mask, size_t n) {
  results[at] = (p ? 0 : 100) + (mask ? 100 : 0) + (int)sizeof(T) + (int)n;
}
namespace inner {
__global__ void numbers(float x, double y, bool b, size_t s) {
  results[13] = x == 0 && y == 0 && !b && s == 0;
}
} // namespace inner

int main() {
  const int want[22] = {4, 4, 0, 4, 4, 6, 1, 2, 2, 8, 4, 7, 3, 1, 10, 9, 2, 1, 4, 14, 13, 8};
  int h[22], i = 2;
  null_or_not<<<1, 1>>>(0, 0);
  null_or_not<<<1, 1>>>(1, NULL);
  null_or_not<<<1, 1>>>(i++, nullptr, 0);
  null_or_not<<<1, 1>>>(3, {});
  between<<<1, 1>>>({1, 3}, 4, {8, 2});
  between<<<1, 1>>>(range{1, 5}, 5, {8, 2, 1});
  chosen<<<1, 1>>>(6, 0);
  chosen<<<1, 1>>>(7, nullptr);
  chosen<<<1, 1>>>(8, (float *)0);
  sized<double><<<1, 1>>>(0, 9, 0);
  sized<float><<<1, 1>>>(NULL, 10, 0);
  pair_of<<<1, 1>>>(std::pair<int, float>(11, 5.f), {2, 3});
  i = 1; // braces, too, have the values of the launch
  between<<<1, 1>>>({0, i}, 12, {1, 2});
  i = 9;
  inner::numbers<<<1, 1>>>(0, 0, 0, 0);
  null_or_not<<<1, 1>>>(14, (0), COUNT);
  null_or_not<<<1, 1>>>(15, NOTHING, 9);
  chosen<<<1, 1>>>(16, (float *)NOTHING);
  chosen<<<1, 1>>>(17, NOTHING);
  first_of<<<1, 1>>>(0, 0, 18);
  double *d;
  CHECK(cudaMalloc(&d, sizeof *d));
  masked<<<1, 1>>>(d, 19, NO_MASK_OF(int), 6);
  masked<<<1, 1>>>(d, 20, MASK, 5);
  masked<<<1, 1>>>(d, 21, MASK, NOTHING);
  CHECK(cudaMemcpyFromSymbol(h, results, sizeof h));
  for (int k = 0; k < 22; k++) expect("results", k, h[k], want[k]);
  CHECK(cudaFree(d));
}
