/*
 * baselines.h: what lesson06's functions are timed against: CUB, NVIDIA's library of such kernels, which
 * comes with the toolkit. Times are taken on a GPU only; the CPU backend has no CUB, and there these return
 * cudaErrorNotSupported.
 */
#ifndef BASELINES_H
#define BASELINES_H

#include "wb.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where a case's arrays and sizes are, for all tasks of this lesson: the driver's tables keep to it. */
enum { D_X, D_RESULT, D_WORK };
enum { N, VALUES };

/* The same result of the same array by cub::DeviceReduce::Max, cub::DeviceHistogram::HistogramEven and
 * cub::DeviceReduce::Sum. Their temporary memory is allocated by the first call, a warm-up. Return a CUDA
 * status. */
int cub_maximum_of_integers_call(const wb_case *c);
int cub_maximum_call(const wb_case *c);
int cub_histogram_call(const wb_case *c);
int cub_sum_call(const wb_case *c);

#ifdef __cplusplus
}
#endif
#endif
