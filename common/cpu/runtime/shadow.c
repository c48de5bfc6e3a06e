/*
 * Where the records are. The arena's shadow lies at fixed places, so that the cell of an address is a shift
 * and an addition; its pages come into being when they are first touched. The program's own variables
 * (__device__ ones among them) have a shadow of their size.
 */
#include "checker.h"
#if CUCC_CHECKED
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sanitize.h"

#define PAGE ((uintptr_t)4096)

struct region arena = {
    .base = ARENA_BASE, .size = ARENA_SIZE, .cells = ARENA_CELLS, .codes = ARENA_CODES, .sites = ARENA_SITES};
struct region data;
static uintptr_t program_start, program_end;

static void *reserve(uintptr_t at, size_t size) {
  void *p = mmap((void *)at, size, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (at ? MAP_FIXED_NOREPLACE : 0), -1, 0);
  if (p == MAP_FAILED || (at && p != (void *)at)) {
    fprintf(stderr,
            "cucc: cannot reserve addresses for checking (is there a limit on virtual memory, ulimit -v?); "
            "`cucc --fast` does without\n");
    _exit(2);
  }
  madvise(p, size, MADV_DONTDUMP);
  return p;
}

static int find_program(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size, (void)unused;
  program_start = UINTPTR_MAX;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    const uintptr_t start = info->dlpi_addr + p->p_vaddr, end = start + p->p_memsz;
    if (p->p_type != PT_LOAD) continue;
    program_start = start < program_start ? start : program_start;
    program_end = end > program_end ? end : program_end;
    if (p->p_flags & PF_W) {
      data.base = start & ~(uintptr_t)7;
      data.size = end - data.base;
    }
  }
  return 1; /* the first one is the program itself */
}

void shadow_start(void) {
  if (RUNNING_ON_VALGRIND) {
    fprintf(stderr,
            "cucc: valgrind cannot carry the addresses that checking reserves: compile with "
            "`cucc --fast`, or have the sanitizers look at the runtime (CUCC_RUNTIME_FLAGS, cucc --help)\n");
    _exit(2);
  }
  reserve(CELLS_BASE, ARENA_SIZE * 2);
  reserve(SITES_BASE, ARENA_SIZE);
  reserve(CODES_BASE, ARENA_SIZE);
  dl_iterate_phdr(find_program, NULL);
  data.cells = reserve(0, data.size * 2 + 64);
  data.sites = reserve(0, data.size + 64);
  data.bytes = reserve(0, data.size * 8 + 64);
}

/* Shared objects with kernels (NVRTC's). Their variables and static shared memory may be accessed; no records
 * are kept of them. */
#define MODULES_MAX 64
static uintptr_t modules[MODULES_MAX];
static int module_count;

void check_module(void *handle) {
  const struct link_map *map = handle;
  for (int i = 0; i < module_count; i++)
    if (modules[i] == map->l_addr) return;
  if (module_count < MODULES_MAX) modules[module_count++] = map->l_addr;
}

static int find_in_module(struct dl_phdr_info *info, size_t size, void *context) {
  const uintptr_t address = *(const uintptr_t *)context;
  int known = 0;
  (void)size;
  while (known < module_count && modules[known] != info->dlpi_addr) known++;
  if (known == module_count) return 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    const uintptr_t start =
        p->p_type == PT_TLS ? (uintptr_t)info->dlpi_tls_data : info->dlpi_addr + p->p_vaddr;
    if ((p->p_type == PT_TLS || p->p_type == PT_LOAD) && start && address - start < p->p_memsz) return 1;
  }
  return 0;
}

bool shadow_is_program(uintptr_t address) {
  return address - program_start < program_end - program_start ||
         (module_count && dl_iterate_phdr(find_in_module, &address));
}

/* ---------------------------------------------------------------------------------------------- copies */

static void each_byte(uintptr_t address, size_t size,
                      void (*visit)(struct cell *c, uintptr_t at, void *context), void *context) {
  struct cell four[4];
  const size_t index = (address - ARENA_BASE) / 4, first = address % 4;
  split_load(&arena, index, four, first, first + size);
  for (size_t i = 0; i < size; i++) visit(&four[first + i], address + i, context);
  split_store(&arena, index, four, first, first + size);
}

void shadow_each(uintptr_t address, size_t size, void (*visit)(struct cell *c, uintptr_t at, void *context),
                 void *context) {
  const uintptr_t end = address + size;
  for (uintptr_t next; address < end; address = next) {
    struct cell *c = &ARENA_CELLS[(address - ARENA_BASE) / 4];
    next = (address | 3) + 1 < end ? (address | 3) + 1 : end;
    if (c->write < SPLIT && next - address == 4)
      visit(c, address, context);
    else
      each_byte(address, next - address, visit, context);
  }
}

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

static void pass_cell(struct cell *c, uintptr_t at, void *context) {
  struct pass *p = context;
  p->seen++;
  if (c->write == NOTHING && p->empty++ == 0) p->first_empty = at;
  if (!p->reported && ((c->write >= p->safe && order_unordered(p->op, c->write)) ||
                       (p->writes && c->read >= p->safe && order_unordered(p->op, c->read)))) {
    const bool other_writes = c->write >= p->safe && order_unordered(p->op, c->write);
    report_copy_race(p->op, at, p->writes, other_writes ? c->write : c->read, other_writes);
    p->reported = true;
  }
  if (!p->writes)
    c->read = p->record;
  else
    c->write = p->from && !split_written(at + (uintptr_t)p->from) ? NOTHING : p->record;
}

void check_copy(const struct op *op) {
  uint32_t safe;
  const uintptr_t dst = (uintptr_t)op->dst, src = (uintptr_t)op->src;
  const bool reads = op->kind == OP_COPY && in_cells(src), writes = in_cells(dst);
  const uint32_t record = RECORD(order_operation(op, &safe));
  const bool overlap = checking(TOOL_RACE);
  const size_t width = op->rows.height ? op->rows.width : op->bytes, rows = rows_count(&op->rows);
  struct pass p = {.op = op, .record = record, .safe = overlap ? safe : UINT32_MAX};
  if (reads) {
    check_place(op, src);
    for (size_t i = 0; i < rows; i++) shadow_each(src + rows_source(&op->rows, i), width, pass_cell, &p);
    if (is_device(src) && !writes && p.empty == p.seen && checking(TOOL_INIT)) report_empty_copy(op);
  }
  if (writes) {
    p.writes = true;
    check_place(op, dst);
    for (size_t i = 0; i < rows; i++) {
      const uintptr_t to = dst + rows_destination(&op->rows, i);
      p.from = reads && is_device(src) ? (intptr_t)(src + rows_source(&op->rows, i) - to) : 0;
      shadow_each(to, width, pass_cell, &p);
    }
  }
}

void check_free(const struct op *op) {
  uint32_t safe;
  struct pass p = {.op = op, .record = RECORD(order_operation(op, &safe)), .safe = safe, .writes = true};
  if (checking(TOOL_RACE)) shadow_each((uintptr_t)op->dst, op->bytes, pass_cell, &p);
}

uintptr_t check_piece(struct piece *piece, uintptr_t address, size_t size) {
  struct pass p = {.op = piece->op,
                   .record = piece->record,
                   .safe = piece->safe,
                   .writes = piece->writes,
                   .reported = piece->reported};
  shadow_each(address, size, pass_cell, &p);
  piece->reported = p.reported;
  return p.first_empty;
}

/* Large pages, where the system has them: records are first touched in the kernel. */
void check_allocated(uintptr_t address, size_t size) {
  const size_t offset = address - ARENA_BASE;
  if (size < (size_t)1 << 20) return;
  const size_t length = (size + PAGE - 1) & ~(PAGE - 1);
  madvise((void *)(CELLS_BASE + 2 * offset), 2 * length, MADV_HUGEPAGE);
  madvise((void *)(SITES_BASE + offset), length, MADV_HUGEPAGE);
}

/* Freed memory: its records go back to the system. */
void check_freed(uintptr_t address, size_t size) {
  const size_t offset = address - ARENA_BASE, length = (size + PAGE - 1) & ~(PAGE - 1);
  madvise((void *)(CELLS_BASE + 2 * offset), 2 * length, MADV_DONTNEED);
  madvise((void *)(SITES_BASE + offset), length, MADV_DONTNEED);
  madvise((void *)(CODES_BASE + offset), length, MADV_DONTNEED);
}

static void forget_cell(struct cell *c, uintptr_t at, void *unused) {
  (void)at, (void)unused;
  if (c->write) c->write = OLD;
  c->read = 0;
}

static void initialise_cell(struct cell *c, uintptr_t at, void *unused) {
  (void)at, (void)unused;
  c->write = OLD;
}

void check_initialised(uintptr_t address, size_t size) { shadow_each(address, size, initialise_cell, NULL); }

static void forget_allocation(const struct allocation *a, void *unused) {
  if (!a->freed) shadow_each(a->start, a->size, forget_cell, unused);
}

/* All records: what was written stays known as written, but not when or by whom. */
void shadow_forget(void) {
  memory_each(forget_allocation, NULL);
  memset(data.cells, 0, data.size * 2);
}

void check_start(void) {
  shadow_start();
  shared_start();
}

#endif
