/*
 * baselines.h: the baselines of lesson13's functions: the same sweeps by one device. The harness's own code, not
 * the learner's. Each returns a CUDA status.
 */
#ifndef BASELINES_H
#define BASELINES_H

#include "wb.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One cell a thread, as in multigpu.cu. */
int one_device_call(const wb_case *c);

/* Four cells a thread, in two rows: lesson08's fastest kernel of one sweep. Needs rows of whole float4s. */
int best_call(const wb_case *c);

#ifdef __cplusplus
}
#endif
#endif
