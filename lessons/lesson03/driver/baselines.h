/*
 * baselines.h: the baseline of scale_matrix, in addition to a copy. The harness's own code, not the
 * learner's. It takes scale_matrix's case, does the same multiplications, and returns a CUDA status.
 */
#ifndef BASELINES_H
#define BASELINES_H

#include "wb.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Indices of a case's array and sizes in the tasks with a matrix; task 3 has WIDTH and THREADS instead of
 * PADDING. */
enum { D_M };
enum { ROWS, COLUMNS, PADDING, WIDTH = 2, THREADS = 3 };

/* The twin: the same blocks of 32 x 8 threads and one element a thread, but x runs down the column. Up to
 * 524280 columns. */
int column_along_x_call(const wb_case *c);

#ifdef __cplusplus
}
#endif
#endif
