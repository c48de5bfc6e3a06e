// expect: memcheck: -
// says: of device memory: a device pointer used on the host; element
/* std::sort runs where it is called: on the host. */
#include "program.h"

template <class T> void insertion_sort(T *first, T *last) {
  for (T *p = first; p != last; p++)
    for (T *q = p; q > first && q[0] < q[-1]; q--) { // <- at
      T v = q[0];                                    // <- at
      q[0] = q[-1];                                  // <- at
      q[-1] = v;                                     // <- at
    }
}

int main() {
  const int n = 16;
  int h[n], *x;
  for (int i = 0; i < n; i++) h[i] = n - i;
  CHECK(cudaMalloc(&x, sizeof h));
#ifdef FIXED
  insertion_sort(h, h + n);
  CHECK(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
#else
  CHECK(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
  insertion_sort(x, x + n);
#endif
  CHECK(cudaFree(x));
}
