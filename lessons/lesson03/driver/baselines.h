/*
 * baselines.h: what scale_matrix is timed against, besides a copy. The harness's own code, not the
 * learner's; each takes scale_matrix's case and does the same multiplications. Returns a CUDA status.
 */
#ifndef BASELINES_H
#define BASELINES_H

#include "wb.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where a case's array and sizes are in the tasks with a matrix; task 3 has WIDTH and THREADS instead of
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
