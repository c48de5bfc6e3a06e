/*
 * model/check.h: is the answer right, and if not, where and in which pattern is it wrong?
 *
 * An element is right when |got - expected| <= tolerance, which a NaN never fulfils. Where a NaN
 * is expected, any NaN but the poison is right. Everything here runs in the parent, on all cores, against the
 * parent's own copies of the inputs.
 */
#ifndef WB_CHECK_H
#define WB_CHECK_H

#include "wb.h"
#include <stdbool.h>

#define WB_MAP_ROWS 16
#define WB_MAP_COLS 64

/* The shape in which an array is drawn. Rows begin `pitch` elements apart; where pitch > cols, padding is
 * between them. */
typedef struct wb_matrix {
  size_t rows, cols, pitch;
} wb_matrix;

/* The wrong elements of one output array. */
typedef struct wb_pattern {
  wb_matrix shape;
  size_t wrong, never_written; /* never written: still the poison */
  size_t unchanged;            /* of an inout array: still the input */
  size_t not_a_number;         /* NaN or infinite, but written */
  size_t in_padding;           /* of a matrix with padding */
  size_t after_row;            /* of these the first after its row */
  size_t first, last, stride;  /* stride divides all distances of the wrong indices; 0 for a single one */
  /* Wrong elements in each part of the array; the last part of a row is its padding. */
  unsigned map[WB_MAP_ROWS][WB_MAP_COLS + 1];
} wb_pattern;

typedef struct wb_verdict {
  size_t count, wrong;             /* elements looked at, over all outputs */
  double max_error, max_tolerance; /* largest error (infinite when any is NaN), largest tolerance allowed */
  double least_tolerance;          /* the least tolerance above 0, or 0 */
  double max_share; /* the largest error as a part of its own tolerance, where that is above 0 */
  int array;        /* number of the first output array that is wrong; -1: none is */
  double expected, got, tolerance; /* of that array's first wrong element */
  bool cause;                      /* the task has named the cause of that value */
  bool rest;                       /* the cause says only that a rest is left out */
  wb_pattern pattern;              /* of that array */
} wb_verdict;

/* Whether the tolerances of a verdict's elements differ so much that the largest error says nothing: it is that
 * of a large value, where much is allowed. Then max_share says how near the limit the answer is. */
static inline bool wb_by_share(const wb_verdict *verdict) {
  return verdict->max_tolerance > 1e6 * verdict->least_tolerance && verdict->least_tolerance > 0;
}

/*
 * Checks all outputs of a case. `inputs` is the case with the parent's copies; got[a] is where array a's
 * elements now are. sample = 0: every element; else that many random ones (chosen by `key`, with the first
 * and the last) of arrays that have more. Of the repeated arrays of a large case the windows by `key` are
 * checked (model/large.h). Returns false when out of memory.
 */
bool wb_check(const wb_task *task, const wb_case *inputs, void *const *got, size_t sample, uint64_t key,
              wb_verdict *verdict);

/*
 * Whether the inputs in host memory are unchanged: -1, or the number of the array that isn't, and where.
 * In an array above 1 MiB some thousand places are compared: a change large enough to matter would be
 * noticed in this sample.
 */
int wb_check_inputs(const wb_task *task, const wb_case *inputs, void *const *now, size_t *byte);

/*
 * The number of the first output array that a call touched although it had to fail: outputs must still be
 * poison, inout arrays still the input. -1: none. *index: its first touched element.
 */
int wb_check_untouched(const wb_task *task, const wb_case *inputs, void *const *got, size_t *index);

/* Fills an array with the poison: bytes 0xFF, which are a NaN, -1, or 255. On all cores. */
void wb_poison(void *to, size_t bytes);

/* The shape of an array: the one that the task declares (wb_array.rows), else two of the case's sizes whose
 * product is the number of its elements, unless it has as many as the first size says; else one row. */
wb_matrix wb_shape(const wb_task *task, const wb_case *c, int array);

static inline size_t wb_elements(const wb_matrix *m) { return m->rows * m->pitch; }
static inline bool wb_in_padding(const wb_matrix *m, size_t i) { return i % m->pitch >= m->cols; }

/* Element i as a double. */
double wb_element(wb_type type, const void *array, size_t i);
/* How far element i is from the expected value; 0: it is right. */
double wb_error(wb_type type, const void *array, size_t i, wb_expected expected);

#endif
