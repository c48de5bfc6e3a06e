/*
 * -fsanitize=bounds: indices into arrays whose size the compiler knows, local and shared ones. The thread
 * hooks never see arrays that live in registers. The handlers that the compiler calls are answered here;
 * their data structures are those of the compilers' runtimes (libubsan), which are not linked.
 */
#include "base/base.h"

#include <stdio.h>
#include <string.h>

#include "base/code.h"
#include "base/options.h"
#include "state/launch_record.h"
#include "state/worker.h"
#include "checker/describe.h"
#include "checker/findings.h"
#include "checker/thread_state.h"
#include "blocks/block.h"
#include "blocks/faults.h"
#include "blocks/grid.h"
#include "hooks/bad_access.h"

#if CUCC_CHECKED
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct type {
  uint16_t kind, info; /* of an integer: info is 2 * log2(bits) + signed */
  char name[];
};
struct out_of_bounds {
  const char *file;
  uint32_t line, column;
  const struct type *array, *index;
};

static void out_of_bounds(const struct out_of_bounds *d, uintptr_t index, uintptr_t pc) {
  const unsigned bits = 1u << (d->index->info >> 1);
  int64_t value = (int64_t)index;
  if (bits < 64) /* a value that fits is passed as itself */
    value = d->index->info & 1 ? (int64_t)((uint64_t)index << (64 - bits)) >> (64 - bits)
                               : (int64_t)((uint64_t)index & ((UINT64_C(1) << bits) - 1));
  const struct launch *launch = cucc_worker ? cucc_worker->launch : NULL;
  if (checking(TOOL_MEM) && !finding_repeats(TOOL_MEM, false, pc, launch)) {
    struct finding f = finding_here(TOOL_MEM, pc);
    const char *open = strchr(d->array->name, '['); /* the name is 'float [16][16]' with the quotes */
    char who[96] = "the host", array[96], elements[32] = "";
    if (launch) thread_text(who, sizeof who, &f);
    if (open && open[1] >= '0' && open[1] <= '9') {
      snprintf(elements, sizeof elements, " of %ld", atol(open + 1));
      snprintf(array, sizeof array, "an array%s elements", elements);
    } else { /* 'float [*]' or 'float [n]' */
      snprintf(array, sizeof array, "its array, whose length is known only at run time");
    }
    snprintf(f.sentence, sizeof f.sentence, "index %lld is outside of %s, in %s", (long long)value, array,
             who);
    snprintf(f.index, sizeof f.index, "element %lld%s, type %s", (long long)value, elements, d->array->name);
    f.cause =
        value < 0 ? "a negative index: a difference that goes below 0, as at an edge; or a byte as signed "
                    "char, which is "
                    "negative from 128 on"
        : strstr(d->array->name, "][")
            ? "an index that runs to the size itself (<= for <), a tile that is smaller than the block, "
              "or x and y exchanged: tile[y][x]"
            : "an index that runs to the size itself (<= for <), or a tile that is smaller than the "
              "block";
    finding_add(&f);
  }
  if (launch && checking(TOOL_MEM)) {
    launch_stop(cucc_worker->launch, cudaErrorIllegalAddress);
    block_abandon(cucc_worker);
  }
}

/* -fsanitize=alignment: float4 accesses through a pointer that was cast, which gcc takes apart before it puts
 * in the thread hooks. Only what kernels do matters: the host's processor has no such rule. */
struct mismatch {
  const char *file;
  uint32_t line, column;
  const struct type *type;
  unsigned char log_alignment, kind; /* kind: 0 load, 1 store, others name a place in an object */
};

static void mismatch(const struct mismatch *d, uintptr_t address, uintptr_t pc) {
  const size_t alignment = (size_t)1 << d->log_alignment;
  if (!cucc_worker || !(address & (alignment - 1))) return;
  char as[64] = "";
  const char *name = strrchr(d->type->name, ' '); /* 'const struct float4' */
  name = name ? name + 1 : d->type->name + (d->type->name[0] == '\'');
  snprintf(as, sizeof as, " (as %.*s)", (int)strcspn(name, "'"), name);
  report_misaligned(address, alignment, d->kind == 1 ? WRITE : READ, pc, as);
}

void __ubsan_handle_type_mismatch_v1(void *data, uintptr_t pointer);
void __ubsan_handle_type_mismatch_v1(void *data, uintptr_t pointer) { mismatch(data, pointer, CALLER); }

void __ubsan_handle_out_of_bounds(void *data, uintptr_t index);
void __ubsan_handle_out_of_bounds(void *data, uintptr_t index) { out_of_bounds(data, index, CALLER); }

/* -fsanitize=integer-divide-by-zero, on aarch64, whose divisions have no fault. */
void __ubsan_handle_divrem_overflow(void *data, uintptr_t dividend, uintptr_t divisor);
void __ubsan_handle_divrem_overflow(void *data, uintptr_t dividend, uintptr_t divisor) {
  (void)data, (void)dividend, (void)divisor;
  if (cucc_worker && code_in_kernel(CALLER)) faults_division(CALLER);
}

/* clang asks whether aligned_alloc kept its promise. It did. */
void __ubsan_handle_alignment_assumption(void *data, uintptr_t pointer, uintptr_t alignment,
                                         uintptr_t offset);
void __ubsan_handle_alignment_assumption(void *data, uintptr_t pointer, uintptr_t alignment,
                                         uintptr_t offset) {
  (void)data, (void)pointer, (void)alignment, (void)offset;
}

/* Where the runtime itself is examined (state/sanitize.h), these are of its own code, and the sanitizer's. */
#ifndef __SANITIZE_ADDRESS__
void __ubsan_handle_type_mismatch_v1_abort(void *data, uintptr_t pointer);
void __ubsan_handle_out_of_bounds_abort(void *data, uintptr_t index);
void __ubsan_handle_type_mismatch_v1_abort(void *data, uintptr_t pointer) { mismatch(data, pointer, CALLER); }
void __ubsan_handle_out_of_bounds_abort(void *data, uintptr_t index) { out_of_bounds(data, index, CALLER); }
#endif

#endif
