/*
 * worker/sandbox.h: what keeps a worker, which runs the learner's code, from reaching the process that judges it,
 * the files, and other processes. grader/SECURITY.md says what each wall is for and what none of them holds.
 */
#ifndef WB_SANDBOX_H
#define WB_SANDBOX_H

#include <stdbool.h>

/* For the process that judges: nobody may look into its memory or stop it as a debugger does. */
void wb_sandbox_protect_parent(void);

/* For a worker, first thing: gives up what root may do, so that the parent is closed to it. */
void wb_sandbox_drop_privileges(void);

/*
 * For a worker, once the device is open (which may take more than a lesson does) and before it runs anything
 * of the learner's: the kernel refuses the calls that no lesson has a use for, to all threads. Returns false
 * where it can't; the worker goes on then, since the other walls stand.
 */
bool wb_sandbox_enter(void);

/* Overwrites what earlier calls left on this process's stack below the caller. */
void wb_forget_stack(void);

#endif
