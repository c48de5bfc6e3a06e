/* host.h: sweeps of a plate on the host. */
#ifndef HOST_H
#define HOST_H

#include "multigpu.h"

/* Cell i after one sweep of p. */
float swept_cell(const float *p, plate plate, size_t i);

/* A sweep of the rows first .. end - 1 by this thread, with the additions in the order of multigpu.h. */
void sweep_host(const float *p, float *next, plate plate, int first, int end);

/* `count` sweeps of the plate in p, on all cores; `work` is as large as p. Returns the one of the two that holds the
 * result. It needs room for some rows more on each core. */
float *sweeps_host(float *p, float *work, plate plate, int count);

#endif
