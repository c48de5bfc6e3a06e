/*
 * The CUDA runtime's functions as the CPU backend has them, for C and C++.
 *
 * Signatures are the toolkit's; what each does is in NVIDIA's manual, and what differs here is in
 * common/cpu/README.md. A call that is missing here is missing from the backend: the compiler says so.
 */
#ifndef __CUDA_RUNTIME_API_H__
#define __CUDA_RUNTIME_API_H__

#include "driver_types.h"
#include "vector_types.h"

#define CUDART_VERSION 13000
#define CUDA_VERSION   13000
#define CUDART_CB
#define __CUDART_API_VERSION CUDART_VERSION

#ifdef __cplusplus
extern "C" {
#define CUCC_DEFAULT(value) = value
#else
#define CUCC_DEFAULT(value)
#endif

#include "cucc/api_device.h"
#include "cucc/api_kernel.h"
#include "cucc/api_occupancy.h"
#include "cucc/api_memory.h"
#include "cucc/api_stream.h"
#include "cucc/api_graph.h"

#ifdef __cplusplus
}
#endif

#include "cucc/earlier.h"

#endif
