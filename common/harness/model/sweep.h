/* model/sweep.h: the values of --sweep: one of the sizes is varied, all else stays. */
#ifndef WB_SWEEP_H
#define WB_SWEEP_H

#include "wb.h"
#include <stdbool.h>

#define WB_SWEEP_MOST 40

typedef struct wb_sweep {
  char dim[24]; /* which of the task's dims */
  size_t value[WB_SWEEP_MOST];
  int count; /* 0: no sweep */
} wb_sweep;

/*
 * Reads "n=1024..1048576" (each value twice the one before, the last one included) or "threads=32,64,96".
 * Returns false where the text is neither, or has more than WB_SWEEP_MOST values.
 */
bool wb_sweep_parse(const char *text, wb_sweep *sweep);

/* The place of the swept size among the task's dims; -1: it has no such size. */
int wb_sweep_place(const wb_sweep *sweep, const wb_task *task);

#endif
