/* modules.h: lesson12's tasks 1 and 2, whose texts are compiled and launched: functions for the table of tasks. */
#ifndef MODULES_H
#define MODULES_H

#include "wb.h"

/* ---- Task 1: a text, compiled and launched ---- */

size_t count_text_n(const wb_case *c);
size_t count_text_seen(const wb_case *c);
int text_must_fail(const wb_case *c);
int call_text(const wb_case *c);
wb_expected expect_text(const wb_case *c, int array, size_t i);
const char *cause_text(const wb_case *c, int array, size_t i, double got);

/* ---- Task 2: a polynomial ---- */

#define TIMED_POINTS (1 << 24)
#define TIMED_DEGREE 64
#define EIGHT_DIGITS 9 /* a degree whose coefficients have more than eight */

size_t count_coefficients(const wb_case *c);
size_t count_points(const wb_case *c);
size_t count_poly_seen(const wb_case *c);
int shape_coefficients(const wb_case *c, int array, void *values);
int call_polynomial(const wb_case *c);
wb_expected expect_polynomial(const wb_case *c, int array, size_t i);
const char *cause_polynomial(const wb_case *c, int array, size_t i, double got);
double flops_polynomial(const wb_case *c);
double bytes_polynomial(const wb_case *c);

#endif
