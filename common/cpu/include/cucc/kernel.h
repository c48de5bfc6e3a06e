/*
 * The language of kernels, as macros and functions of C++.
 *
 * A block runs on one thread of the operating system, its CUDA threads take turns there as fibers. So what
 * belongs to a block is thread-local storage (`__shared__`), and so is what says which thread is running:
 * `cucc_self`, which the runtime rewrites when it switches fibers.
 *
 * In the checked build threadIdx and its relatives are read by an empty-handed `asm`: the compiler
 * instruments loads of memory, not operands of asm, and these reads (several per kernel line) need no check.
 * The memory operand keeps the optimiser honest: another thread, another value.
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

void __syncthreads(void) CUCC_APART;
int __syncthreads_count(int predicate) CUCC_APART;
int __syncthreads_and(int predicate) CUCC_APART;
int __syncthreads_or(int predicate) CUCC_APART;
void __threadfence_block(void);
void __threadfence(void);
void __threadfence_system(void);
void __trap(void) __attribute__((noreturn));
void __brkpt(void);
}

namespace cucc {

#if CUCC_CHECKED && defined(__x86_64__)
#define CUCC_LOAD(variable)                                                                                  \
  ({                                                                                                         \
    unsigned cucc_v;                                                                                         \
    asm("movl %1, %0" : "=r"(cucc_v) : "m"(variable));                                                       \
    cucc_v;                                                                                                  \
  })
#elif CUCC_CHECKED && defined(__aarch64__)
#define CUCC_LOAD(variable)                                                                                  \
  ({                                                                                                         \
    unsigned cucc_v;                                                                                         \
    asm("ldr %w0, %1" : "=r"(cucc_v) : "m"(variable));                                                       \
    cucc_v;                                                                                                  \
  })
#else
#define CUCC_LOAD(variable) (variable)
#endif

#define CUCC_BUILTIN(NAME, TYPE)                                                                             \
  static inline __attribute__((always_inline)) TYPE NAME() {                                                 \
    return uint3{CUCC_LOAD(cucc_self.NAME.x), CUCC_LOAD(cucc_self.NAME.y), CUCC_LOAD(cucc_self.NAME.z)};     \
  }
CUCC_BUILTIN(thread_idx, uint3)
CUCC_BUILTIN(block_idx, uint3)
CUCC_BUILTIN(block_dim, dim3)
CUCC_BUILTIN(grid_dim, dim3)
#undef CUCC_BUILTIN

static inline void *dynamic_shared() { return cucc_dynamic_shared(); }

/* What `extern __shared__ T x[];` at file scope becomes: an array
   that is wherever the running block has it. */
template <class T> struct dynamic_shared_array {
  operator T *() const { return static_cast<T *>(cucc_dynamic_shared()); }
};

} // namespace cucc

#define threadIdx (::cucc::thread_idx())
#define blockIdx  (::cucc::block_idx())
/* Calls by one plain name: `config.gridDim` of a cudaLaunchConfig_t calls a member of that name. */
#define blockDim cucc_block_dim()
#define gridDim  cucc_grid_dim()
static inline __attribute__((always_inline)) dim3 cucc_block_dim() { return ::cucc::block_dim(); }
static inline __attribute__((always_inline)) dim3 cucc_grid_dim() { return ::cucc::grid_dim(); }
static const int warpSize = 32;

#endif
