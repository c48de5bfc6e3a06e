/* run/fingerprint.h: what a wrong function does with inputs that are the same in every run, so that a known
 * mistake can be recognised by it. */
#ifndef WB_FINGERPRINT_H
#define WB_FINGERPRINT_H

#include "run/runner.h"

/*
 * For a task whose answer is wrong, on the CPU backend or in a plain C lesson: calls it at each small size
 * that the task declares, in a new worker with a fixed number of threads, with inputs that need few bits, so
 * that sums are exact in any order. If all these answers are right, also at the larger size at which the task
 * was wrong. Fills in the result's `prints`. Nothing else of the result changes.
 */
void wb_fingerprint_run(wb_runner *runner);

#endif
