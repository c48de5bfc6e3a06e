#ifndef CUCC_ENGINE_INJECTED_H
#define CUCC_ENGINE_INJECTED_H

#include "base/base.h"

/* The error with which this call fails on purpose; cudaSuccess: it does not. Counts the call. */
cudaError_t injected_error(const char *call);
/* At the end of a call that does its work and then fails on purpose: `own`, or if that is cudaSuccess that
 * error. */
cudaError_t late_error(cudaError_t own);
/* Whether this end of a group of NCCL calls fails on purpose (cucc_fail_groups). Counts it. */
bool injected_in_group(void);

#endif
