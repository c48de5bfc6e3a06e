/*
 * oracle.h: what is right in lesson08: wb_task.expect of its tasks. Runs in the parent, in double; never sees
 * the learner's code.
 */
#ifndef ORACLE_H
#define ORACLE_H

#include "jacobi.h"
#include "wb.h"

wb_expected expect_sweep(const wb_case *c, int array, size_t i);
wb_expected expect_change(const wb_case *c, int array, size_t i);
wb_expected expect_solve(const wb_case *c, int array, size_t i);
wb_expected expect_solve_float(const wb_case *c, int array, size_t i);
wb_expected expect_sweeps(const wb_case *c, int array, size_t i);

/*
 * Sweeps in double on the host, from p until `stop` says so; `work` is room for a second plate. Returns which
 * of both holds the result. *closest: the least distance of any check's change from the tolerance.
 */
double *oracle_solve(double *p, double *work, plate plate, stopping stop, outcome *reached, double *closest);

#endif
