/* CUDA's vector types (float4, int2, …), uint3 and dim3, for C and C++: same names, sizes and alignments as
 * the toolkit's, so that arrays of them look the same to host and kernel. */
#ifndef __VECTOR_TYPES_H__
#define __VECTOR_TYPES_H__

#define CUCC_ALIGNED(n) __attribute__((aligned(n)))

/* One family: NAME1 … NAME4 of TYPE. The 2- and 4-vectors are aligned to their size (at most 16 bytes), as on
 * the device, where one instruction loads them whole. */
#define CUCC_VECTOR(NAME, TYPE, ALIGN2, ALIGN4)                                                              \
  struct NAME##1 {                                                                                           \
    TYPE x;                                                                                                  \
  };                                                                                                         \
  struct CUCC_ALIGNED(ALIGN2) NAME##2 {                                                                      \
    TYPE x, y;                                                                                               \
  };                                                                                                         \
  struct NAME##3 {                                                                                           \
    TYPE x, y, z;                                                                                            \
  };                                                                                                         \
  struct CUCC_ALIGNED(ALIGN4) NAME##4 {                                                                      \
    TYPE x, y, z, w;                                                                                         \
  };                                                                                                         \
  typedef struct NAME##1 NAME##1;                                                                            \
  typedef struct NAME##2 NAME##2;                                                                            \
  typedef struct NAME##3 NAME##3;                                                                            \
  typedef struct NAME##4 NAME##4

CUCC_VECTOR(char, signed char, 2, 4);
CUCC_VECTOR(uchar, unsigned char, 2, 4);
CUCC_VECTOR(short, short, 4, 8);
CUCC_VECTOR(ushort, unsigned short, 4, 8);
CUCC_VECTOR(int, int, 8, 16);
CUCC_VECTOR(uint, unsigned int, 8, 16);
CUCC_VECTOR(long, long int, 16, 16);
CUCC_VECTOR(ulong, unsigned long int, 16, 16);
CUCC_VECTOR(longlong, long long int, 16, 16);
CUCC_VECTOR(ulonglong, unsigned long long int, 16, 16);
CUCC_VECTOR(float, float, 8, 16);
CUCC_VECTOR(double, double, 16, 16);
#undef CUCC_VECTOR

/* The shape of a grid or a block: what is not given is 1. */
struct dim3 {
  unsigned int x, y, z;
#ifdef __cplusplus
  constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1) : x(x_), y(y_), z(z_) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
};
typedef struct dim3 dim3;

#endif
