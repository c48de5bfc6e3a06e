#ifndef CUCC_STATE_WORK_RECORD_H
#define CUCC_STATE_WORK_RECORD_H

#include "base/base.h"

struct op;

/* Which elements of a matrix. A vector is a matrix of one row. */
enum part { PART_ALL, PART_LOWER, PART_UPPER };

/* A matrix in column-major order: column j begins at element j * stride. */
struct extent {
  const char *name; /* in reports: "A", "x" */
  const void *at;
  size_t element; /* bytes */
  int64_t rows, columns, stride;
  enum part part;
  int number;   /* of the matrix in a batch; 0: the first, or no batch */
  int64_t step; /* bytes from one of them to the next */
};

/* The head of a structure of `size` bytes, which holds no pointers to memory of its own: it gets copied. */
struct work {
  size_t size;
  const char *call; /* a constant string */
  uintptr_t site;
  uint64_t multiplications;       /* of two numbers, in a product of matrices */
  bool (*run)(struct work *work); /* on the engine's thread; false: it touched what it must not */
  const struct op *op;            /* set while it runs */
  bool held;                      /* it waits for what is still to be queued elsewhere */
  void (*launched)(
      struct op *op);    /* a graph's launch has queued a copy, op's; with cucc.lock held; or NULL */
  uint32_t record, safe; /* the checker's */
};

#endif
