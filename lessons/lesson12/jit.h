/*
 * lesson12, nvrtc: what you write in jit.cu.
 *
 * A program that compiles CUDA C++ while it runs: NVRTC makes machine code of a text, the driver loads it as a
 * module, and a kernel of the module is launched by its name.
 *
 * All kernels that these functions compile and launch have the same name and parameters:
 *
 *     extern "C" __global__ void map(const float *x, float *y, size_t n)
 *
 * Each thread i < n computes y[i] from x[i]; threads with i >= n do nothing.
 *
 * d_x and d_y are device memory, all other pointers host memory. Work goes to the current device, whose
 * context exists. Functions that return a cudaError_t return cudaSuccess or the first error that occurred: the
 * numbers of the driver's errors (CUresult) are the same ones. Texts end with a 0, and are the caller's.
 */
#ifndef JIT_H
#define JIT_H

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Task 1. Compiles a text for the current device, and loads it. NVRTC gets the option for that device's
 * architecture, then the given options in their order, and no others.
 *
 * *module is the loaded module; the caller unloads it. If NVRTC refuses the text or an option, the result is
 * cudaErrorInvalidSource. After any error *module is NULL, and nothing is left.
 *
 * log has room for log_size >= 1 characters. In each case it gets NVRTC's log, or as many of its first
 * characters as fit, and a 0; "" if there is no log.
 */
cudaError_t compile_module(const char *source, const char *const *options, int option_count, CUmodule *module,
                           char *log, size_t log_size);

/* Task 1. Launches the module's kernel `map` for n elements, in the default stream. For n = 0 it launches
 * nothing. The error is cudaErrorSymbolNotFound if the module has no such kernel. */
cudaError_t launch_map(CUmodule module, const float *d_x, float *d_y, size_t n);

/*
 * Task 2. Writes the text of a kernel `map` that computes a polynomial, by Horner's rule:
 *
 *     y = c[degree]
 *     y = fmaf(y, x, c[k])    for k = degree - 1, degree - 2, ..., 0
 *
 * Degree and coefficients are in the text: the kernel has no other parameters than those of every `map`. The
 * bits of y must be those of the formula above (any NaN is a NaN). degree is at least 0 and has no upper
 * limit. The coefficients may be any floats: NaN, infinite, -0, denormal.
 *
 * The compiled kernel of a low degree has no loop over the coefficients: each step is an instruction of its own.
 *
 * text has room for `size` characters. It gets the text, or as many of its first characters as fit, and a 0;
 * for size = 0 nothing is written, and text may be NULL. The result is the length of the whole text without
 * the 0, as snprintf gives it.
 */
size_t write_polynomial(const float *h_c, int degree, char *text, size_t size);

/*
 * Task 3. A cache of kernels. You define struct kernel_cache.
 *
 * cache_create: an empty cache, which makes kernels by `build`; NULL if there is no memory. A program may have
 * several caches.
 *
 * cache_get: *kernel = the kernel of this source, with these options, for this device. If this cache was never
 * asked for the three before, it calls build(source, options, device, kernel) once; else it calls nothing, and
 * gives the same kernel as then. Two texts are the same if their characters are; the caller may change or free
 * both as soon as cache_get returns. If build returns an error, that is the result, *kernel is NULL, and
 * nothing is kept: the next time it is built again. There is no limit to the number of kernels.
 *
 * cache_destroy: frees what the cache allocated. The kernels belong to the caller. NULL is permitted.
 */
typedef cudaError_t build_function(const char *source, const char *options, int device, CUfunction *kernel);

struct kernel_cache *cache_create(build_function *build);
cudaError_t cache_get(struct kernel_cache *cache, const char *source, const char *options, int device,
                      CUfunction *kernel);
void cache_destroy(struct kernel_cache *cache);

/*
 * Task 4. After how many calls has compiling paid? Two programs were called `count` times each, and each call
 * was timed, in nanoseconds. generic_ns: the kernel that exists already. special_ns: the one that is compiled
 * in the first call, special_ns[0]. count is even, and at least 2.
 *
 *     g = the median of generic_ns[1 .. count - 1]    the first call warms up, and is not counted
 *     s = the median of special_ns[1 .. count - 1]
 *     k calls take k * g or special_ns[0] + (k - 1) * s
 *
 * The result is the smallest k >= 1 for which the special kernel takes no longer than the generic one; 0 if
 * there is none. Both arrays stay as they are.
 */
uint64_t calls_to_break_even(const uint32_t *generic_ns, const uint32_t *special_ns, size_t count);

/*
 * Go further. Reads PTX, and counts in the kernel of this name:
 *
 *     counts[PTX_FMAS]      instructions fma
 *     counts[PTX_LOADS]     loads from global memory: ld with the part .global
 *     counts[PTX_LOOPS]     branches back: bra to a label that stands before it in the kernel
 *     counts[PTX_DOUBLES]   instructions of any kind with the part .f64
 *
 * The result is cudaErrorSymbolNotFound if the text has no such kernel; then counts may hold anything. The
 * text is as NVRTC writes it:
 *
 *     .visible .entry map(              a kernel; its parameters follow, then { on a line of its own
 *     $L__BB0_2:                        a label, on a line of its own
 *     @%p1 bra $L__BB0_2;               an instruction, on a line of its own; @%p1 or @!%p1 is its condition
 *     ld.global.nc.f32 %f1, [%rd4];     its name, in parts: ld, global, nc, f32
 *     .reg .f32 %f<5>;                  a directive begins with a point; it is no instruction
 *     // fma.rn.f32                     a comment, up to the end of the line; it may follow an instruction
 *     { and }                           on lines of their own; they may be nested
 */
enum { PTX_FMAS, PTX_LOADS, PTX_LOOPS, PTX_DOUBLES, PTX_COUNTS };
cudaError_t read_ptx(const char *ptx, const char *kernel, unsigned counts[PTX_COUNTS]);

#ifdef __cplusplus
}
#endif
#endif
