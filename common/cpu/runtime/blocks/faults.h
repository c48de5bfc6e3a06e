#ifndef CUCC_BLOCKS_FAULTS_H
#define CUCC_BLOCKS_FAULTS_H

#include "base/base.h"
#include "base/fibers.h"

struct worker;

#define STACK_RESERVE ((size_t)16 << 10) /* for the checker's own functions */

#define PIECE  (FIBER_GUARD / 4) /* is opened at a time */
#define PIECES 3
/* The running thread divides an integer by zero, at this return address in the kernel. */
void faults_division(uintptr_t site);
/* The calling worker's faults shall be handled on a stack of their own. */
void faults_worker_begins(struct worker *w);
void faults_worker_ends(const struct worker *w);
/* The running thread has faulted, and this is the worker's own stack: reports it. */
void faults_report(struct worker *w);

/* The running thread has little of its stack left, and is in no critical place: it ends here, at a return
 * address in the kernel. */
void faults_stack_is_full(uintptr_t site) __attribute__((noreturn));
void faults_leave(void);

#endif
