/* baselines.h: what lesson12's answers are compared with on a GPU. */
#ifndef BASELINES_H
#define BASELINES_H

#include "wb.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Horner's rule by a kernel that nvcc compiled: degree and coefficients are known at run time only. The case is
 * that of write_polynomial. */
int loop_call(const wb_case *c);

/* Launches an empty kernel; returns the launch's error. */
int launch_nothing(void);

/* As many such launches as the case has requests, and the wait for them. */
int launches_call(const wb_case *c);

#ifdef __cplusplus
}
#endif
#endif
