/* oracle.h: the right values of lesson13, and the causes of wrong ones. One plate on the host, in float, with the
 * additions in the order of multigpu.h: so the right answer has the same bits. */
#ifndef ORACLE_H
#define ORACLE_H

#include "problem.h"

wb_expected expect_sweeps(const wb_case *c, int array, size_t i);
wb_expected expect_solve(const wb_case *c, int array, size_t i);

const char *cause_sweeps(const wb_case *c, int array, size_t i, double got);
const char *cause_rank(const wb_case *c, int array, size_t i, double got);
const char *cause_solve(const wb_case *c, int array, size_t i, double got);

#endif
