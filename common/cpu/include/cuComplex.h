/*
 * CUDA's complex numbers, pairs of floats and of doubles, for C and C++. The quotient and the absolute value
 * are scaled, so that squares of large numbers do not overflow.
 */
#ifndef CU_COMPLEX_H_
#define CU_COMPLEX_H_

#include "vector_types.h"

#include <math.h>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#ifdef __CUDACC__
#define CUCC_COMPLEX static __host__ __device__ inline __attribute__((unused))
#else
#define CUCC_COMPLEX static inline __attribute__((unused))
#endif

CUCC_COMPLEX float cuCrealf(cuFloatComplex x) { return x.x; }
CUCC_COMPLEX float cuCimagf(cuFloatComplex x) { return x.y; }
CUCC_COMPLEX double cuCreal(cuDoubleComplex x) { return x.x; }
CUCC_COMPLEX double cuCimag(cuDoubleComplex x) { return x.y; }

CUCC_COMPLEX cuFloatComplex make_cuFloatComplex(float real, float imaginary) {
  cuFloatComplex result;
  result.x = real;
  result.y = imaginary;
  return result;
}
CUCC_COMPLEX cuDoubleComplex make_cuDoubleComplex(double real, double imaginary) {
  cuDoubleComplex result;
  result.x = real;
  result.y = imaginary;
  return result;
}
CUCC_COMPLEX cuComplex make_cuComplex(float real, float imaginary) {
  return make_cuFloatComplex(real, imaginary);
}

CUCC_COMPLEX cuFloatComplex cuConjf(cuFloatComplex x) { return make_cuFloatComplex(x.x, -x.y); }
CUCC_COMPLEX cuDoubleComplex cuConj(cuDoubleComplex x) { return make_cuDoubleComplex(x.x, -x.y); }

CUCC_COMPLEX cuFloatComplex cuCaddf(cuFloatComplex x, cuFloatComplex y) {
  return make_cuFloatComplex(x.x + y.x, x.y + y.y);
}
CUCC_COMPLEX cuDoubleComplex cuCadd(cuDoubleComplex x, cuDoubleComplex y) {
  return make_cuDoubleComplex(x.x + y.x, x.y + y.y);
}
CUCC_COMPLEX cuFloatComplex cuCsubf(cuFloatComplex x, cuFloatComplex y) {
  return make_cuFloatComplex(x.x - y.x, x.y - y.y);
}
CUCC_COMPLEX cuDoubleComplex cuCsub(cuDoubleComplex x, cuDoubleComplex y) {
  return make_cuDoubleComplex(x.x - y.x, x.y - y.y);
}
CUCC_COMPLEX cuFloatComplex cuCmulf(cuFloatComplex x, cuFloatComplex y) {
  return make_cuFloatComplex(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
}
CUCC_COMPLEX cuDoubleComplex cuCmul(cuDoubleComplex x, cuDoubleComplex y) {
  return make_cuDoubleComplex(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
}
CUCC_COMPLEX cuFloatComplex cuCdivf(cuFloatComplex x, cuFloatComplex y) {
  const float scale = 1.0f / (fabsf(y.x) + fabsf(y.y));
  const float a = x.x * scale, b = x.y * scale, c = y.x * scale, d = y.y * scale;
  const float inverse = 1.0f / (c * c + d * d);
  return make_cuFloatComplex((a * c + b * d) * inverse, (b * c - a * d) * inverse);
}
CUCC_COMPLEX cuDoubleComplex cuCdiv(cuDoubleComplex x, cuDoubleComplex y) {
  const double scale = 1.0 / (fabs(y.x) + fabs(y.y));
  const double a = x.x * scale, b = x.y * scale, c = y.x * scale, d = y.y * scale;
  const double inverse = 1.0 / (c * c + d * d);
  return make_cuDoubleComplex((a * c + b * d) * inverse, (b * c - a * d) * inverse);
}
CUCC_COMPLEX float cuCabsf(cuFloatComplex x) { return hypotf(x.x, x.y); }
CUCC_COMPLEX double cuCabs(cuDoubleComplex x) { return hypot(x.x, x.y); }

/* x * y + z */
CUCC_COMPLEX cuFloatComplex cuCfmaf(cuFloatComplex x, cuFloatComplex y, cuFloatComplex z) {
  return cuCaddf(cuCmulf(x, y), z);
}
CUCC_COMPLEX cuDoubleComplex cuCfma(cuDoubleComplex x, cuDoubleComplex y, cuDoubleComplex z) {
  return cuCadd(cuCmul(x, y), z);
}

CUCC_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x) {
  return make_cuDoubleComplex(x.x, x.y);
}
CUCC_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x) {
  return make_cuFloatComplex((float)x.x, (float)x.y);
}

#undef CUCC_COMPLEX
#endif
