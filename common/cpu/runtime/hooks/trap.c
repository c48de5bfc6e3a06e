/*
 * Kernels that stop themselves: a failed assert, __trap, __brkpt, more threads than __launch_bounds__ allows.
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
void cucc_launch_bounds(unsigned most);
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

/* A GPU refuses such a launch. Here the kernel itself finds out, when it begins. */
void cucc_launch_bounds(unsigned most) {
  const uint3 b = cucc_self.block_dim;
  char what[120];
  snprintf(what, sizeof what, "is one of %u in its block, and the kernel has __launch_bounds__(%u)",
           b.x * b.y * b.z, most);
  report(what, "a GPU refuses such a launch with error 1: give the bounds of the largest block, or none",
         CALLER);
  launch_stop(cucc_worker->launch, cudaErrorInvalidValue);
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
