/*
 * lesson12, nvrtc: a compiler in your program.
 *
 * A kernel that knows its constants needs no loop over them and no loads of them. But constants that are known
 * only while the program runs need a compiler then. It takes some ten milliseconds: so a text is compiled once,
 * and kept.
 *
 * jit.h says what each function must do. h_ is host memory, d_ device memory.
 */
#include "jit.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <nvrtc.h>
#include <string>
#include <tuple>
#include <vector>

#define THREADS 256 /* in a block */

/* TODO task 1: a function that makes NVRTC's option for the current device: --gpu-architecture=sm_90, where
 * 9 and 0 are attributes of the device. */

cudaError_t compile_module(const char *source, const char *const *options, int option_count, CUmodule *module,
                           char *log, size_t log_size) {
  /* TODO task 1: create a program, compile it, give the log in each case, load what was compiled, destroy
   * the program. */
  return cudaSuccess;
}

cudaError_t launch_map(CUmodule module, const float *d_x, float *d_y, size_t n) {
  /* TODO task 1: find `map` in the module, and launch it. cuLaunchKernel takes a pointer to each argument. */
  return cudaSuccess;
}

/* TODO task 2: a function that writes a float so that the compiler reads the same bits. Which floats have no
 * literal? */

size_t write_polynomial(const float *h_c, int degree, char *text, size_t size) {
  /* TODO task 2: the kernel's text, with a line for each coefficient. Its length is the result. */
  return 0;
}

/* TODO task 3: what does a cache hold? A kernel belongs to a source, options and a device. */
struct kernel_cache {
  build_function *build;
};

struct kernel_cache *cache_create(build_function *build) {
  return NULL; /* TODO task 3 */
}

cudaError_t cache_get(struct kernel_cache *cache, const char *source, const char *options, int device,
                      CUfunction *kernel) {
  /* TODO task 3: is it there? If not, build it, and keep it. */
  return cudaSuccess;
}

void cache_destroy(struct kernel_cache *cache) {
  (void)cache; /* TODO task 3: free the cache and all that it allocated for itself */
}

/* TODO task 4: the median of an odd number of values. */

uint64_t calls_to_break_even(const uint32_t *generic_ns, const uint32_t *special_ns, size_t count) {
  /* TODO task 4: first + (k - 1) * s <= k * g. Which k is the smallest? Is there always one? */
  return 0;
}

/* TODO go further: the names of instructions have parts: does "ld.global.nc.f32" have the part "global"? */

cudaError_t read_ptx(const char *ptx, const char *kernel, unsigned counts[PTX_COUNTS]) {
  /* TODO go further: find the kernel's line, then go through its lines, up to the } that ends it. */
  return cudaSuccess;
}
