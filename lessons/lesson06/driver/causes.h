/* causes.h: names the mistake in a wrong result of lesson06, where its value shows it. */
#ifndef CAUSES_H
#define CAUSES_H

#include "baselines.h"
#include "wb.h"

/* A wrong maximum of integers or of floats; `want`: the right one. NULL where no known mistake gives it. */
const char *cause_of_integer(const wb_case *c, double want, double got);
const char *cause_of_float(const wb_case *c, double want, double got);

/* Counts that are right but for the bytes after the last whole vector, which were counted a few times more; v is
 * the first wrong one. Else NULL. */
const char *cause_of_rest_again(const wb_case *c, size_t v, double want, double got);

#endif
