/* host.h: sweeps of a plate on the host. */
#ifndef HOST_H
#define HOST_H

#include "multigpu.h"

/* A sweep of the rows first .. end - 1, with the additions in the order of multigpu.h. */
void sweep_host(const float *p, float *next, plate plate, int first, int end);

/* The work of a whole case by all cores, for its time: wb_task.cpu. */
struct wb_case;
void sweeps_cpu(const struct wb_case *c);

#endif
