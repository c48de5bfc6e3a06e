#ifndef CUCC_STATE_COUNTERS_H
#define CUCC_STATE_COUNTERS_H

#include "base/base.h"
#include "base/text.h"

struct op;

enum counter {
  COUNT_DEVICE_ALLOCATIONS,
  COUNT_PINNED_ALLOCATIONS,
  COUNT_STREAMS,
  COUNT_EVENTS,
  COUNT_SYNCHRONISATIONS,
  COUNTERS
};
void count(enum counter which);
/* An operation was queued. With cucc.lock held. */
void count_operation(const struct op *op);
void counters_reset(void);
/* Begins the object of cucc_counters_json; live_bytes: of device memory. With cucc.lock held. */
void counters_json(wb_text *t, size_t live_bytes);
/* Adds a line for each way of copying that was used. */
void count_copies_text(wb_text *t);

#endif
