#ifndef CUCC_CHECKER_REPORT_H
#define CUCC_CHECKER_REPORT_H

#include "base/base.h"
#include "base/check.h"
#include "checker/relation.h"

struct allocation;
struct op;
struct region;

void report_uninitialised(const struct region *r, uintptr_t address, size_t size, uintptr_t pc, uint3 block,
                          uint3 thread, bool arriving);
void report_race(const struct region *r, uintptr_t address, size_t size, unsigned access, uintptr_t pc,
                 uint32_t other, bool other_writes, uintptr_t other_pc, bool same_value);
/* Two stores, or an update by load and store and what another thread can do in between. load_pc and
 * other_load_pc: where the load of the update is, by this thread and by the other one; 0: it is no update. */
struct lost {
  uintptr_t address, pc, load_pc, other_pc, other_load_pc;
  size_t size;
  unsigned access;
  uint32_t other;
  enum relation relation;
};
void report_lost(const struct region *r, const struct lost *lost);
void report_copy_race(const struct op *op, uintptr_t address, bool writes, uint32_t other, bool other_writes);
void report_empty_copy(const struct op *op);
/* A copy that does not come after the cudaMallocAsync of its memory. */
void report_early_copy(const struct op *op, const struct allocation *a);
/* Forgets which kernels write the same elements. */
CHECK(void report_reset(void))

#endif
