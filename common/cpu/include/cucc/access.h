/* Loads and stores with hints for caches, which change nothing here, and clocks. */
#ifndef CUCC_ACCESS_H
#define CUCC_ACCESS_H

#define CUCC_ACCESS static inline __attribute__((always_inline))

extern "C" void cucc_spin(void);
extern "C" void cucc_read_only(const void *p);

#define CUCC_LOADS(NAME)                                                                                     \
  template <class T> CUCC_ACCESS T NAME(const T *p) { return *p; }
CUCC_LOADS(__ldca)
CUCC_LOADS(__ldcg)
CUCC_LOADS(__ldcs)
CUCC_LOADS(__ldcv)
CUCC_LOADS(__ldlu)
#undef CUCC_LOADS
/* The checker looks whether the kernel writes there (runtime/checker/read_only.c). */
template <class T> CUCC_ACCESS T __ldg(const T *p) {
#if CUCC_CHECKED
  cucc_read_only(p);
#endif
  return *p;
}
/* the value's type is not deduced: __stcs(p_float, 1) is a float's store */
template <class T> struct cucc_same { typedef T type; };
#define CUCC_STORES(NAME)                                                                                    \
  template <class T> CUCC_ACCESS void NAME(T *p, typename cucc_same<T>::type v) { *p = v; }
CUCC_STORES(__stcg)
CUCC_STORES(__stcs)
CUCC_STORES(__stwb)
CUCC_STORES(__stwt)
#undef CUCC_STORES

/* Ticks of the CPU's counter. For differences within a kernel; they say nothing about a GPU. */
CUCC_ACCESS long long clock64() {
#if defined(__x86_64__)
  return static_cast<long long>(__builtin_ia32_rdtsc());
#else
  unsigned long long t;
  asm volatile("mrs %0, cntvct_el0" : "=r"(t));
  return static_cast<long long>(t);
#endif
}

/* Gives way to other threads; how long is up to them. */
CUCC_ACCESS void __nanosleep(unsigned) { cucc_spin(); }

#ifndef __clang__
#define __builtin_assume(condition) ((condition) ? (void)0 : __builtin_unreachable())
#endif

#undef CUCC_ACCESS
#endif
