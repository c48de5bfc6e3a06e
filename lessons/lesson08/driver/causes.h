/* causes.h: what is wrong with a value of lesson08, where it shows: wb_task.cause of the tasks. */
#ifndef CAUSES_H
#define CAUSES_H

#include "wb.h"

const char *cause_sweep(const wb_case *c, int array, size_t i, double got);
const char *cause_change(const wb_case *c, int array, size_t i, double got);
const char *cause_solve(const wb_case *c, int array, size_t i, double got);
const char *cause_solve_float(const wb_case *c, int array, size_t i, double got);
const char *cause_sweeps(const wb_case *c, int array, size_t i, double got);

#endif
