/* Half precision for clang, which makes no code of it here: a size, for the headers that bring it along. */
#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__

struct __half {
  unsigned short bits;
};
struct __half2 {
  __half x, y;
};
typedef __half half;
typedef __half2 half2;

#endif
