/* libcu++'s names in cuda::std, used in a kernel: containers, functions, limits, atomics. */
#include "program.h"
#include <cuda/std/algorithm>
#include <cuda/std/array>
#include <cuda/std/atomic>
#include <cuda/std/cmath>
#include <cuda/std/complex>
#include <cuda/std/cstdint>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

template <class T, int N> __global__ void use(T *out, unsigned *sum) {
  static_assert(cuda::std::is_same_v<T, float>);
  const unsigned i = threadIdx.x;
  cuda::std::array<T, N> values{};
  for (unsigned k = 0; k < values.size(); k++) values[k] = cuda::std::max(T(i), T(k));
  auto [least, root] = cuda::std::make_tuple(values[0], cuda::std::sqrt(values[N - 1]));
  cuda::std::swap(least, root);
  const cuda::std::complex<float> z(least, root);
  out[i] = i < cuda::std::numeric_limits<cuda::std::uint8_t>::max() ? z.real() * z.real() + z.imag() : 0;
  cuda::atomic_ref<unsigned, cuda::thread_scope_device>(*sum).fetch_add(i, cuda::std::memory_order_relaxed);
}

int main() {
  float *d_out, out[32];
  unsigned *d_sum, sum;
  CHECK(cudaMalloc(&d_out, sizeof out));
  CHECK(cudaMalloc(&d_sum, sizeof sum));
  CHECK(cudaMemset(d_sum, 0, sizeof sum));
  use<float, 5><<<1, 32>>>(d_out, d_sum);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; i++) expect("out", i, roundf(out[i]), (i > 4 ? i : 4) + i);
  expect("sum", 0, sum, 496);
  CHECK(cudaFree(d_out));
  CHECK(cudaFree(d_sum));
}
