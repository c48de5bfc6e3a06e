/* baselines.h: the harness's own products, and what all files of lesson11's driver share. */
#ifndef BASELINES_H
#define BASELINES_H

#include "wb.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Indices of a case's arrays, for all tasks of this lesson. */
enum { D_A, D_B, D_C, SETTINGS, D_WORK };
/* Sizes: those of gemm, then what takes PAD's place in gemm_batch and gemm_to. */
enum { M, N, K, PAD, BATCH = PAD, BITS = PAD };
/* Sizes of time_gemm; and its arrays of results, after D_C. */
enum { SIDE, CALLS, TIMES = SETTINGS, MISSING, IGNORED };
/* The array of gemm_tensor after D_C. */
enum { UNCHANGED = SETTINGS };

/* From one product of a batch to the next, in floats. Vectors (n = 1) share one matrix; an odd number of
 * products has gaps between them, and products of FAR_ROWS rows have gaps that no int can count. */
#define FAR_ROWS  70001
#define FAR_APART (((long long)65 << 25) + 11)
typedef struct batch_strides {
  long long a, b, c;
} batch_strides;
batch_strides strides_of(const wb_size *size);

/* cuBLAS in the default stream, with a handle that is made at the first call: in float, with TF32 inputs, the
 * products of a batch in one call, one after the other; and three TF32 products of split numbers, summed in
 * chunks of 512 terms. */
int fp32_call(const wb_case *c);
int tf32_call(const wb_case *c);
int strided_call(const wb_case *c);
int loop_call(const wb_case *c);
int chunks_call(const wb_case *c);

#ifdef __cplusplus
}
#endif
#endif
