/*
 * What a library's work (engine/work.h) touches, as the checker sees it: matrices column by column, each in
 * order with what other operations did there, and nothing may be read that was never written.
 */
#include "checker/extents.h"
#if CUCC_CHECKED
#include <stdio.h>

#include "base/options.h"
#include "state/work_record.h"
#include "memory/arena.h"
#include "memory/shadow.h"
#include "checker/describe.h"
#include "checker/findings.h"
#include "checker/past.h"
#include "checker/transfer.h"

void check_work_begins(struct work *work) { work->record = RECORD(past_operation(work->op, &work->safe)); }

static void report_unwritten(const struct work *work, const struct extent *e, int64_t column,
                             uintptr_t address) {
  if (finding_repeats(TOOL_INIT, false, work->site, NULL)) return;
  struct finding f = {.tool = TOOL_INIT, .site = work->site};
  const uintptr_t start = (uintptr_t)e->at + (size_t)(column * e->stride) * e->element;
  const long long row = (long long)((address - start) / e->element);
  if (e->rows == 1)
    snprintf(f.sentence, sizeof f.sentence, "%s reads element %lld of %s, which was never written",
             work->call, (long long)column, e->name);
  else
    snprintf(f.sentence, sizeof f.sentence, "%s reads %s in row %lld of column %lld, which was never written",
             work->call, e->name, row, (long long)column);
  describe_address(&f, address, e->element);
  f.cause = "a missing copy or cudaMemset before the call; or sizes and leading dimension that are not the "
            "matrix's; cudaMalloc does not clear memory";
  finding_add(&f);
}

void check_work_touches(struct work *work, const struct extent *e, bool writes) {
  struct piece piece = {.op = work->op,
                        .record = work->record,
                        .safe = checking(TOOL_RACE) ? work->safe : UINT32_MAX,
                        .writes = writes};
  const bool whole = e->stride == e->rows && e->part == PART_ALL;
  const int64_t columns = whole ? 1 : e->columns, rows = whole ? e->rows * e->columns : e->rows;
  for (int64_t j = 0; j < columns; j++) {
    const int64_t first = e->part == PART_LOWER ? j : 0;
    const int64_t end = e->part == PART_UPPER && j + 1 < rows ? j + 1 : rows;
    const uintptr_t at = (uintptr_t)e->at + (size_t)(j * e->stride + first) * e->element;
    if (end <= first || !in_arena(at)) continue;
    const uintptr_t unwritten = check_piece(&piece, at, (size_t)(end - first) * e->element);
    if (!unwritten || writes || !is_device(unwritten) || !checking(TOOL_INIT)) continue;
    const int64_t element = (int64_t)((unwritten - (uintptr_t)e->at) / e->element);
    report_unwritten(work, e, e->stride ? element / e->stride : 0, unwritten);
  }
}

/* "A, 3 x 2 with leading dimension 4" */
static void shape_text(char *out, size_t size, const struct extent *e) {
  if (e->rows == 1 && e->stride == 1)
    snprintf(out, size, "%s, %lld element%s", e->name, (long long)e->columns, e->columns == 1 ? "" : "s");
  else if (e->rows == 1)
    snprintf(out, size, "%s, %lld elements with increment %lld", e->name, (long long)e->columns,
             (long long)e->stride);
  else
    snprintf(out, size, "%s, %lld x %lld with leading dimension %lld", e->name, (long long)e->rows,
             (long long)e->columns, (long long)e->stride);
}

void check_bad_work(const struct work *work, const struct extent *e, size_t span, bool writes) {
  if (!checking(TOOL_MEM) || finding_repeats(TOOL_MEM, false, work->site, NULL)) return;
  struct finding f = {.tool = TOOL_MEM, .site = work->site, .of_library = true};
  struct allocation a;
  char shape[96];
  const char *verb = writes ? "writes" : "reads";
  const uintptr_t address = (uintptr_t)e->at;
  shape_text(shape, sizeof shape, e);
  if (!address) {
    snprintf(f.sentence, sizeof f.sentence, "%s %s %s through a null pointer", work->call, verb, shape);
    f.cause = "an allocation that failed or never happened; check what cudaMalloc returns";
  } else if (e->number > 0) { /* the first of the batch lies where it must */
    describe_address(&f, address, e->element);
    *f.index = 0;
    snprintf(
        f.sentence, sizeof f.sentence,
        "%s %s %s, number %d of a batch with a stride of %lld, where nothing is allocated, or not enough",
        work->call, verb, shape, e->number, (long long)(e->step / (int64_t)e->element));
    f.cause =
        "a stride that is not the batch's: it counts elements, not bytes; or a batch with fewer matrices";
  } else if (!in_arena(address)) {
    snprintf(f.sentence, sizeof f.sentence, "%s %s %s in host memory", work->call, verb, shape);
    f.cause = e->rows == 1 && e->columns == 1
                  ? "the handle's pointer mode is that for the device, the factor or result is on the host: "
                    "cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST)"
                  : "an array from malloc (or the h_ pointer) where one from cudaMalloc is meant";
  } else if (!memory_find(address, &a) || address - a.start >= a.size) {
    describe_address(&f, address, e->element);
    snprintf(f.sentence, sizeof f.sentence, "%s %s %s where nothing is allocated", work->call, verb, shape);
    f.cause = "a pointer that was never set, or arithmetic that went far astray";
  } else if (a.freed) {
    describe_address(&f, address, e->element);
    *f.index = 0;
    snprintf(f.sentence, sizeof f.sentence, "%s %s %s in memory that was freed", work->call, verb, shape);
    f.cause = "cudaFree too early, or a pointer kept after it";
  } else {
    describe_address(&f, address, e->element);
    *f.index = 0;
    snprintf(f.sentence, sizeof f.sentence, "%s %s %s: %zu bytes; the allocation has only %zu from there",
             work->call, verb, shape, span, a.size - (address - a.start));
    f.cause = e->rows == 1
                  ? "a length or an increment that is not the array's, or an allocation without sizeof"
                  : "rows and columns exchanged: matrices are stored by columns, and the leading "
                    "dimension is the number of rows in memory";
  }
  finding_add(&f);
}

void check_device_value(const char *call, const char *name, const void *value, uintptr_t site) {
  if (!checking(TOOL_MEM)) return;
  struct finding f = {.tool = TOOL_MEM, .site = site};
  snprintf(f.sentence, sizeof f.sentence, "%s takes %s on the host, but the pointer is one of device memory",
           call, name);
  describe_address(&f, (uintptr_t)value, 1);
  *f.index = 0;
  f.cause =
      "cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE) is missing (on a GPU the program crashes "
      "here)";
  finding_add(&f);
}

void check_library(enum tool tool, const char *sentence, uintptr_t site, uintptr_t other_site,
                   const void *buffer, const char *cause) {
  if (!checking(tool)) return;
  struct finding f = {.tool = tool, .site = site, .other_site = other_site, .cause = cause};
  snprintf(f.sentence, sizeof f.sentence, "%s", sentence);
  if (other_site) snprintf(f.other, sizeof f.other, "the other call");
  if (buffer) describe_address(&f, (uintptr_t)buffer, 1);
  *f.index = 0;
  finding_add(&f);
}

#endif
