/*
 * lesson08, jacobi: what you write in jacobi.cu.
 *
 * A plate of rows x cols cells, row after row. One sweep gives every inner cell the mean of its four
 * neighbours, all of them as they were before the sweep; at one cell, the source, a quarter of `strength` is
 * added. The cells of the first and last row and column, the edge, keep the values they have. A plate with
 * fewer than three rows or columns is all edge.
 *
 * Pointers that start with d_ are device memory and start at multiples of 16 bytes; the plates of one call
 * don't overlap. What is queued in the default stream when a function returns is part of the answer. Every
 * function returns cudaSuccess or the first CUDA error that it met. A plate may have no cells at all: then
 * nothing changes. Nobody asks for more than 500000 rows.
 */
#ifndef JACOBI_H
#define JACOBI_H

#include <cuda_runtime_api.h>
#include <stddef.h>

/* The problem: its shape, and its one source. strength is dx^2 f of the equation u_xx + u_yy + f = 0. A
 * source on the edge does nothing. */
typedef struct plate {
  int rows, cols;
  int source_row, source_col;
  double strength;
} plate;

/* When to stop: the change of the plate in one sweep, ||p_new - p||_2, is looked at after every
 * check_every-th sweep, and after the last. */
typedef struct stopping {
  double tolerance; /* a change below it ends the work */
  int check_every;  /* >= 1 */
  int most;         /* >= 1; this many sweeps end it, too */
} stopping;

/* How it ended: sweeps done, and the change that the last of them made. */
typedef struct outcome {
  int sweeps;
  double change;
} outcome;

#ifdef __cplusplus
extern "C" {
#endif

/* Task 1. One sweep, from d_p to d_next, which gets every cell, the edge too: 8 bytes a cell through memory.
 */
cudaError_t sweep(const float *d_p, float *d_next, plate plate);

/*
 * Task 2. *d_sum = the sum over all cells of (d_next[i] - d_p[i])^2: the square of ||p_new - p||_2. d_sum is
 * device memory with anything in it. Differences and squares may be rounded to float, and up to 60 + cells /
 * 65536 additions on a cell's way into the sum.
 */
cudaError_t change(const float *d_p, const float *d_next, size_t cells, double *d_sum);

/*
 * Task 3. The whole solver, in double: sweeps from what is in d_p until `stop` says so, and leaves the plate
 * in d_p. d_work is room for a second plate, with anything in it. The plates stay on the device: what the
 * host learns is a number at each check.
 */
cudaError_t solve(double *d_p, double *d_work, plate plate, stopping stop, outcome *reached);

/* Task 4. The same in float. */
cudaError_t solve_float(float *d_p, float *d_work, plate plate, stopping stop, outcome *reached);

/* Go further. `count` sweeps, from d_p to d_p with d_work as room for a second plate, in less time than
 * `count` copies of the plate take. */
cudaError_t sweeps(float *d_p, float *d_work, plate plate, int count);

#ifdef __cplusplus
}
#endif
#endif
