/* Programs that draw their numbers in kernels often include this as well as curand_kernel.h. The host's
 * library is not in the CPU backend: its functions are named as missing. */
#ifndef CUCC_CURAND_H
#define CUCC_CURAND_H

#include "cuda_runtime.h"

#endif
