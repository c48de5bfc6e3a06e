/* causes.h: what usually leads to a wrong result of lesson09, for the grader's messages. Each function is a
 * wb_task.cause: it looks at the input x[i] and at the wrong result, and compares it with what common mistakes
 * give. */
#ifndef CAUSES_H
#define CAUSES_H

#include "wb.h"

const char *sin_float_cause(const wb_case *c, int array, size_t i, double got);
const char *sin_double_cause(const wb_case *c, int array, size_t i, double got);
const char *selu_cause(const wb_case *c, int array, size_t i, double got);
const char *chain_cause(const wb_case *c, int array, size_t i, double got);
const char *fast_sin_cause(const wb_case *c, int array, size_t i, double got);
const char *crossing_cause(const wb_case *c, int array, size_t i, double got);

#endif
