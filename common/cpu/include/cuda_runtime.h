/*
 * What every .cu file sees first: the runtime's calls and, in C++, the language that kernels are written in.
 *
 *   cuda_runtime_api.h   functions of the host (also for C)
 *   cucc/kernel.h        __global__, threadIdx, __shared__, barriers
 *   cucc/warp.h          warp functions
 *   cucc/atomic.h        atomicAdd and the others
 *   cucc/convert.h       conversions and arithmetic with a rounding mode
 *   cucc/integer.h       bits, parts of registers
 *   cucc/math.h          mathematical functions
 *   cucc/access.h        loads and stores with hints, clocks
 *   cucc/launch.h        what cucc makes of <<< >>>
 *   cucc/symbol.h        what cucc makes of variables of the device
 *
 * These headers are on the way of every compile, so they include little: no <iostream>, <functional> or
 * <vector>.
 */
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__

/* The C library is not instrumented: these four are checked by the runtime, then called. */
#if CUCC_CHECKED
#pragma redefine_extname memcpy cucc_memcpy
#pragma redefine_extname memmove cucc_memmove
#pragma redefine_extname memset cucc_memset
#pragma redefine_extname malloc cucc_malloc /* in a kernel, from the heap of the device */
#pragma redefine_extname calloc cucc_calloc
#pragma redefine_extname realloc cucc_realloc
#pragma redefine_extname free cucc_free
/* What these read and write through a pointer is judged (runtime/hooks/library.c). */
#pragma redefine_extname modf cucc_modf
#pragma redefine_extname modff cucc_modff
#pragma redefine_extname frexp cucc_frexp
#pragma redefine_extname frexpf cucc_frexpf
#pragma redefine_extname strtod cucc_strtod
#pragma redefine_extname strtof cucc_strtof
#pragma redefine_extname strtol cucc_strtol
#pragma redefine_extname strtoul cucc_strtoul
#pragma redefine_extname strtoll cucc_strtoll
#pragma redefine_extname strtoull cucc_strtoull
#pragma redefine_extname strcpy cucc_strcpy
#pragma redefine_extname strncpy cucc_strncpy
#pragma redefine_extname strcat cucc_strcat
#pragma redefine_extname strncat cucc_strncat
#pragma redefine_extname printf cucc_printf
#pragma redefine_extname fprintf cucc_fprintf
#pragma redefine_extname vprintf cucc_vprintf
#pragma redefine_extname vfprintf cucc_vfprintf
#pragma redefine_extname snprintf cucc_snprintf
#pragma redefine_extname vsnprintf cucc_vsnprintf
#pragma redefine_extname qsort cucc_qsort
#pragma redefine_extname sincos cucc_sincos
#pragma redefine_extname sincosf cucc_sincosf
#pragma redefine_extname memcmp cucc_memcmp
#pragma redefine_extname strlen cucc_strlen
#pragma redefine_extname strcmp cucc_strcmp
#pragma redefine_extname strncmp cucc_strncmp
#pragma redefine_extname atoi cucc_atoi
#pragma redefine_extname atol cucc_atol
#pragma redefine_extname atof cucc_atof
#pragma redefine_extname puts cucc_puts
#pragma redefine_extname fputs cucc_fputs
#pragma redefine_extname fwrite cucc_fwrite
#pragma redefine_extname time cucc_time
#pragma redefine_extname clock_gettime cucc_clock_gettime
#pragma redefine_extname clock_getres cucc_clock_getres
#pragma redefine_extname timespec_get cucc_timespec_get
#pragma redefine_extname gettimeofday cucc_gettimeofday
#pragma redefine_extname posix_memalign cucc_posix_memalign
#include "cucc/library.h"
#endif
#define CUCC_WITHOUT_SPECIAL_FUNCTIONS /* cmath */
#ifdef __cplusplus
#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>
#endif
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#undef CUCC_WITHOUT_SPECIAL_FUNCTIONS

#include "cuda_runtime_api.h"
#include "vector_functions.h"

#ifdef __CUDACC__ /* of nvcc, beside __CUDACC__ and __NVCC__ */
#define __CUDACC_VER_MAJOR__ (CUDART_VERSION / 1000)
#define __CUDACC_VER_MINOR__ (CUDART_VERSION % 1000 / 10)
#define __CUDACC_VER_BUILD__ 0
#define __CUDA_ARCH_LIST__   800
#endif

/* The toolkit has a header for each of these, whose guards programs ask for. */
#define __BUILTIN_TYPES_H__
#define __COMMON_FUNCTIONS_H__
#define __CUDA_DEVICE_RUNTIME_API_H__
#define __DEVICE_ATOMIC_FUNCTIONS_H__
#define __DEVICE_FUNCTIONS_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__
#define __DEVICE_TYPES_H__
#define __DRIVER_FUNCTIONS_H__
#define __HOST_CONFIG_H__
#define __HOST_DEFINES_H__
#define __MATH_FUNCTIONS_H__

#ifdef __cplusplus
#include "cucc/kernel.h"
#include "cucc/warp.h"
#include "cucc/atomic.h"
#include "cucc/nv_atomic.h"
#include "cucc/convert.h"
#include "cucc/integer.h"
#include "cucc/math.h"
#include "cucc/access.h"
#include "cucc/launch.h"
#include "cucc/host.h"
#include "cucc/occupancy.h"
#include "cucc/symbol.h"
#endif

#endif
