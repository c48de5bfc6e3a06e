/* CUDA's atomic functions, all relaxed as on the device. In the checked build the compiler turns the builtins
 * below into calls that the checker answers, so an atomic access is known as one. */
#ifndef CUCC_ATOMIC_H
#define CUCC_ATOMIC_H

#define CUCC_ATOMIC static inline __attribute__((always_inline))

namespace cucc {

/* old = *p; *p = f(old), in one step. The bits are compared, so that NaN and -0 behave. */
template <class T, class Bits, class F> CUCC_ATOMIC T atomic_update(T *p, F f) {
  Bits *bits = reinterpret_cast<Bits *>(p), seen = __atomic_load_n(bits, __ATOMIC_RELAXED), next;
  T old, value;
  do {
    __builtin_memcpy(&old, &seen, sizeof old);
    value = f(old);
    __builtin_memcpy(&next, &value, sizeof next);
  } while (!__atomic_compare_exchange_n(bits, &seen, next, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return old;
}

} // namespace cucc

#define CUCC_INTEGER_ATOMICS(T)                                                                              \
  CUCC_ATOMIC T atomicAdd(T *p, T v) { return __atomic_fetch_add(p, v, __ATOMIC_RELAXED); }                  \
  CUCC_ATOMIC T atomicExch(T *p, T v) { return __atomic_exchange_n(p, v, __ATOMIC_RELAXED); }                \
  CUCC_ATOMIC T atomicAnd(T *p, T v) { return __atomic_fetch_and(p, v, __ATOMIC_RELAXED); }                  \
  CUCC_ATOMIC T atomicOr(T *p, T v) { return __atomic_fetch_or(p, v, __ATOMIC_RELAXED); }                    \
  CUCC_ATOMIC T atomicXor(T *p, T v) { return __atomic_fetch_xor(p, v, __ATOMIC_RELAXED); }                  \
  CUCC_ATOMIC T atomicMin(T *p, T v) {                                                                       \
    return ::cucc::atomic_update<T, T>(p, [=](T old) { return v < old ? v : old; });                         \
  }                                                                                                          \
  CUCC_ATOMIC T atomicMax(T *p, T v) {                                                                       \
    return ::cucc::atomic_update<T, T>(p, [=](T old) { return v > old ? v : old; });                         \
  }                                                                                                          \
  CUCC_ATOMIC T atomicCAS(T *p, T compare, T v) {                                                            \
    __atomic_compare_exchange_n(p, &compare, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);                  \
    return compare;                                                                                          \
  }
CUCC_INTEGER_ATOMICS(int)
CUCC_INTEGER_ATOMICS(unsigned int)
CUCC_INTEGER_ATOMICS(unsigned long long)
CUCC_INTEGER_ATOMICS(long long)
#undef CUCC_INTEGER_ATOMICS

CUCC_ATOMIC int atomicSub(int *p, int v) { return __atomic_fetch_sub(p, v, __ATOMIC_RELAXED); }
CUCC_ATOMIC unsigned atomicSub(unsigned *p, unsigned v) { return __atomic_fetch_sub(p, v, __ATOMIC_RELAXED); }
CUCC_ATOMIC unsigned atomicInc(unsigned *p, unsigned limit) {
  return ::cucc::atomic_update<unsigned, unsigned>(
      p, [=](unsigned old) { return old >= limit ? 0u : old + 1u; });
}
CUCC_ATOMIC unsigned atomicDec(unsigned *p, unsigned limit) {
  return ::cucc::atomic_update<unsigned, unsigned>(
      p, [=](unsigned old) { return old == 0u || old > limit ? limit : old - 1u; });
}
CUCC_ATOMIC float atomicAdd(float *p, float v) {
  return ::cucc::atomic_update<float, unsigned>(p, [=](float old) { return old + v; });
}
CUCC_ATOMIC double atomicAdd(double *p, double v) {
  return ::cucc::atomic_update<double, unsigned long long>(p, [=](double old) { return old + v; });
}
CUCC_ATOMIC float atomicExch(float *p, float v) {
  return ::cucc::atomic_update<float, unsigned>(p, [=](float) { return v; });
}

#undef CUCC_ATOMIC
#endif
