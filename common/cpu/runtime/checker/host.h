#ifndef CUCC_CHECKER_HOST_H
#define CUCC_CHECKER_HOST_H

#include "base/base.h"
#include "base/check.h"

struct op;

/* An operation was queued; the host has waited for something more. With cucc.lock held. */
CHECK(void check_queued(const struct op *op))
CHECK(void check_host_waited(void))
CHECK(void check_callback(const struct op *op))

void host_access(uintptr_t address, size_t size, unsigned access, uintptr_t pc);

#endif
