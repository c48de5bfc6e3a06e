/*
 * lesson08, jacobi: heat spreads over a plate until nothing changes any more.
 *
 * A sweep reads one plate and writes another, so no thread sees a neighbour's new value; then the two
 * pointers are swapped. Everything stays on the device: the host launches, and now and then fetches one
 * number, the change of the last sweep.
 *
 * jacobi.h says what each function must do. Plates are rows x cols, row after row; x runs along the row, so a
 * warp's threads touch neighbouring cells.
 */
#include "jacobi.h"
#include <math.h>

#define WARP 32

/* n / d, rounded up; in 64 bits, since n + d may pass the largest int. */
static unsigned ceil_div(size_t n, size_t d) { return (unsigned)((n + d - 1) / d); }

/* TODO task 1: a kernel for one cell a thread. `real` is float or double: the compiler makes both. */
template <class real> static __global__ void sweep_kernel(const real *d_p, real *d_next, plate plate) {}

template <class real> static cudaError_t launch_sweep(const real *d_p, real *d_next, plate plate) {
  /* TODO task 1: launch it on a grid of two dimensions that covers the plate. */
  return cudaSuccess;
}

cudaError_t sweep(const float *d_p, float *d_next, plate plate) { return launch_sweep(d_p, d_next, plate); }

/* TODO task 2: a kernel that adds the squares of all differences to *d_sum, one atomic a block. */
template <class real>
static __global__ void change_kernel(const real *d_p, const real *d_next, size_t cells, double *d_sum) {}

template <class real>
static cudaError_t launch_change(const real *d_p, const real *d_next, size_t cells, double *d_sum) {
  /* TODO task 2: set *d_sum to 0, then launch. Only queue both: do not wait. */
  return cudaSuccess;
}

cudaError_t change(const float *d_p, const float *d_next, size_t cells, double *d_sum) {
  return launch_change(d_p, d_next, cells, d_sum);
}

/* Tasks 3 and 4: the same code for double and for float. */
template <class real>
static cudaError_t solve_any(real *d_p, real *d_work, plate plate, stopping stop, outcome *reached) {
  /* TODO task 3: sweep from one plate into the other, swap the pointers, and after every check_every-th
   * sweep fetch the sum of task 2. The answer must end in d_p. */
  return cudaSuccess;
}

cudaError_t solve(double *d_p, double *d_work, plate plate, stopping stop, outcome *reached) {
  return solve_any(d_p, d_work, plate, stop, reached);
}

cudaError_t solve_float(float *d_p, float *d_work, plate plate, stopping stop, outcome *reached) {
  /* TODO task 4: the same in float. */
  return cudaSuccess;
}

/* TODO go further: several sweeps while a part of the plate is in registers or shared memory. */

cudaError_t sweeps(float *d_p, float *d_work, plate plate, int count) {
  /* TODO go further: start with `count` sweeps of task 1, swapping pointers; the answer ends in d_p. */
  return cudaSuccess;
}
