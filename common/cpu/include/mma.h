/*
 * Tensor cores: nvcuda::wmma with half, bfloat16 and TF32 inputs.
 *
 * A fragment is a tile that the 32 lanes of a warp hold together. Each function needs all of them, which is
 * checked. Loads and stores are ordinary accesses of the lanes, so bounds, races and initialisation are
 * checked as everywhere. The product itself is runtime/blocks/tile.c, which sums as an H200 does.
 *
 * Which lane holds which element is nowhere defined by CUDA; here consecutive lanes hold consecutive
 * elements, in the order in which they lie in memory.
 */
#ifndef __CUDA_MMA_H__
#define __CUDA_MMA_H__

#include <type_traits>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include "cuda_runtime.h"

/* As in runtime/blocks/tile.h. */
enum cucc_number { CUCC_HALF, CUCC_BFLOAT16, CUCC_TF32, CUCC_FLOAT };
struct cucc_tile {
  void *d;
  const void *a, *b, *c;
  int m, n, k, a_held, b_held;
  enum cucc_number in, out;
  int a_by_columns, b_by_columns, by_quads;
};

extern "C" {
/* d = a b + c, for the whole warp; NULL: the lanes only meet. */
void cucc_tile(const struct cucc_tile *tile) CUCC_APART;
/* Whether a tile may begin here, with `row` bytes from one row (or column) to the next: else a finding. */
void cucc_tile_place(const void *at, size_t row, int writes) CUCC_APART;
}

namespace nvcuda {
namespace wmma {

#define CUCC_FN static inline __attribute__((always_inline))

struct row_major {};
struct col_major {};
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32 {};
} // namespace precision

/* One lane's part of a tile of `total` elements; where `held` times 32 is more, each is held twice or more. */
template <class Value, int rows, int columns, int held> struct cucc_part {
  enum { num_elements = held };
  static constexpr int height = rows, width = columns, own = rows * columns / 32;
  Value x[held];
};

template <class Use, int m, int n, int k, class T, class Layout = void> class fragment {
  static_assert(sizeof(T) == 0, "not in the CPU backend: fragments are half, __nv_bfloat16 (16x16x16, "
                                "32x8x16, 8x32x16) or precision::tf32 (16x16x8) with a layout, and "
                                "accumulators float or half");
};

#define CUCC_FRAGMENT(M, N, K, T, VALUE, A, B)                                                               \
  template <class Layout>                                                                                    \
  class fragment<matrix_a, M, N, K, T, Layout> : public cucc_part<VALUE, M, K, A> {};                        \
  template <class Layout> class fragment<matrix_b, M, N, K, T, Layout> : public cucc_part<VALUE, K, N, B> {};
#define CUCC_ACCUMULATOR(M, N, K, T)                                                                         \
  template <> class fragment<accumulator, M, N, K, T> : public cucc_part<T, M, N, 8> {};
CUCC_FRAGMENT(16, 16, 16, __half, __half, 16, 16)
CUCC_FRAGMENT(32, 8, 16, __half, __half, 16, 16)
CUCC_FRAGMENT(8, 32, 16, __half, __half, 16, 16)
CUCC_FRAGMENT(16, 16, 16, __nv_bfloat16, __nv_bfloat16, 8, 8)
CUCC_FRAGMENT(32, 8, 16, __nv_bfloat16, __nv_bfloat16, 16, 4)
CUCC_FRAGMENT(8, 32, 16, __nv_bfloat16, __nv_bfloat16, 4, 16)
CUCC_FRAGMENT(16, 16, 8, precision::tf32, float, 4, 4)
CUCC_ACCUMULATOR(16, 16, 16, float)
CUCC_ACCUMULATOR(32, 8, 16, float)
CUCC_ACCUMULATOR(8, 32, 16, float)
CUCC_ACCUMULATOR(16, 16, 8, float)
CUCC_ACCUMULATOR(16, 16, 16, __half)
CUCC_ACCUMULATOR(32, 8, 16, __half)
CUCC_ACCUMULATOR(8, 32, 16, __half)
#undef CUCC_FRAGMENT
#undef CUCC_ACCUMULATOR

/* Rounds to TF32: eight bits of exponent and ten of fraction, to the nearest, halves away from zero. */
CUCC_FN float __float_to_tf32(float value) {
  unsigned bits = __float_as_uint(value);
  if ((bits & 0x7f800000u) != 0x7f800000u) bits = (bits + 0x1000u) & ~0x1fffu;
  return __uint_as_float(bits);
}

/* The place of this lane's i-th element, counted in rows or columns of `length` elements. */
CUCC_FN size_t cucc_element(int i, int length, unsigned leading) {
  const int e = i * 32 + ::cucc::lane();
  return static_cast<size_t>(e / length) * leading + static_cast<size_t>(e % length);
}

template <class Fragment, class Value>
CUCC_FN void cucc_load(Fragment &f, const Value *from, unsigned leading, bool by_columns) {
  cucc_tile(nullptr);
  cucc_tile_place(from, leading * sizeof(Value), 0);
  for (int i = 0; i < Fragment::own; i++)
    f.x[i] = from[cucc_element(i, by_columns ? Fragment::height : Fragment::width, leading)];
  for (int i = Fragment::own; i < Fragment::num_elements; i++) f.x[i] = f.x[i % Fragment::own];
}

/* Loads a tile of A or B from global or shared memory. `leading`: elements from one row to the next, or with
 * col_major from one column to the next. The tile begins at a multiple of 32 bytes, each row at one of 16. */
template <class Use, int m, int n, int k, class T, class Layout, class Value>
CUCC_FN void load_matrix_sync(fragment<Use, m, n, k, T, Layout> &f, const Value *from, unsigned leading) {
  static_assert(!std::is_same<Use, accumulator>::value, "an accumulator needs a layout: mem_row_major");
  cucc_load(f, from, leading, std::is_same<Layout, col_major>::value);
}

/* Loads an accumulator. Its elements are kept by rows, so that by columns each lane reads one of its own. */
template <int m, int n, int k, class T>
CUCC_FN void load_matrix_sync(fragment<accumulator, m, n, k, T> &f, const T *from, unsigned leading,
                              layout_t layout) {
  cucc_tile(nullptr);
  cucc_tile_place(from, leading * sizeof(T), 0);
  for (int i = 0; i < f.num_elements; i++) {
    const size_t e = static_cast<size_t>(i * 32 + ::cucc::lane()), row = e / n, column = e % n;
    f.x[i] = from[layout == mem_row_major ? row * leading + column : column * leading + row];
  }
}

template <int m, int n, int k, class T>
CUCC_FN void store_matrix_sync(T *to, const fragment<accumulator, m, n, k, T> &f, unsigned leading,
                               layout_t layout) {
  cucc_tile(nullptr);
  cucc_tile_place(to, leading * sizeof(T), 1);
  for (int i = 0; i < f.num_elements; i++) {
    const size_t e = static_cast<size_t>(i * 32 + ::cucc::lane()), row = e / n, column = e % n;
    to[layout == mem_row_major ? row * leading + column : column * leading + row] = f.x[i];
  }
}

template <class Fragment, class Value> CUCC_FN void fill_fragment(Fragment &f, const Value &value) {
  for (int i = 0; i < f.num_elements; i++) f.x[i] = value;
}

template <class T> constexpr enum cucc_number cucc_number_of() {
  if (std::is_same<T, __half>::value) return CUCC_HALF;
  if (std::is_same<T, __nv_bfloat16>::value) return CUCC_BFLOAT16;
  return std::is_same<T, precision::tf32>::value ? CUCC_TF32 : CUCC_FLOAT;
}

/* d = a b + c; d may be c. TF32's inputs lose the bits that TF32 has not: round them first. */
template <int m, int n, int k, class T, class LayoutA, class LayoutB, class D, class C>
CUCC_FN void mma_sync(fragment<accumulator, m, n, k, D> &d, const fragment<matrix_a, m, n, k, T, LayoutA> &a,
                      const fragment<matrix_b, m, n, k, T, LayoutB> &b,
                      const fragment<accumulator, m, n, k, C> &c) {
  static_assert(std::is_same<C, D>::value, "not in the CPU backend: accumulators of two types");
  static_assert(std::is_same<T, __half>::value || std::is_same<D, float>::value,
                "only products of half can be accumulated in half");
  const struct cucc_tile tile = {&d.x,
                                 &a.x,
                                 &b.x,
                                 &c.x,
                                 m,
                                 n,
                                 k,
                                 a.own,
                                 b.own,
                                 cucc_number_of<T>(),
                                 cucc_number_of<D>(),
                                 std::is_same<LayoutA, col_major>::value,
                                 std::is_same<LayoutB, col_major>::value,
                                 0};
  cucc_tile(&tile);
}

#undef CUCC_FN

} // namespace wmma
} // namespace nvcuda

/* d += a b for the whole warp: what mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 of PTX does, with the
 * same elements in each lane. Inline PTX itself is not in the CPU backend. */
static inline __attribute__((always_inline)) void cucc_warp_mma(float *d, const float *a, const float *b) {
  const struct cucc_tile tile = {d, a, b, d, 16, 8, 8, 4, 2, CUCC_TF32, CUCC_FLOAT, 0, 0, 1};
  cucc_tile(&tile);
}

#endif
