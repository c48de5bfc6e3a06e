/* reduce() over a tile or coalesced group: every thread gets the result. The operators are those of CUDA; any
 * function of two values will do that does not care about the order. */
#ifndef _CG_REDUCE_H
#define _CG_REDUCE_H

#include "../cooperative_groups.h"

namespace cooperative_groups {

#define CUCC_OPERATOR(NAME, EXPRESSION)                                                                      \
  template <class T> struct NAME {                                                                           \
    CUCC_GROUP T operator()(T a, T b) const { return EXPRESSION; }                                           \
  };
CUCC_OPERATOR(plus, a + b)
CUCC_OPERATOR(less, b < a ? b : a)
CUCC_OPERATOR(greater, a < b ? b : a)
CUCC_OPERATOR(bit_and, a &b)
CUCC_OPERATOR(bit_or, a | b)
CUCC_OPERATOR(bit_xor, a ^ b)
#undef CUCC_OPERATOR

/* Pairs at distance 16, 8, …, as shuffles do it on the device; then the first thread's result to all. */
template <class Group, class T, class Op> CUCC_GROUP T reduce(const Group &group, T value, Op &&op) {
  const unsigned size = group.size(), rank = group.thread_rank();
  for (unsigned distance = 16; distance > 0; distance /= 2) {
    if (distance >= size) continue;
    const T other = group.shfl_down(value, distance);
    if (rank + distance < size) value = op(value, other);
  }
  return group.shfl(value, 0);
}

/* For a tile of several warps: each warp reduces its values, then the results are combined in order. */
template <unsigned Size, class Parent, class T, class Op>
CUCC_GROUP std::enable_if_t<(Size > 32), T> reduce(const thread_block_tile<Size, Parent> &tile, T value,
                                                   Op &&op) {
  return tile.combined(reduce(tiled_partition<32>(this_thread_block()), value, op), op);
}

} // namespace cooperative_groups

#endif
