/*
 * The language of kernels, as macros and functions of C++.
 *
 * A block runs on one thread of the operating system, its CUDA threads take turns there as fibers. So what
 * belongs to a block is thread-local storage (`__shared__`), and so is what says which thread is running:
 * `cucc_self`, which the runtime rewrites when it switches fibers.
 *
 * threadIdx and its relatives are variables, as they are under nvcc, so that a program may give the same names
 * to its own: `dim3 blockDim(16, 16);`. Reads of them, several per kernel line, need no check. g++ instruments
 * no reads of constants; clang++ has properties, whose reads go through an empty-handed `asm`: operands of asm
 * are not instrumented either.
 */
#ifndef CUCC_KERNEL_H
#define CUCC_KERNEL_H

#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__    /* empty: libstdc++ writes __attribute__((__noinline__)) */
#define __align__(n)    __attribute__((aligned(n)))
/* C++'s own word, not `__thread`: with that clang takes no constructor that must run, be it empty. */
#define __shared__ static thread_local

#if CUCC_CHECKED
#define CUCC_UNCHECKED __attribute__((no_sanitize("thread"), no_sanitize("bounds")))
#else
#define CUCC_UNCHECKED
#endif

extern "C" {
/* Which CUDA thread runs on this thread of the operating system. Written by the runtime only. In gdb: `p
 * cucc_self`. */
struct cucc_self {
  uint3 thread_idx, block_idx, block_dim, grid_dim;
};
extern __thread struct cucc_self cucc_self;

void *cucc_dynamic_shared(void);
/* Whether device code is running here: what __CUDA_ARCH__ asks in a function for host and device. */
int cucc_on_device(void);

/* Two calls in two branches must stay two: clang would merge them. */
#if defined(__clang__) && __has_attribute(nomerge)
#define CUCC_APART __attribute__((nomerge))
#else
#define CUCC_APART
#endif

/* The rewriter numbers barriers (rewrite/marks.c). */
void __syncthreads(unsigned number = 0) CUCC_APART;
int __syncthreads_count(int predicate, unsigned number = 0) CUCC_APART;
int __syncthreads_and(int predicate, unsigned number = 0) CUCC_APART;
int __syncthreads_or(int predicate, unsigned number = 0) CUCC_APART;
void __threadfence_block(void);
void __threadfence(void);
void __threadfence_system(void);
void __trap(void) __attribute__((noreturn));
void __brkpt(void);
void cucc_kernel_end(void);
void cucc_count_call(double *value);
int cucc_leaves(void);
int cucc_alone(void);
int cucc_alone_store(void);
}

/* What the rewriter marks for the checker: the end of a kernel, a return before it, an atomic operation whose
 * result is not used. */
#if CUCC_CHECKED
#define CUCC_KERNEL_END cucc_kernel_end()
#define CUCC_LEAVES                                                                                          \
  switch (cucc_leaves())                                                                                     \
  default:
#define CUCC_ALONE            cucc_alone(),
#define CUCC_ALONE_KEPT       cucc_alone() ? 0:
#define CUCC_ALONE_STORE      cucc_alone_store(),
#define CUCC_ALONE_STORE_KEPT cucc_alone_store() ? 0:
#else
#define CUCC_KERNEL_END ((void)0)
#define CUCC_LEAVES
#define CUCC_ALONE
#define CUCC_ALONE_KEPT
#define CUCC_ALONE_STORE
#define CUCC_ALONE_STORE_KEPT
#endif

#ifdef __clang__
#if CUCC_CHECKED && defined(__x86_64__)
#define CUCC_LOAD(variable, value) asm("movl %1, %0" : "=r"(value) : "m"(variable))
#elif CUCC_CHECKED && defined(__aarch64__)
#define CUCC_LOAD(variable, value) asm("ldr %w0, %1" : "=r"(value) : "m"(variable))
#else
#define CUCC_LOAD(variable, value) value = variable
#endif

#define CUCC_PART(NAME, PART)                                                                                \
  static inline __attribute__((always_inline)) unsigned get_##PART() {                                       \
    unsigned value;                                                                                          \
    CUCC_LOAD(cucc_self.NAME.PART, value);                                                                   \
    return value;                                                                                            \
  }                                                                                                          \
  __declspec(property(get = get_##PART)) unsigned PART;
#define CUCC_BUILTIN(NAME, PART_OF_SELF, TYPE)                                                               \
  static constexpr struct cucc_##PART_OF_SELF {                                                              \
    CUCC_PART(PART_OF_SELF, x)                                                                               \
    CUCC_PART(PART_OF_SELF, y)                                                                               \
    CUCC_PART(PART_OF_SELF, z)                                                                               \
    operator TYPE() const { return uint3{get_x(), get_y(), get_z()}; }                                       \
  } NAME{};
CUCC_BUILTIN(threadIdx, thread_idx, uint3)
CUCC_BUILTIN(blockIdx, block_idx, uint3)
CUCC_BUILTIN(blockDim, block_dim, dim3)
CUCC_BUILTIN(gridDim, grid_dim, dim3)
#undef CUCC_BUILTIN
#undef CUCC_PART
#undef CUCC_LOAD
#else
/* Becomes a dim3 where one is needed. g++ takes no variable with constructors for a constant. */
struct cucc_extent : uint3 {};
/* A constant is read once in a function, and here a kernel is inlined into a loop over the threads of its
 * block, unless it is checked. */
#if CUCC_CHECKED
extern __thread const uint3 threadIdx asm("cucc_thread_idx");
#else
extern __thread uint3 threadIdx asm("cucc_thread_idx");
#endif
extern __thread const uint3 blockIdx asm("cucc_block_idx");
extern __thread const cucc_extent blockDim asm("cucc_block_dim");
extern __thread const cucc_extent gridDim asm("cucc_grid_dim");
#endif

#if CUCC_CHECKED
extern "C" void cucc_launch_bounds(unsigned most);
#endif

namespace cucc {

/* What becomes of __launch_bounds__: the first statement of its kernel. Fast code trusts its launches. */
template <class... T> static inline __attribute__((always_inline)) void launch_bounds(unsigned most, T...) {
#if CUCC_CHECKED
  if (blockDim.x * blockDim.y * blockDim.z > most) cucc_launch_bounds(most);
#else
  (void)most;
#endif
}

static inline void *dynamic_shared() { return cucc_dynamic_shared(); }

} // namespace cucc

static const int warpSize = 32;

#endif
