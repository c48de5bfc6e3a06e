/*
 * Where the records are. The arena's shadow lies at fixed places, so that the cell of an address is a shift
 * and an addition; its pages come into being when they are first touched. The program's own variables
 * (__device__ ones among them) have a shadow of their size.
 */
#include "memory/shadow.h"
#if CUCC_CHECKED
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/page.h"
#include "base/valgrind.h"
#include "state/sample.h"
#include "memory/arena.h"
#include "memory/shared.h"
#include "memory/split.h"

struct region arena = {.base = ARENA_BASE,
                       .size = ARENA_SIZE,
                       .cells = ARENA_CELLS,
                       .codes = ARENA_CODES,
                       .sites = ARENA_SITES,
                       .plain = ARENA_PLAIN};
struct region data;
uintptr_t site_table[65536];
uint16_t site_kind[65536];
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
  reserve(PLAIN_BASE, ARENA_SIZE * 3);
  dl_iterate_phdr(find_program, NULL);
  data.cells = reserve(0, data.size * 2 + 64);
  data.sites = reserve(0, data.size + 64);
  data.bytes = reserve(0, data.size * 8 + 64);
  data.plain = reserve(0, data.size * 3 + 64);
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

void shadow_each_byte(uintptr_t address, size_t size,
                      void (*visit)(struct cell *c, uintptr_t at, void *context), void *context) {
  struct cell four[4];
  const size_t index = (address - ARENA_BASE) / 4, first = address % 4;
  split_load(&arena, index, four, first, first + size);
  for (size_t i = 0; i < size; i++) visit(&four[first + i], address + i, context);
  split_store(&arena, index, four, first, first + size);
}

/* The addresses that an allocation has to itself. */
static size_t extent(size_t size) {
  const size_t pages = (size + WB_PAGE - 1) & ~(WB_PAGE - 1);
  return pages < LARGE_PAGE ? pages : (size + LARGE_PAGE - 1) & ~(LARGE_PAGE - 1);
}

/* Large pages, where the system has them: records are first touched in the kernel. */
void check_allocated(uintptr_t address, size_t size) {
  const size_t offset = address - ARENA_BASE, length = extent(size);
  if (size < (size_t)1 << 20) return;
  const int advice = sampling() ? MADV_NOHUGEPAGE : MADV_HUGEPAGE; /* a few words here and there */
  madvise((void *)(CELLS_BASE + 2 * offset), 2 * length, advice);
  madvise((void *)(SITES_BASE + offset), length, advice);
  if (sampling()) madvise((void *)address, length, advice);
}

/* Pages only: an allocation begins one. */
static void forget_plain(uintptr_t address, size_t size) {
  madvise((void *)(PLAIN_BASE + 3 * (address - ARENA_BASE)), 3 * ((size + WB_PAGE - 1) & ~(WB_PAGE - 1)),
          MADV_DONTNEED);
}

/* Freed memory: its records go back to the system. */
void check_freed(uintptr_t address, size_t size) {
  const size_t offset = address - ARENA_BASE, length = extent(size);
  madvise((void *)(CELLS_BASE + 2 * offset), 2 * length, MADV_DONTNEED);
  madvise((void *)(SITES_BASE + offset), length, MADV_DONTNEED);
  madvise((void *)(CODES_BASE + offset), length, MADV_DONTNEED);
  forget_plain(address, length);
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
  if (a->freed) return;
  shadow_each(a->start, a->size, forget_cell, unused);
  forget_plain(a->start, a->size);
}

/* All records: what was written stays known as written, but not when or by whom. */
void shadow_forget(void) {
  memory_each(forget_allocation, NULL);
  memset(data.cells, 0, data.size * 2);
  memset(data.plain, 0, data.size * 3);
}

void check_start(void) {
  shadow_start();
  shared_start();
}

#endif
