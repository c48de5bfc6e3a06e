#ifndef CUCC_CHECKER_READ_ONLY_H
#define CUCC_CHECKER_READ_ONLY_H

#include "base/base.h"
#include "base/check.h"

struct op;

/* At the end of a launch: reports where it wrote what it had read by __ldg. */
CHECK(void read_only_judge(const struct op *op))

#endif
