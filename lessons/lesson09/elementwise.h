/*
 * lesson09, elementwise: what you write in elementwise.cu.
 *
 * Tasks 1 to 4: y[i] depends on x[i] alone, for i < n. The pointers that start with d_ are device memory and
 * begin at multiples of 16 bytes. Two arrays are different memory, unless a function allows that they are the
 * same one. n counts elements and may be 0. The functions return cudaSuccess or the first CUDA error that
 * occurred, need not wait for the device, allocate nothing and copy nothing.
 *
 * The inputs are any floats: zeros of both signs, denormals, infinities and NaN among them. An ulp ("unit in
 * the last place") is the distance from a result to the next float, or the next double.
 */
#ifndef ELEMENTWISE_H
#define ELEMENTWISE_H

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

/* SELU's constants (Klambauer et al., Self-Normalizing Neural Networks, 2017), in double, as published. */
#define SELU_SCALE 1.0507009873554805
#define SELU_ALPHA 1.6732632423543772

/* fast_sin: the largest |x|, and the error that each of its sines may have. */
#define FAST_RANGE 1000.0f
#define FAST_ERROR 2e-6

#ifdef __cplusplus
extern "C" {
#endif

/* Task 1. y = sin x for any x, in float and in double, with an error of 4 ulp at most. The sine of an
 * infinity or of NaN is NaN. The float version computes in float. */
cudaError_t sin_map_float(const float *d_x, float *d_y, size_t n);
cudaError_t sin_map_double(const double *d_x, double *d_y, size_t n);

/*
 * Task 2. SELU, a function of neural networks:
 *     y = SELU_SCALE * x                          for x > 0
 *     y = SELU_SCALE * SELU_ALPHA * (e^x - 1)     for x <= 0
 * with a relative error of 1e-6 at most, for tiny x too. The function computes in float. NaN in, NaN out.
 * d_y may be d_x: then the results replace the inputs.
 */
cudaError_t selu(const float *d_x, float *d_y, size_t n);

/* Task 3. What the three given kernels of elementwise.cu do one after another, in one kernel:
 *     t = (x - mean) * gain,   u = 1 / (1 + e^-t),   y = low + (high - low) * u
 * with t right to a few roundings of t itself, also for x near a large mean. */
cudaError_t chain(const float *d_x, float *d_y, size_t n, float mean, float gain, float low, float high);

/*
 * Task 4. A sum of k sines, each of half the argument of the one before:
 *     y = sin(x) + sin(x / 2) + sin(x / 4) + ...     k terms, 1 <= k <= 64
 * for |x| <= FAST_RANGE, with an error of k * FAST_ERROR at most. Make it faster than sinf.
 */
cudaError_t fast_sin(const float *d_x, float *d_y, size_t n, int k);

/* The host's own sine of n floats. */
typedef void (*host_map)(const float *h_x, float *h_y, size_t n);

/*
 * Go further. From which n on does the GPU win? Try n = 1, 2, 4, 8 ..., as long as n <= most. For each n
 * measure two times, as a clock on the wall has them: that of host(h_x, h_y, n), with an h_y of your own, and
 * that of the GPU for the same work: copy n floats to the device, sin_map_float, copy n floats back. Allocate
 * once, before the first n.
 * *h_from = the smallest such n at which the GPU takes less time, or 0 if there is none. h_x is pageable
 * memory with `most` floats. Everything that the function allocated is freed when it returns.
 */
cudaError_t crossing(const float *h_x, size_t most, host_map host, uint32_t *h_from);

#ifdef __cplusplus
}
#endif
#endif
