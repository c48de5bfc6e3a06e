/*
 * baselines.h: the baselines of lesson09's functions, and the host of task further. The harness's own code,
 * not the learner's. Each baseline takes the case of the task that it is compared with.
 */
#ifndef BASELINES_H
#define BASELINES_H

#include "wb.h"
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Indices of a case's arrays and sizes, for all tasks of this lesson: the driver's tables use this order. */
enum { X, Y };
enum { N, VALUES, TERMS = VALUES, FROM = VALUES };

/*
 * The number VALUES of a size. Numbers near 1 alone would hide an expf(x) - 1, a sine of too short a range,
 * and NaNs that get lost. So ALL has numbers of every exponent, and among them zeros of both signs, the
 * smallest and the largest numbers, infinities and NaN. IN_PLACE: the same, and d_y is d_x. NEAR_MEAN: of
 * chain, a mean of about a million, and numbers around it.
 */
enum { NEAR_ONE = 1, ALL, IN_PLACE, NEAR_MEAN };

/* The mean of chain. */
static inline float mean_of(const wb_case *c) {
  return (float)(c->param[0] * (c->size.n[VALUES] == NEAR_MEAN ? 1 << 20 : 1));
}

/* Kernels of one element a thread. They return a CUDA status. */
int plain_double_call(const wb_case *c);  /* sin of doubles */
int three_kernels_call(const wb_case *c); /* the given kernels of chain one after another, with temporaries */
int sines_call(const wb_case *c);         /* fast_sin with sinf */

/*
 * Calls crossing with a host whose speed is known: it is as slow as WAIT_MS from n = FROM on, and takes no
 * time for smaller n, or for all n where FROM is 0. So the answer is the same on every machine.
 *
 * With at most SLOW_BACK or SLOW_IN elements, and FROM 1, the host takes SHORT_MS, and on the CPU backend each copy
 * back, or in, takes LONG_MS: who measured the copies sees that the GPU never wins there. With SLOW_LATER and FROM 2
 * host and copies back are as slow from n = 2 on: who measured each n by itself sees it.
 */
#define WAIT_MS    80
#define SHORT_MS   6
#define LONG_MS    70
#define SLOW_BACK  1
#define SLOW_IN    2
#define SLOW_LATER 3
bool has_slow_copies(const wb_case *c);
int call_crossing(const wb_case *c);

#ifdef __cplusplus
}
#endif
#endif
