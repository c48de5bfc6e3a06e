/* inclusive_scan() and exclusive_scan() over a tile or coalesced
   group, in order of rank; a sum by default. */
#ifndef _CG_SCAN_H
#define _CG_SCAN_H

#include "reduce.h"

namespace cooperative_groups {

template <class Group, class T, class Op> CUCC_GROUP T inclusive_scan(const Group &group, T value, Op &&op) {
  const unsigned size = group.size(), rank = group.thread_rank();
  for (unsigned distance = 1; distance < size; distance *= 2) {
    const T other = group.shfl_up(value, distance);
    if (rank >= distance) value = op(other, value);
  }
  return value;
}
template <class Group, class T> CUCC_GROUP T inclusive_scan(const Group &group, T value) {
  return inclusive_scan(group, value, plus<T>());
}

/* What the threads before have; the first one gets T(). */
template <class Group, class T, class Op> CUCC_GROUP T exclusive_scan(const Group &group, T value, Op &&op) {
  const T before = group.shfl_up(inclusive_scan(group, value, op), 1);
  return group.thread_rank() == 0 ? T() : before;
}
template <class Group, class T> CUCC_GROUP T exclusive_scan(const Group &group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

} // namespace cooperative_groups

#endif
