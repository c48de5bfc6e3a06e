/* Functions of kernels that neither clang nor the CPU backend has for PTX. Atomic functions: those of clang carry
 * the type in their names, __iAtomicAdd; atomicAdd_block and atomicAdd_system are atomicAdd here, which changes no
 * count. */
#ifndef PTX_DEVICE_CALLS_H
#define PTX_DEVICE_CALLS_H

#define PTX_ATOMIC(CUDA, CLANG, TYPE)                                                                        \
  static __inline__ __device__ TYPE CUDA(TYPE *p, TYPE v) { return CLANG(p, v); }                            \
  static __inline__ __device__ TYPE CUDA##_block(TYPE *p, TYPE v) { return CLANG(p, v); }                    \
  static __inline__ __device__ TYPE CUDA##_system(TYPE *p, TYPE v) { return CLANG(p, v); }
#define PTX_ATOMIC_WHOLE(CUDA, CLANG)                                                                        \
  PTX_ATOMIC(CUDA, __i##CLANG, int)                                                                          \
  PTX_ATOMIC(CUDA, __u##CLANG, unsigned)                                                                     \
  PTX_ATOMIC(CUDA, __ull##CLANG, unsigned long long)
#define PTX_ATOMIC_CAS(CUDA, CLANG, TYPE)                                                                    \
  static __inline__ __device__ TYPE CUDA(TYPE *p, TYPE seen, TYPE v) { return CLANG(p, seen, v); }           \
  static __inline__ __device__ TYPE CUDA##_block(TYPE *p, TYPE seen, TYPE v) { return CLANG(p, seen, v); }   \
  static __inline__ __device__ TYPE CUDA##_system(TYPE *p, TYPE seen, TYPE v) { return CLANG(p, seen, v); }

PTX_ATOMIC_WHOLE(atomicAdd, AtomicAdd)
PTX_ATOMIC_WHOLE(atomicExch, AtomicExch)
PTX_ATOMIC_WHOLE(atomicMin, AtomicMin)
PTX_ATOMIC_WHOLE(atomicMax, AtomicMax)
PTX_ATOMIC_WHOLE(atomicAnd, AtomicAnd)
PTX_ATOMIC_WHOLE(atomicOr, AtomicOr)
PTX_ATOMIC_WHOLE(atomicXor, AtomicXor)
PTX_ATOMIC(atomicMin, __illAtomicMin, long long)
PTX_ATOMIC(atomicMax, __illAtomicMax, long long)
PTX_ATOMIC(atomicAdd, __fAtomicAdd, float)
PTX_ATOMIC(atomicAdd, __dAtomicAdd, double)
PTX_ATOMIC(atomicExch, __fAtomicExch, float)
PTX_ATOMIC(atomicInc, __uAtomicInc, unsigned)
PTX_ATOMIC(atomicDec, __uAtomicDec, unsigned)
PTX_ATOMIC_CAS(atomicCAS, __iAtomicCAS, int)
PTX_ATOMIC_CAS(atomicCAS, __uAtomicCAS, unsigned)
PTX_ATOMIC_CAS(atomicCAS, __ullAtomicCAS, unsigned long long)

static __inline__ __device__ int atomicSub(int *p, int v) { return __iAtomicAdd(p, -v); }
static __inline__ __device__ unsigned atomicSub(unsigned *p, unsigned v) { return __uAtomicAdd(p, 0u - v); }

#undef PTX_ATOMIC
#undef PTX_ATOMIC_WHOLE
#undef PTX_ATOMIC_CAS

/* Loads and stores with hints for the caches are loads and stores. */
#define PTX_LOAD(CUDA)                                                                                       \
  template <class T> static __inline__ __device__ T CUDA(const T *p) { return *p; }
PTX_LOAD(__ldca)
PTX_LOAD(__ldcg)
PTX_LOAD(__ldcs)
PTX_LOAD(__ldcv)
PTX_LOAD(__ldlu)
#undef PTX_LOAD
#define PTX_STORE(CUDA)                                                                                      \
  template <class T> static __inline__ __device__ void CUDA(T *p, T v) { *p = v; }
PTX_STORE(__stcg)
PTX_STORE(__stcs)
PTX_STORE(__stwb)
PTX_STORE(__stwt)
#undef PTX_STORE

/* The lanes of the warp with the same value. */
template <class T> static __inline__ __device__ unsigned __match_any_sync(unsigned mask, T value) {
  if (sizeof(T) == 4) return __match32_any_sync(mask, *(unsigned *)&value);
  return __match64_any_sync(mask, *(unsigned long long *)&value);
}
template <class T> static __inline__ __device__ unsigned __match_all_sync(unsigned mask, T value, int *all) {
  if (sizeof(T) == 4) return __match32_all_sync(mask, *(unsigned *)&value, all);
  return __match64_all_sync(mask, *(unsigned long long *)&value, all);
}

extern "C" {
__device__ int printf(const char *format, ...);
__device__ void *malloc(size_t size) __attribute__((nothrow));
__device__ void free(void *memory) __attribute__((nothrow));
__device__ void __assert_fail(const char *said, const char *file, unsigned line, const char *function)
    __attribute__((nothrow, noreturn));
}
#endif
