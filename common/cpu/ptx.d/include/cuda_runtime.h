/*
 * What clang sees before a .cu file when it makes PTX without a toolkit (common/cpu/ptx): the language of
 * kernels. Types and the calls of the host come from the CPU backend's headers. Mathematical functions and
 * intrinsics come with clang: they call those of NVIDIA's libdevice, and without that library they stay calls.
 */
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__

#define __host__               __attribute__((host))
#define __device__             __attribute__((device))
#define __global__             __attribute__((global))
#define __shared__             __attribute__((shared))
#define __constant__           __attribute__((constant))
#define __managed__            __attribute__((managed))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__    __attribute__((noinline))
#define __align__(n)    __attribute__((aligned(n)))
#define __CUDACC__      1
#define __NVCC__        1

#define CUDA_VERSION 11000 /* asked for by clang's header of declarations */
#include <__clang_cuda_math_forward_declares.h>
#undef CUDA_VERSION
#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <math.h>
#include <stdlib.h>
#include <utility>

#pragma clang force_cuda_host_device begin
#include "vector_functions.h"
#pragma clang force_cuda_host_device end
#include "cuda_runtime_api.h"

#include "cucc/host.h"
#include "cucc/occupancy.h"
#include "host_calls.h"

typedef unsigned int cuuint32_t; /* of <cuda.h> */
/* What is inlined from clang's headers gets the place of the call: the learner's line. */
#pragma push_macro("__inline__")
#define __inline__ __inline__ __attribute__((nodebug))
#include <__clang_cuda_builtin_vars.h>
#include <__clang_cuda_libdevice_declares.h>
#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>
#include <__clang_cuda_cmath.h>
#include <__clang_cuda_intrinsics.h>
#include "device_calls.h"
#pragma pop_macro("__inline__")

#endif
