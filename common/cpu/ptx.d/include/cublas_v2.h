/* cuBLAS's declarations for clang, which makes no code of the library: half precision has a size only. */
#ifndef PTX_CUBLAS_V2_H
#define PTX_CUBLAS_V2_H

#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__
struct __half {
  unsigned short bits;
};
#endif
#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__
struct __nv_bfloat16 {
  unsigned short bits;
};
#endif
#include_next "cublas_v2.h"

#endif
