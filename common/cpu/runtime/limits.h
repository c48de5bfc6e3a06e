/* Kernels that do not end, and kernels that fault: limits.c and faults.c, for pool.c and block.c. */
#ifndef CUCC_LIMITS_H
#define CUCC_LIMITS_H

#include "block.h"

/* Makes a detached thread of the runtime; stack_bytes 0: of the usual size. False: the system gives none. */
bool thread_start(size_t stack_bytes, void *(*run)(void *), void *argument);

/* Around a launch: it is watched. */
void limits_begin(struct launch *launch);
void limits_end(void);
/* The module with this instruction holds kernels. Calls must not overlap. */
void code_add_kernel(uintptr_t pc);
/* The instruction is a kernel's, not the runtime's or a library's: whoever is interrupted there holds no
 * lock. */
bool limits_in_kernel(uintptr_t pc);
/* It is of a hook that the compiler put in front of an access. Those hold no lock either. */
bool limits_in_hook(uintptr_t pc);
/* A worker was interrupted at an instruction: called by the signal's handler. */
void limits_interrupt(uintptr_t pc);

/* Installs the handlers of signals. */
void faults_start(void);
/* The calling worker's faults shall be handled on a stack of their own. */
void faults_worker_begins(struct worker *w);
void faults_worker_ends(const struct worker *w);
/* The running thread has faulted, and this is the worker's own stack: reports it. */
void faults_report(struct worker *w);

/* The running thread has little of its stack left, and is in no critical place: it ends here, at a return
 * address in the kernel. */
void faults_stack_is_full(uintptr_t site) __attribute__((noreturn));
#define STACK_RESERVE ((size_t)16 << 10) /* for the checker's own functions */

/* pool.c: interrupts all workers that run blocks; how many blocks have ended. */
void pool_interrupt(void);
uint64_t pool_progress(void);

#define FIBER_GUARD ((size_t)64 << 10) /* inaccessible, below each stack */

#endif
