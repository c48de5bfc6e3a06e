/*
 * What the answers of lesson01 are compared with. Each runs in turn with your function, on the same data, and
 * is compiled with the same flags.
 */
#ifndef YARDSTICKS_H
#define YARDSTICKS_H

/* y = a * x + y, element after element. One core, and all cores. */
void yardstick_saxpy(float a, const float *x, float *y, int n);
void yardstick_saxpy_all_cores(float a, const float *x, float *y, int n);

/* c = a * b with the loops as the formula is written: i, j, and the sum over p innermost. One core. */
void yardstick_matmul_naive(const float *a, const float *b, float *c, int m, int n, int k);

/* c = a * b with the innermost loop along rows. One core, and all cores. */
void yardstick_matmul_one_core(const float *a, const float *b, float *c, int m, int n, int k);
void yardstick_matmul_all_cores(const float *a, const float *b, float *c, int m, int n, int k);

/* The sum of n floats, added up in double. One core, and all cores. */
double yardstick_sum_one_core(const float *x, int n);
double yardstick_sum_all_cores(const float *x, int n);

#endif
