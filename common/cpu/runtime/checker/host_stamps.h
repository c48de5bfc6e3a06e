#ifndef CUCC_CHECKER_HOST_STAMPS_H
#define CUCC_CHECKER_HOST_STAMPS_H

#include "base/base.h"

struct op;

bool host_stamp_in_order(const struct op *op, uint32_t record);
void host_stamps_queued(void);
void host_stamps_all_waited(void);
extern bool host_has_work_in_flight, host_talks_to_kernels;
extern pthread_mutex_t stamps_lock;
uint32_t stamp_now(void);

#endif
