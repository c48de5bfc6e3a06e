#ifndef CUCC_BASE_OCCUPANCY_H
#define CUCC_BASE_OCCUPANCY_H

#include "base/base.h"

#define MAX_THREADS 1024

#define SHARED_DEFAULT  ((size_t)48 << 10)
#define SHARED_RESERVED ((size_t)1 << 10) /* the device keeps so much of each block's for itself */
#define SHARED_MAX      ((size_t)163 << 10)
#define SHARED_SM       ((size_t)164 << 10)
#define SHARED_STEP     ((size_t)128) /* shared memory is given in portions of */
/* How many the made-up device has. */
int multiprocessors(void);
/* How many such blocks a multiprocessor of the made-up device holds at once. */
int occupancy_blocks(int threads, size_t dynamic_shared_bytes);

#endif
