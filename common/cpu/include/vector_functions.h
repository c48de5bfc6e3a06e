/* make_float4(x, y, z, w) and its relatives, for C and C++. */
#ifndef __VECTOR_FUNCTIONS_H__
#define __VECTOR_FUNCTIONS_H__
#include "vector_types.h"

/* clang keeps a structure of 3 or 6 bytes that a function returns in a register of as many, whose store it
 * does not show to the checker; by Microsoft's rules such a structure is returned in memory. */
#if defined __clang__ && defined __x86_64__
#define CUCC_IN_MEMORY __attribute__((ms_abi))
#else
#define CUCC_IN_MEMORY
#endif

#define CUCC_MAKE(NAME, TYPE)                                                                                \
  static inline NAME##1 make_##NAME##1(TYPE x) {                                                             \
    NAME##1 v = {x};                                                                                         \
    return v;                                                                                                \
  }                                                                                                          \
  static inline NAME##2 make_##NAME##2(TYPE x, TYPE y) {                                                     \
    NAME##2 v = {x, y};                                                                                      \
    return v;                                                                                                \
  }                                                                                                          \
  CUCC_IN_MEMORY static inline NAME##3 make_##NAME##3(TYPE x, TYPE y, TYPE z) {                              \
    NAME##3 v = {x, y, z};                                                                                   \
    return v;                                                                                                \
  }                                                                                                          \
  static inline NAME##4 make_##NAME##4(TYPE x, TYPE y, TYPE z, TYPE w) {                                     \
    NAME##4 v = {x, y, z, w};                                                                                \
    return v;                                                                                                \
  }

CUCC_MAKE(char, signed char)
CUCC_MAKE(uchar, unsigned char)
CUCC_MAKE(short, short)
CUCC_MAKE(ushort, unsigned short)
CUCC_MAKE(int, int)
CUCC_MAKE(uint, unsigned int)
CUCC_MAKE(long, long int)
CUCC_MAKE(ulong, unsigned long int)
CUCC_MAKE(longlong, long long int)
CUCC_MAKE(ulonglong, unsigned long long int)
CUCC_MAKE(float, float)
CUCC_MAKE(double, double)
#undef CUCC_MAKE
#undef CUCC_IN_MEMORY

#endif
