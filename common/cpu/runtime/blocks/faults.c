/*
 * Faults of kernels: an access where there is no memory, a stack that is full, a division by zero. On a GPU
 * they end the kernel, not the program; so the thread is taken off its fiber, the launch gets its error, and
 * the program goes on. A fault of the host's own code is not changed: the handler that was installed before
 * gets it, or the system's default, which writes a core dump.
 *
 * The handler of SIGSEGV and SIGBUS runs on a stack of its own, as the fiber's may be full. It only notes
 * what happened and has the interrupted context go on in faults_leave(), which goes to the worker's own
 * stack; there the report is made (block.c). When the fault is in the runtime or in a library, called by the
 * kernel, a lock may be held: then a piece of the guard is opened so that a full stack suffices until the
 * call returns; any other fault there is the program's end.
 *
 * Integer division by zero is no fault on a GPU: the result is unspecified, on today's devices all ones, and
 * the remainder is the dividend. The handler gives those and skips the instruction; the checked build reports
 * it. aarch64 has no such fault, its quotient is 0: there the compiler asks before each division
 * (hooks/bounds.c), in the checked build only.
 */
#include "blocks/faults.h"

#include <stdio.h>
#include <sys/mman.h>

#include "base/options.h"
#include "base/switch.h"
#include "state/launch_record.h"
#include "state/sanitize.h"
#include "state/worker.h"
#include "checker/findings.h"

/* ------------------------------------------------------------------ handlers */

void faults_leave(void) {
  struct worker *const w = cucc_worker;
  struct context nowhere;
  stack_left(w, NULL, &w->main);
  context_switch(&nowhere, &w->main);
}

void faults_stack_is_full(uintptr_t site) {
  cucc_worker->fault.site = site;
  cucc_worker->fault.signal = -1;
  faults_leave();
  __builtin_unreachable();
}

void faults_division(uintptr_t site) {
  if (!checking(TOOL_MEM) || finding_repeats(TOOL_MEM, false, site, cucc_worker->launch)) return;
  struct finding f = finding_here(TOOL_MEM, site);
  snprintf(f.sentence, sizeof f.sentence, "thread (%u,%u,%u) of block (%u,%u,%u) divides an integer by zero",
           f.thread.x, f.thread.y, f.thread.z, f.block.x, f.block.y, f.block.z);
  f.cause = "a size that is 0, or a division before its guard; a GPU gives no error but an arbitrary value";
  finding_add(&f);
}

void faults_worker_begins(struct worker *w) {
  const stack_t stack = {.ss_sp = w->signal_stack, .ss_size = sizeof w->signal_stack};
  sigaltstack(&stack, &w->signal_stack_before);
}

void faults_worker_ends(const struct worker *w) { sigaltstack(&w->signal_stack_before, NULL); }

/* ------------------------------------------------------------------ reports */

static void describe(struct worker *w, struct finding *f) {
  const uint3 t = cucc_self.thread_idx, b = cucc_self.block_idx;
  if (w->fault.signal < 0) {
    snprintf(
        f->sentence, sizeof f->sentence,
        "stack overflow: thread (%u,%u,%u) of block (%u,%u,%u) needs more than the 256 KiB that a thread "
        "has here",
        t.x, t.y, t.z, b.x, b.y, b.z);
    f->cause = "a recursion that is deep or never ends, or a large local array (a GPU gives 1 KiB without "
               "cudaLimitStackSize)";
  } else {
    snprintf(f->sentence, sizeof f->sentence,
             "thread (%u,%u,%u) of block (%u,%u,%u) accesses address %#zx, where there is no memory", t.x,
             t.y, t.z, b.x, b.y, b.z, (size_t)w->fault.address);
    f->cause = "a null pointer, a host pointer that was freed, or an index far outside of its array";
  }
}

void faults_report(struct worker *w) {
  const struct launch *l = w->launch;
  if (w->opened) mprotect((void *)(w->fiber->low - PIECES * PIECE), PIECES * PIECE, PROT_NONE);
  w->opened = 0;
  struct finding f = finding_here(TOOL_MEM, w->fault.site);
  describe(w, &f);
  if (checking(TOOL_MEM)) {
    if (!finding_repeats(TOOL_MEM, false, f.site, l)) finding_add(&f);
  } else if (!CUCC_CHECKED && !l->error)
    fprintf(stderr,
            "cucc: %s\n    kernel %s, launched at %s:%d; compiled without --fast it would be checked\n",
            f.sentence, l->name, l->file, l->line);
  w->fault.signal = 0;
}
