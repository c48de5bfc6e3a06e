/*
 * CUDA's atomic functions, for the types that CUDA has them for, all relaxed as on the device. In the checked
 * build the compiler turns the builtins below into calls that the checker answers, so an atomic access is
 * known as one. atomicAdd_block and atomicAdd_system are atomicAdd; the checker learns which of
 * them is atomic only within a block.
 */
#ifndef CUCC_ATOMIC_H
#define CUCC_ATOMIC_H

#define CUCC_ATOMIC static inline __attribute__((always_inline))

extern "C" {
extern __thread int cucc_patience;
void cucc_spin(void);
void cucc_block_scope(void);
void cucc_whole(void);
}

namespace cucc {

/* Each atomic operation counts: a thread that does very many may be waiting for another one, which then gets
 * its turn. In the checked build the checker counts. */
CUCC_ATOMIC void count_patience() {
#if !CUCC_CHECKED
  if (__builtin_expect(--cucc_patience < 0, 0)) cucc_spin();
#endif
}

/* The next atomic operation is one only for its own block. */
CUCC_ATOMIC void block_scope() {
#if CUCC_CHECKED
  cucc_block_scope();
#endif
}

/* The next one updates a whole number, so that no order changes its result. */
CUCC_ATOMIC void whole() {
#if CUCC_CHECKED
  cucc_whole();
#endif
}

/* old = *p; *p = f(old), in one step. The bits are compared, so that NaN and -0 behave. */
template <class Bits, class T, class F> CUCC_ATOMIC T atomic_update(T *p, F f) {
  Bits *bits = reinterpret_cast<Bits *>(p), seen = __atomic_load_n(bits, __ATOMIC_RELAXED), next;
  T old, value;
  do {
    __builtin_memcpy(&old, &seen, sizeof old);
    value = f(old);
    __builtin_memcpy(&next, &value, sizeof next);
  } while (!__atomic_compare_exchange_n(bits, &seen, next, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return old;
}

CUCC_ATOMIC float exchange(float *p, float v) {
  unsigned bits;
  __builtin_memcpy(&bits, &v, sizeof bits);
  bits = __atomic_exchange_n(reinterpret_cast<unsigned *>(p), bits, __ATOMIC_RELAXED);
  __builtin_memcpy(&v, &bits, sizeof bits);
  return v;
}

} // namespace cucc

/* One function in its three scopes. EXPRESSION speaks of p and v. */
#define CUCC_ATOMIC_SCOPED(NAME, T, EXPRESSION)                                                              \
  CUCC_ATOMIC T NAME(T *p, T v) {                                                                            \
    ::cucc::count_patience();                                                                                \
    return EXPRESSION;                                                                                       \
  }                                                                                                          \
  CUCC_ATOMIC T NAME##_block(T *p, T v) {                                                                    \
    ::cucc::block_scope();                                                                                   \
    return NAME(p, v);                                                                                       \
  }                                                                                                          \
  CUCC_ATOMIC T NAME##_system(T *p, T v) { return NAME(p, v); }

#define CUCC_ATOMIC_CAS(T)                                                                                   \
  CUCC_ATOMIC T atomicCAS(T *p, T compare, T v) {                                                            \
    ::cucc::count_patience();                                                                                \
    __atomic_compare_exchange_n(p, &compare, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);                  \
    return compare;                                                                                          \
  }                                                                                                          \
  CUCC_ATOMIC T atomicCAS_block(T *p, T compare, T v) {                                                      \
    ::cucc::block_scope();                                                                                   \
    return atomicCAS(p, compare, v);                                                                         \
  }                                                                                                          \
  CUCC_ATOMIC T atomicCAS_system(T *p, T compare, T v) { return atomicCAS(p, compare, v); }

#define CUCC_ATOMIC_ADD(T)  CUCC_ATOMIC_SCOPED(atomicAdd, T, __atomic_fetch_add(p, v, __ATOMIC_RELAXED))
#define CUCC_ATOMIC_SUB(T)  CUCC_ATOMIC_SCOPED(atomicSub, T, __atomic_fetch_sub(p, v, __ATOMIC_RELAXED))
#define CUCC_ATOMIC_EXCH(T) CUCC_ATOMIC_SCOPED(atomicExch, T, __atomic_exchange_n(p, v, __ATOMIC_RELAXED))
#define CUCC_ATOMIC_BITS(T)                                                                                  \
  CUCC_ATOMIC_SCOPED(atomicAnd, T, __atomic_fetch_and(p, v, __ATOMIC_RELAXED))                               \
  CUCC_ATOMIC_SCOPED(atomicOr, T, __atomic_fetch_or(p, v, __ATOMIC_RELAXED))                                 \
  CUCC_ATOMIC_SCOPED(atomicXor, T, __atomic_fetch_xor(p, v, __ATOMIC_RELAXED))
#define CUCC_ATOMIC_EXTREMES(T)                                                                              \
  CUCC_ATOMIC_SCOPED(atomicMin, T, ::cucc::atomic_update<T>(p, [=](T old) { return v < old ? v : old; }))    \
  CUCC_ATOMIC_SCOPED(atomicMax, T, ::cucc::atomic_update<T>(p, [=](T old) { return v > old ? v : old; }))
/* Sums of what the processor cannot add in one instruction; also for cuda_fp16.h and cuda_bf16.h. */
#define CUCC_ATOMIC_ADD_BY_CAS(T, BITS)                                                                      \
  CUCC_ATOMIC_SCOPED(atomicAdd, T, ::cucc::atomic_update<BITS>(p, [=](T old) { return old + v; }))

#define CUCC_ATOMICS(T)                                                                                      \
  CUCC_ATOMIC_ADD(T)                                                                                         \
  CUCC_ATOMIC_EXCH(T)                                                                                        \
  CUCC_ATOMIC_BITS(T)                                                                                        \
  CUCC_ATOMIC_EXTREMES(T)                                                                                    \
  CUCC_ATOMIC_CAS(T)
CUCC_ATOMICS(int)
CUCC_ATOMICS(unsigned)
CUCC_ATOMICS(unsigned long long)
CUCC_ATOMIC_EXTREMES(long long)
CUCC_ATOMIC_SUB(int)
CUCC_ATOMIC_SUB(unsigned)
CUCC_ATOMIC_CAS(unsigned short)
CUCC_ATOMIC_ADD_BY_CAS(float, unsigned)
CUCC_ATOMIC_ADD_BY_CAS(double, unsigned long long)
CUCC_ATOMIC_SCOPED(atomicExch, float, ::cucc::exchange(p, v))
CUCC_ATOMIC_SCOPED(atomicInc, unsigned,
                   (::cucc::whole(), ::cucc::atomic_update<unsigned>(p, [=](unsigned old) {
                      return old >= v ? 0u : old + 1u;
                    })))
CUCC_ATOMIC_SCOPED(atomicDec, unsigned,
                   (::cucc::whole(), ::cucc::atomic_update<unsigned>(p, [=](unsigned old) {
                      return old == 0u || old > v ? v : old - 1u;
                    })))
#undef CUCC_ATOMICS
#undef CUCC_ATOMIC_ADD
#undef CUCC_ATOMIC_SUB
#undef CUCC_ATOMIC_EXCH
#undef CUCC_ATOMIC_BITS
#undef CUCC_ATOMIC_EXTREMES
#undef CUCC_ATOMIC_CAS

#endif
