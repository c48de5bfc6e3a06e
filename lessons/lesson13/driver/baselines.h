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

/* By the kernels of multigpu.cu: four cells a thread in two rows, where rows are whole float4s. */
int one_device_call(const wb_case *c);

#ifdef __cplusplus
}
#endif
#endif
