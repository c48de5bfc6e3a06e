/* shapes.h: sizes of lesson11's matrices, how many elements the arrays of the tasks have (wb_array.count), and
 * how their rows lie (wb_array.rows). */
#ifndef SHAPES_H
#define SHAPES_H

#include "baselines.h"

/* gemm_tensor is also tried with idle tensor cores at one size of at most so many elements. */
#define IDLE_ROWS        65
#define MOST_IDLE        1300
#define MOST_IDLE_INPUTS (IDLE_ROWS * 70)

static inline int dim(const wb_case *c, int which) { return (int)c->size.n[which]; }

/* gemm's leading dimensions: different gaps after the rows of each matrix. */
int lda_of(const wb_case *c);
int ldb_of(const wb_case *c);
int ldc_of(const wb_case *c);

size_t padded_a(const wb_case *c);
size_t padded_b(const wb_case *c);
size_t padded_c(const wb_case *c);
wb_rows rows_of_a(const wb_case *c);
wb_rows rows_of_b(const wb_case *c);
wb_rows rows_of_c(const wb_case *c);
size_t count_a(const wb_case *c);
size_t count_b(const wb_case *c);
size_t count_c(const wb_case *c);
size_t count_work(const wb_case *c);
size_t batch_a(const wb_case *c);
size_t batch_b(const wb_case *c);
size_t batch_c(const wb_case *c);
size_t count_square(const wb_case *c);
size_t count_one(const wb_case *c);
size_t count_two(const wb_case *c);
size_t count_unchanged_one(const wb_case *c);

#endif
