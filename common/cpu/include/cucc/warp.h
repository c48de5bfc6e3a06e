/*
 * Warp functions: barriers of a warp, votes, shuffles, matches, reductions.
 *
 * All of them are inline down to one call of the runtime, so that the place that a report names is the
 * learner's. A mask names the lanes that meet; lanes that have returned are not waited for.
 */
#ifndef CUCC_WARP_H
#define CUCC_WARP_H

#define CUCC_WARP static inline __attribute__((always_inline))

extern "C" {
void __syncwarp(unsigned mask = 0xffffffffu) CUCC_APART;
/* The lanes that are here together: those that come to this call before they wait for something else. */
unsigned __activemask(void) CUCC_APART;
unsigned __ballot_sync(unsigned mask, int predicate) CUCC_APART;
/* Gives *value (size bytes, at most 32) to the other lanes and replaces it by that of lane `source`. */
void cucc_shuffle(unsigned mask, void *value, size_t size, int source) CUCC_APART;
/* The lanes of the mask that gave the same value; if all did, *all becomes 1, else 0. */
unsigned cucc_match(unsigned mask, unsigned long long value, int *all) CUCC_APART;
enum cucc_reduction {
  CUCC_ADD,
  CUCC_MIN,
  CUCC_MAX,
  CUCC_MIN_SIGNED,
  CUCC_MAX_SIGNED,
  CUCC_AND,
  CUCC_OR,
  CUCC_XOR
};
unsigned cucc_reduce(unsigned mask, unsigned value, enum cucc_reduction how) CUCC_APART;
}

CUCC_WARP int __any_sync(unsigned mask, int predicate) { return __ballot_sync(mask, predicate) != 0; }
CUCC_WARP int __all_sync(unsigned mask, int predicate) { return __ballot_sync(mask, !predicate) == 0; }

namespace cucc {

CUCC_WARP int lane() {
  const uint3 t = threadIdx;
  const dim3 b = blockDim;
  return static_cast<int>((t.x + b.x * (t.y + b.y * t.z)) % 32u);
}

/* The lane to take from, by the rules of PTX: an absolute source wraps around in its segment of `width`
 * lanes; a relative one that leaves the segment means the lane itself. Of a distance, five bits count. */
CUCC_WARP int shuffle_from(int lane, int source, int width) {
  return (lane & ~(width - 1)) + (source & (width - 1));
}
CUCC_WARP int shuffle_up(int lane, unsigned delta, int width) {
  const int source = lane - static_cast<int>(delta & 31u);
  return source < (lane & ~(width - 1)) ? lane : source;
}
/* 32 more where the lane is not among the first `delta`: in a tree of halving distances no lane uses what it
 * gets, so its source may be missing. */
CUCC_WARP int shuffle_down(int lane, unsigned delta, int width) {
  const int distance = static_cast<int>(delta & 31u), source = lane + distance;
  if (source > (lane | (width - 1))) return lane;
  return (lane & (width - 1)) < distance ? source : source | 32;
}
CUCC_WARP int shuffle_xor(int lane, int mask, int width) {
  const int source = lane ^ (mask & 31);
  return source > (lane | (width - 1)) ? lane : source;
}

template <class T> CUCC_WARP T shuffle(unsigned mask, T value, int source) {
  cucc_shuffle(mask, &value, sizeof value, source);
  return value;
}

} // namespace cucc

/* cuda_fp16.h and cuda_bf16.h add their types by the same macro. */
#define CUCC_SHUFFLES(T)                                                                                     \
  CUCC_WARP T __shfl_sync(unsigned mask, T value, int source, int width = 32) {                              \
    return ::cucc::shuffle(mask, value, ::cucc::shuffle_from(::cucc::lane(), source, width));                \
  }                                                                                                          \
  CUCC_WARP T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) {                       \
    return ::cucc::shuffle(mask, value, ::cucc::shuffle_up(::cucc::lane(), delta, width));                   \
  }                                                                                                          \
  CUCC_WARP T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) {                     \
    return ::cucc::shuffle(mask, value, ::cucc::shuffle_down(::cucc::lane(), delta, width));                 \
  }                                                                                                          \
  CUCC_WARP T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32) {                       \
    return ::cucc::shuffle(mask, value, ::cucc::shuffle_xor(::cucc::lane(), lane_mask, width));              \
  }

/* The bits are compared, so that a NaN matches itself. */
#define CUCC_MATCHES(T)                                                                                      \
  CUCC_WARP unsigned __match_any_sync(unsigned mask, T value) {                                              \
    int all;                                                                                                 \
    unsigned long long bits = 0;                                                                             \
    __builtin_memcpy(&bits, &value, sizeof value);                                                           \
    return cucc_match(mask, bits, &all);                                                                     \
  }                                                                                                          \
  CUCC_WARP unsigned __match_all_sync(unsigned mask, T value, int *all) {                                    \
    int same;                                                                                                \
    unsigned long long bits = 0;                                                                             \
    __builtin_memcpy(&bits, &value, sizeof value);                                                           \
    const unsigned lanes = cucc_match(mask, bits, &same);                                                    \
    *all = same;                                                                                             \
    return same ? lanes : 0u;                                                                                \
  }

#define CUCC_FOR_LANE_TYPES(MACRO)                                                                           \
  MACRO(int)                                                                                                 \
  MACRO(unsigned)                                                                                            \
  MACRO(long)                                                                                                \
  MACRO(unsigned long)                                                                                       \
  MACRO(long long)                                                                                           \
  MACRO(unsigned long long)                                                                                  \
  MACRO(float)                                                                                               \
  MACRO(double)
CUCC_FOR_LANE_TYPES(CUCC_SHUFFLES)
CUCC_FOR_LANE_TYPES(CUCC_MATCHES)
#undef CUCC_MATCHES

#define CUCC_REDUCTION(NAME, T, HOW)                                                                         \
  CUCC_WARP T __reduce_##NAME##_sync(unsigned mask, T value) {                                               \
    return static_cast<T>(cucc_reduce(mask, static_cast<unsigned>(value), HOW));                             \
  }
CUCC_REDUCTION(add, unsigned, CUCC_ADD)
CUCC_REDUCTION(add, int, CUCC_ADD)
CUCC_REDUCTION(min, unsigned, CUCC_MIN)
CUCC_REDUCTION(min, int, CUCC_MIN_SIGNED)
CUCC_REDUCTION(max, unsigned, CUCC_MAX)
CUCC_REDUCTION(max, int, CUCC_MAX_SIGNED)
CUCC_REDUCTION(and, unsigned, CUCC_AND)
CUCC_REDUCTION(or, unsigned, CUCC_OR)
CUCC_REDUCTION(xor, unsigned, CUCC_XOR)
#undef CUCC_REDUCTION

/* What CUDA had before Volta, and has no more since CUDA 13. */
#define CUCC_REMOVED(OLD, NEW)                                                                               \
  template <class... T>                                                                                      \
  __attribute__((error(#OLD " is gone from CUDA: use " #NEW                                                  \
                            ", whose first argument names the lanes that take part"))) int                   \
  OLD(T...);
CUCC_REMOVED(__shfl, __shfl_sync)
CUCC_REMOVED(__shfl_up, __shfl_up_sync)
CUCC_REMOVED(__shfl_down, __shfl_down_sync)
CUCC_REMOVED(__shfl_xor, __shfl_xor_sync)
CUCC_REMOVED(__any, __any_sync)
CUCC_REMOVED(__all, __all_sync)
CUCC_REMOVED(__ballot, __ballot_sync)
#undef CUCC_REMOVED

#endif
