/*
 * worker/sandbox.h: keeps a worker, which runs the learner's code, away from the process that judges it,
 * from files and from other processes. grader/SECURITY.md says what each part of the sandbox is for, and
 * what the sandbox does not prevent.
 */
#ifndef WB_SANDBOX_H
#define WB_SANDBOX_H

#include <stdbool.h>

/* For the process that judges: no other process may read its memory or stop it as a debugger does. */
void wb_sandbox_protect_parent(void);

/* For a worker, as its first step: gives up root's privileges, so that it has no access to the parent. */
void wb_sandbox_drop_privileges(void);

/*
 * For a worker, when the device is open (which may need more system calls than a lesson) and before it
 * runs the learner's code: the kernel refuses the system calls that no lesson needs, for all threads.
 * Returns false where the system can't do that; the worker goes on, since the rest of the sandbox works.
 */
bool wb_sandbox_enter(void);

/* Overwrites what earlier calls left on this process's stack below the caller. */
void wb_forget_stack(void);

#endif
