/* The arithmetic of tensor cores, as measured on an H200. */
#ifndef CUCC_BASE_TENSOR_H
#define CUCC_BASE_TENSOR_H

#include <stddef.h>
#include <stdint.h>

/* A factor: value = significand * 2^(exponent - 10), the significand of 11 bits with a sign, or 0. */
struct tensor_factor {
  float value;
  int32_t significand, exponent;
};

/* A value that has at most 11 significant bits: half, bfloat16, TF32. */
struct tensor_factor tensor_factor(float value);
/* TF32 by dropping bits, as an instruction does, and by rounding to the nearest, halves to even, as cuBLAS
 * does. */
float tensor_tf32_cut(float value);
float tensor_tf32_rounded(float value);
/* start + the sum of a[i * step_a] * b[i * step_b] for i < count, as one group: each product and `start` (a
 * float's value) is cut off two bits below the last bit of a float that has the largest exponent among them;
 * a product's exponent is the sum of its factors'. */
double tensor_add(const struct tensor_factor *a, size_t step_a, const struct tensor_factor *b, size_t step_b,
                  int count, float start);
/* To a float, towards zero: what follows each group. */
float tensor_cut(double value);

#endif
