/* run/dependence.h: which inputs does a wrong element depend on, and on which must it? */
#ifndef WB_DEPENDENCE_H
#define WB_DEPENDENCE_H

#include "run/runner.h"

/*
 * Changes elements of the inputs, calls the function, and looks whether the first wrong element changes;
 * the task's `expect` says whether it must. Adds a line where it depends on an element on which it must not, or
 * the other way round. The runner has the case in place; its inputs are as before when this returns. At most
 * 130 calls, of cases with at most 8192 elements.
 */
void wb_dependence(wb_runner *runner, const wb_verdict *wrong, wb_text *text);

#endif
