/*
 * lesson08, jacobi: what you write in jacobi.cu.
 *
 * A plate of rows x cols cells, row after row. One sweep gives every inner cell the mean of its four
 * neighbours, with the values from before the sweep; at one cell, the source, it adds a quarter of
 * `strength`. The cells of the first and last row and column, the edge, keep the values they have. A plate
 * with fewer than three rows or columns is all edge.
 *
 * Pointers that start with d_ are device memory and start at multiples of 16 bytes; the plates of one call
 * don't overlap. Work that is still queued in the default stream when a function returns is part of the
 * answer. Every function returns cudaSuccess or the first CUDA error that occurred, and releases what it
 * allocated. A plate may have no cells at all: then nothing changes; only the solvers always get at least one
 * cell. rows and cols are at most 500,000 each. Conditions and outcomes are never NULL, and a tolerance is 0 or
 * at least 1e-15. The cells that change and the solvers get are finite; those of sweep and sweeps may be any.
 */
#ifndef JACOBI_H
#define JACOBI_H

#include <cuda_runtime_api.h>
#include <stddef.h>

/* The problem: its shape, and its one source. strength is dx^2 f of the equation u_xx + u_yy + f = 0. A
 * source on the edge has no effect. */
typedef struct plate {
  int rows, cols;
  int source_row, source_col;
  double strength;
} plate;

/* When to stop: the solver computes the change of the plate in one sweep, ||p_new - p||_2, after every
 * check_every-th sweep, and after the last. */
typedef struct stopping {
  double tolerance; /* stop if the change is below it */
  int check_every;  /* >= 1 */
  int most;         /* >= 1; stop after this many sweeps in any case */
} stopping;

/* The outcome: the number of sweeps done, and the change that the last of them made. */
typedef struct outcome {
  int sweeps;
  double change;
} outcome;

#ifdef __cplusplus
extern "C" {
#endif

/* Task 1. One sweep, from d_p to d_next. d_next gets every cell, the edge too: 8 bytes a cell through
 * memory. */
cudaError_t sweep(const float *d_p, float *d_next, plate plate);

/*
 * Task 2. *d_sum = the sum over all cells of (d_next[i] - d_p[i])^2: the square of ||p_new - p||_2. d_sum is
 * uninitialised device memory. Differences and squares may be rounded to float, and so may up to 60 + cells /
 * 65536 additions on a cell's way into the sum.
 */
cudaError_t change(const float *d_p, const float *d_next, size_t cells, double *d_sum);

/*
 * Task 3. The whole solver, in double: starts from the plate in d_p, sweeps until a condition of `stop`
 * holds, and leaves the result in d_p. d_work is uninitialised room for a second plate. The plates stay on
 * the device: the host gets only one number at each check.
 */
cudaError_t solve(double *d_p, double *d_work, plate plate, stopping stop, outcome *reached);

/* Task 4. The same in float. */
cudaError_t solve_float(float *d_p, float *d_work, plate plate, stopping stop, outcome *reached);

/* Go further. `count` sweeps of the plate in d_p, with the result in d_p and d_work as room for a second
 * plate, in less time than `count` copies of the plate take. */
cudaError_t sweeps(float *d_p, float *d_work, plate plate, int count);

#ifdef __cplusplus
}
#endif
#endif
