/*
 * baselines.h: the baselines of lesson06's functions: CUB, NVIDIA's library of such kernels, which comes with
 * the toolkit. Times are measured on a GPU only; the CPU backend has no CUB, and there these functions return
 * cudaErrorNotSupported.
 */
#ifndef BASELINES_H
#define BASELINES_H

#include "wb.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Indices of a case's arrays and sizes, for all tasks of this lesson: the driver's tables use this order. */
enum { D_X, D_RESULT, D_WORK };
enum { N, VALUES };

/* The same result for the same array with cub::DeviceReduce::Max, cub::DeviceHistogram::HistogramEven and
 * cub::DeviceReduce::Sum. The first call, a warm-up, allocates their temporary memory. They return a CUDA
 * status. */
int cub_maximum_of_integers_call(const wb_case *c);
int cub_maximum_call(const wb_case *c);
int cub_histogram_call(const wb_case *c);
int cub_sum_call(const wb_case *c);

#ifdef __cplusplus
}
#endif
#endif
