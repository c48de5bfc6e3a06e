/*
 * lessonNN, lesson_name: what you write in lesson_name.cu.
 *
 * TEMPLATE: the contract. Say once, for all functions: what the prefixes mean (h_ host, d_ device), the
 * layout and the unit of every array, what is returned, and what holds for empty input.
 *
 * Pointers that start with d_ are device memory. Every function returns cudaSuccess or the first CUDA error
 * that occurred. n may be 0: then there is nothing to do.
 */
#ifndef LESSON_NAME_H
#define LESSON_NAME_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Task 1. d_y[i] = factor * d_x[i] + d_y[i] for the n floats of each: the kernel and its launch. */
cudaError_t saxpy(int n, float factor, const float *d_x, float *d_y);

#ifdef __cplusplus
}
#endif
#endif
