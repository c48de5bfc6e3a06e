/* causes.c: see causes.h. */
#include "causes.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* What C holds before a call at small sizes: bytes of 0x3F (main.c). */
#define OLD 0.747058808803558349609375

static bool near(const wrong *w, double value) { return fabs(w->got - value) <= w->tolerance; }

/* A sum in which the inputs are rounded to TF32. */
static double tf32_sum(const oracle_product *p, size_t row, size_t column) {
  double sum = 0;
  for (size_t t = 0; t < p->k; t++) {
    float f[2] = {p->a[row * p->lda + t], p->b[t * p->ldb + column]};
    for (int i = 0; i < 2; i++) {
      uint32_t bits;
      memcpy(&bits, &f[i], sizeof bits);
      bits = (bits + 0xfff + (bits >> 13 & 1)) & ~0x1fffu;
      memcpy(&f[i], &bits, sizeof bits);
    }
    sum += (double)f[0] * f[1];
  }
  return sum;
}

const char *cause_of_element(const wrong *w) {
  const oracle_product *p = w->p;
  if (near(w, w->right + OLD)) return "it is A * B plus what C held before: beta must be 0";
  if (p->k == 0) return "with k = 0 the sum has no terms, so the element is 0";
  const double tf32 = tf32_sum(p, w->row, w->column);
  if (fabs(tf32 - w->right) > w->tolerance &&
      fabs(w->got - tf32) <= fmax(w->tolerance, fabs(w->right) * 1e-5))
    return "it is what TF32 inputs give: the bound asks for more bits of A and B";
  const oracle_product turned = {p->b, p->a, p->m, p->n, p->k, p->n, p->k, 0};
  if (p->m == p->n && p->n == p->k && near(w, oracle_element(&turned, w->row, w->column).sum))
    return "it is B * A: exchange the two matrices";
  if (w->right > 0 && w->got < w->right && w->got > w->right * 0.999)
    return "the sum is too small by a little: a tensor core cuts off what does not fit while it adds, the "
           "more "
           "often the longer the sum";
  return NULL;
}

const char *cause_of_time(int which, double ratio, int calls) {
  if (isnan(ratio)) return which ? "h_ms[1] was not written" : "h_ms[0] was not written";
  if (fabs(ratio - 1e-3) < 2e-4) return "the time is in seconds: milliseconds are asked for";
  if (ratio < 1)
    return which ? "the product takes longer: its work was not done yet when the clock was read"
                 : "the first call takes longer: its work was not done yet when the clock was read, or it "
                   "was not "
                   "the first";
  if (which && calls > 1 && fabs(ratio / calls - 1) < 0.15)
    return "it is the time of all calls together: divide it by their number";
  return which ? "more than the warm calls was timed: the first call's work, or more"
               : "more than the first call was timed";
}

const char *cause_of_settings(double got) {
  if (got == MATH_MODE * 0x01010101u)
    return "the handle has another math mode than before: set it back, for other "
           "calls use the handle, too";
  return got == POINTER_MODE * 0x01010101u ? "the handle has another pointer mode than before" : NULL;
}
