/*
 * Kernels that stop themselves: a failed assert, __trap, __brkpt.
 *
 * The C library's <assert.h> calls __assert_fail; this one stands in for it, in kernels and on the host. No
 * further block starts after either, the running thread ends, and the next synchronisation returns the error.
 */
#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/options.h"
#include "state/worker.h"
#include "checker/findings.h"
#include "blocks/block.h"
#include "blocks/grid.h"

void __trap(void) __attribute__((noreturn));
void __brkpt(void);
void __assert_fail(const char *condition, const char *file, unsigned line, const char *function)
    __attribute__((noreturn));

static void report(const char *what, const char *cause, uintptr_t site) {
  if (!checking(TOOL_MEM) || finding_repeats(TOOL_MEM, false, site, cucc_worker->launch)) return;
  struct finding f = finding_here(TOOL_MEM, site);
  snprintf(f.sentence, sizeof f.sentence, "thread (%u,%u,%u) of block (%u,%u,%u) %s", f.thread.x, f.thread.y,
           f.thread.z, f.block.x, f.block.y, f.block.z, what);
  f.cause = cause;
  finding_add(&f);
}

void __trap(void) {
  report("executes __trap, which ends the kernel with error 719", "the kernel itself found something wrong",
         CALLER);
  launch_stop(cucc_worker->launch, cudaErrorLaunchFailure);
  block_abandon(cucc_worker);
}

/* Stops in the debugger, if there is one. */
void __brkpt(void) { raise(SIGTRAP); }

/* In a kernel the message is CUDA's, word for word; on the host it is the C library's. */
void __assert_fail(const char *condition, const char *file, unsigned line, const char *function) {
  if (!cucc_worker) {
    fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, condition);
    abort();
  }
  const uint3 b = cucc_self.block_idx, t = cucc_self.thread_idx;
  char what[200];
  fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file, line,
          function, b.x, b.y, b.z, t.x, t.y, t.z, condition);
  snprintf(what, sizeof what, "fails the assertion `%s`", condition);
  report(what, "a value that the kernel does not expect; the kernel ends with error 710", CALLER);
  launch_stop(cucc_worker->launch, cudaErrorAssert);
  block_abandon(cucc_worker);
}
