/* baselines.h: what the tasks are timed with (trusted code of the harness; runs only when a time is measured). */
#ifndef BASELINES_H
#define BASELINES_H

#include "wb.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The products of a task alone, by cuBLAS: without biases, without max(0, ...), without anything else. */
int forward_products(const wb_case *c);
int backward_products(const wb_case *c);
int train_products(const wb_case *c); /* of all steps: those that a graph of products would repeat */

/* The steps of train as a framework without fusing makes them: a kernel for each operation, each launched by the
 * host. */
int train_unfused(const wb_case *c);

#ifdef __cplusplus
}
#endif
#endif
