/*
 * oracle.h: the expected results of lesson08: wb_task.expect of its tasks. Runs in the parent process, in
 * double, separate from the learner's code.
 */
#ifndef ORACLE_H
#define ORACLE_H

#include "jacobi.h"
#include "wb.h"
#include <stdbool.h>

wb_expected expect_sweep(const wb_case *c, int array, size_t i);
wb_expected expect_change(const wb_case *c, int array, size_t i);
wb_expected expect_solve(const wb_case *c, int array, size_t i);
wb_expected expect_solve_float(const wb_case *c, int array, size_t i);
wb_expected expect_sweeps(const wb_case *c, int array, size_t i);

/* Cell i of the plate one sweep before the end, of solve, solve_float and sweeps; *sweeps: their number. */
double oracle_before_last(const wb_case *c, bool of_sweeps, bool wide, size_t i, int *sweeps);

/* The number of sweeps of the case's problem if it ended by the rules of `stop`. */
int oracle_sweeps(const wb_case *c, bool wide, stopping stop);

/*
 * Sweeps in double on the host, from p until a condition of `stop` holds; `work` is room for a second plate.
 * Returns the one of the two that holds the result. *closest: the least distance between the change at any
 * check and the tolerance.
 */
double *oracle_solve(double *p, double *work, plate plate, stopping stop, outcome *reached, double *closest);

#endif
