/* model/cause_terms.c: see model/cause_terms.h. */
#include "model/cause_terms.h"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#define MOST_TERMS 1024 /* of more some sum agrees by chance */
#define FEW        4    /* terms at an end */
#define PART       8    /* a part of many terms has a multiple of so many */

/* Whether sums may be cut after so many terms. */
static bool cut(size_t terms, size_t count) {
  return terms > 0 && terms < count && (terms <= FEW || count - terms <= FEW || terms % PART == 0);
}

/* "the last 3 are" */
static const char *rest_of(const char *which, size_t rest, char *words, size_t size) {
  if (rest == 1)
    snprintf(words, size, "the %s one is", which);
  else
    snprintf(words, size, "the %s %zu are", which, rest);
  return words;
}

static const char *first_terms(size_t terms, size_t count) {
  static _Thread_local char text[120];
  char rest[40];
  snprintf(text, sizeof text, "it is the sum of the first %zu of %zu terms: %s left out", terms, count,
           rest_of("last", count - terms, rest, sizeof rest));
  return text;
}

static const char *last_terms(size_t terms, size_t count) {
  static _Thread_local char text[160];
  char rest[40];
  snprintf(text, sizeof text,
           "it is the sum of the last %zu of %zu terms: %s left out, or overwritten, as by = instead of +=",
           terms, count, rest_of("first", count - terms, rest, sizeof rest));
  return text;
}

const char *wb_cause_of_terms(const wb_case *c, size_t i, wb_term *term, size_t count, double got,
                              double epsilon) {
  double all = 0, magnitude = 0, sum = 0;
  if (count < 2 || count > MOST_TERMS) return NULL;
  for (size_t p = 0; p < count; p++) all += term(c, i, p), magnitude += fabs(term(c, i, p));
  const double near = sqrt((double)count) * epsilon * magnitude;
  if (!(fabs(all - got) > 8 * near)) return NULL;
  for (size_t p = 0; p < count; p++) {
    if (cut(p, count) && fabs(sum - got) <= near) return first_terms(p, count);
    if (cut(p, count) && fabs(all - sum - got) <= near) return last_terms(count - p, count);
    sum += term(c, i, p);
  }
  return NULL;
}
