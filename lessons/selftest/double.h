/*
 * The exercise of the self-test (./bootstrap --selftest). It shows that this machine builds, runs and grades; it is
 * no lesson. d_ is device memory.
 */
#ifndef DOUBLE_H
#define DOUBLE_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* d_x[i] = 2 * d_x[i] for n floats. Returns cudaSuccess, or the first CUDA error. For n = 0 nothing happens. */
cudaError_t double_array(int n, float *d_x);

#ifdef __cplusplus
}
#endif
#endif
