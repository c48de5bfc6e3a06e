/*
 * lesson01, loops: what you write in loops.c.
 *
 * Plain C, on the CPU. Matrices are stored row after row: element (row, column) of a matrix with n columns is
 * x[row * n + column]. Any of the sizes may be 0. The arrays of one call never overlap. An output array
 * is uninitialised on entry: do not assume that it holds zeros. Threads are OpenMP's, which end or rest when
 * the function returns: the grader refuses pthreads. A team may have any number of threads, also more than
 * there are cores.
 */
#ifndef LOOPS_H
#define LOOPS_H

#ifdef __cplusplus
extern "C" {
#endif

/* Task 1. y[i] = a * x[i] + y[i] for all n elements. Moves 12 bytes an element: two read, one written. */
void saxpy(float a, const float *x, float *y, int n);

/*
 * Task 2. c = a * b on one core, with the innermost loop running along rows. a has m rows of k, b has k rows
 * of n, c has m rows of n. Takes 2 * m * n * k operations. For k = 0 all elements of c are 0.
 */
void matmul(const float *a, const float *b, float *c, int m, int n, int k);

/* Task 3. The same as matmul, on all cores. */
void matmul_parallel(const float *a, const float *b, float *c, int m, int n, int k);

/* Task 4. Returns the sum of x[0] ... x[n - 1], added up in double, on all cores. */
double sum_parallel(const float *x, int n);

/* Go further. The same as matmul, on all cores, and faster than matmul_parallel by using each loaded value
 * several times. */
void matmul_blocked(const float *a, const float *b, float *c, int m, int n, int k);

#ifdef __cplusplus
}
#endif
#endif
