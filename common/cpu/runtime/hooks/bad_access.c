/* Accesses that must not happen: the finding, and the end of the thread. */
#include "hooks/bad_access.h"
#if CUCC_CHECKED
#include <stdio.h>

#include "base/options.h"
#include "state/launch_record.h"
#include "state/worker.h"
#include "checker/bad_address.h"
#include "checker/describe.h"
#include "checker/findings.h"
#include "checker/thread_state.h"
#include "checker/variables.h"
#include "blocks/block.h"
#include "blocks/grid.h"

/* The thread that would make a forbidden access ends here, and so does the launch, with the error a GPU
 * gives. */
static void stop_thread(cudaError_t error) {
  launch_stop(cucc_worker->launch, error);
  block_abandon(cucc_worker);
}

void report_bad_address(uintptr_t address, size_t size, unsigned access, uintptr_t pc) {
  const struct launch *launch = cucc_worker->launch;
  if (checking(TOOL_MEM) && !finding_repeats(TOOL_MEM, false, pc, launch)) {
    struct finding f = finding_here(TOOL_MEM, pc);
    char who[96];
    thread_text(who, sizeof who, &f);
    if (near_arena(address))
      explain_arena(&f, who, address, size, access);
    else if (address - thread_state.shared.base < thread_state.shared.size) {
      describe_address(&f, address, size);
      snprintf(f.sentence, sizeof f.sentence, "%s %s %zu byte%s outside of shared memory", who,
               access_verb(access), size, plural_s(size));
      f.cause = "a tile smaller than the block, or a launch that asks for too little dynamic shared memory "
                "(bytes, not elements)";
    } else if (variable_explain(&f, who, access_verb(access), address, size, access & WRITE)) {
    } else if (address < 65536) {
      snprintf(f.sentence, sizeof f.sentence, "%s %s through a null pointer (address %zu)", who,
               access_verb(access), (size_t)address);
      f.cause = "an allocation that failed or never happened (check what cudaMalloc returns), or one in a "
                "function that has only a copy of the pointer: give it &p";
    } else
      explain_host(&f, who, address, size, access);
    finding_add(&f);
  }
  stop_thread(cudaErrorIllegalAddress);
  __builtin_unreachable();
}

void report_misaligned(uintptr_t address, size_t size, unsigned access, uintptr_t pc, const char *type) {
  const struct launch *launch = cucc_worker->launch;
  if (checking(TOOL_MEM) && !finding_repeats(TOOL_MEM, false, pc, launch)) {
    struct finding f = finding_here(TOOL_MEM, pc);
    char who[96];
    thread_text(who, sizeof who, &f);
    describe_address(&f, address, 1);
    snprintf(f.sentence, sizeof f.sentence, "%s %s %zu bytes at an address that is not a multiple of %zu%s",
             who, access_verb(access), size, size, type);
    f.cause = "a pointer cast to a wider type, at a place that is no multiple of this type's size";
    *f.index = 0;
    finding_add(&f);
  }
  stop_thread(cudaErrorMisalignedAddress);
  __builtin_unreachable();
}

void report_tile(uintptr_t address, size_t row, unsigned access, uintptr_t pc) {
  const struct launch *launch = cucc_worker->launch;
  if (checking(TOOL_MEM) && !finding_repeats(TOOL_MEM, false, pc, launch)) {
    struct finding f = finding_here(TOOL_MEM, pc);
    char who[96];
    thread_text(who, sizeof who, &f);
    describe_address(&f, address, 1);
    if (address % 32)
      snprintf(f.sentence, sizeof f.sentence, "%s %s a tile at an address that is not a multiple of 32 bytes",
               who, access_verb(access));
    else
      snprintf(f.sentence, sizeof f.sentence,
               "%s %s a tile whose rows are %zu bytes apart, which is no multiple of 16", who,
               access_verb(access), row);
    f.cause = address % 32 ? "a tile's first element that is computed from the wrong row or column"
                           : "a leading dimension that is no multiple of 8 (half) or 4 (float) elements: pad "
                             "the rows";
    finding_add(&f);
  }
  stop_thread(cudaErrorMisalignedAddress);
  __builtin_unreachable();
}

#endif
