/* causes.h: what is wrong with a value of lesson13, where it shows: wb_task.cause of the tasks. */
#ifndef CAUSES_H
#define CAUSES_H

#include "wb.h"

const char *cause_sweeps(const wb_case *c, int array, size_t i, double got);
const char *cause_rank(const wb_case *c, int array, size_t i, double got);
/* Why a check was needed whose change was never written. */
const char *cause_of_no_change(const wb_case *c, int array, size_t i);
const char *cause_solve(const wb_case *c, int array, size_t i, double got);

#endif
