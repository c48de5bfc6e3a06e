/*
 * The baselines that the answers of lesson01 are compared with. Each runs in turn with your function, on the
 * same data, and is compiled with the same flags.
 */
#ifndef BASELINES_H
#define BASELINES_H

/* y = a * x + y, element after element. One core, and all cores. */
void baseline_saxpy(float a, const float *x, float *y, int n);
void baseline_saxpy_all_cores(float a, const float *x, float *y, int n);

/* c = a * b with the loops as the formula is written: i, j, and the sum over p innermost. One core. */
void baseline_matmul_naive(const float *a, const float *b, float *c, int m, int n, int k);

/* c = a * b with the innermost loop along rows. One core, and all cores. */
void baseline_matmul_one_core(const float *a, const float *b, float *c, int m, int n, int k);
void baseline_matmul_all_cores(const float *a, const float *b, float *c, int m, int n, int k);

/* The sum of n floats, added up in double. One core, and all cores. */
double baseline_sum_one_core(const float *x, int n);
double baseline_sum_all_cores(const float *x, int n);

#endif
