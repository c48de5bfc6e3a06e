/* Copies, fills and frees: their accesses are judged and noted as those of kernels are. */
#include "checker/transfer.h"
#if CUCC_CHECKED
#include "base/options.h"
#include "state/op.h"
#include "memory/arena.h"
#include "memory/shadow.h"
#include "memory/split.h"
#include "checker/findings.h"
#include "checker/past.h"
#include "checker/report.h"

struct pass {
  const struct op *op;
  uint32_t record, safe;
  bool writes, reported;
  size_t seen, empty;
  uintptr_t first_empty;
  intptr_t from; /* of a copy within the device: source minus destination */
};

/* Copies between host and device are judged on the side that kernels reach: pinned memory is the host's, and
 * host.c's. */
static bool in_cells(uintptr_t address) { return is_device(address) || is_managed(address); }

/* Memory of cudaMallocAsync: does its allocation come before the operation? */
static void check_place(const struct op *op, uintptr_t address) {
  struct allocation a;
  if (checking(TOOL_MEM) && memory_find(address, &a) && !memory_made_before(&a, &op->clock))
    report_early_copy(op, &a);
}

static inline void pass_cell(struct cell *c, uintptr_t at, void *context) {
  struct pass *p = context;
  p->seen++;
  if (c->write == NOTHING && p->empty++ == 0) p->first_empty = at;
  if (!p->reported && ((c->write >= p->safe && past_unordered(p->op, c->write)) ||
                       (p->writes && c->read >= p->safe && past_unordered(p->op, c->read)))) {
    const bool other_writes = c->write >= p->safe && past_unordered(p->op, c->write);
    report_copy_race(p->op, at, p->writes, other_writes ? c->write : c->read, other_writes);
    p->reported = true;
  }
  if (!p->writes)
    c->read = p->record;
  else
    c->write = p->from && !split_written(at + (uintptr_t)p->from) ? NOTHING : p->record;
}

static void pass(struct pass *p, uintptr_t address, size_t size) { shadow_each(address, size, pass_cell, p); }

void check_copy(const struct op *op) {
  uint32_t safe;
  const uintptr_t dst = (uintptr_t)op->dst, src = (uintptr_t)op->src;
  const bool reads = op->kind == OP_COPY && in_cells(src), writes = in_cells(dst);
  const uint32_t record = RECORD(past_operation(op, &safe));
  const bool overlap = checking(TOOL_RACE);
  const size_t width = op->rows.height ? op->rows.width : op->bytes, rows = rows_count(&op->rows);
  struct pass p = {.op = op, .record = record, .safe = overlap ? safe : UINT32_MAX};
  if (reads) {
    check_place(op, src);
    for (size_t i = 0; i < rows; i++) pass(&p, src + rows_source(&op->rows, i), width);
    if (is_device(src) && !writes && p.empty == p.seen && checking(TOOL_INIT)) report_empty_copy(op);
  }
  if (writes) {
    p.writes = true;
    check_place(op, dst);
    for (size_t i = 0; i < rows; i++) {
      const uintptr_t to = dst + rows_destination(&op->rows, i);
      p.from = reads && is_device(src) ? (intptr_t)(src + rows_source(&op->rows, i) - to) : 0;
      pass(&p, to, width);
    }
  }
}

void check_free(const struct op *op) {
  uint32_t safe;
  struct pass p = {.op = op, .record = RECORD(past_operation(op, &safe)), .safe = safe, .writes = true};
  if (checking(TOOL_RACE)) pass(&p, (uintptr_t)op->dst, op->bytes);
}

uintptr_t check_piece(struct piece *piece, uintptr_t address, size_t size) {
  struct pass p = {.op = piece->op,
                   .record = piece->record,
                   .safe = piece->safe,
                   .writes = piece->writes,
                   .reported = piece->reported};
  pass(&p, address, size);
  piece->reported = p.reported;
  return p.first_empty;
}

#endif
