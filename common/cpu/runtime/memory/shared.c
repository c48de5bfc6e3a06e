/*
 * Shared memory, found in thread-local storage: `__shared__ float tile[16][16]` is a static thread-local
 * variable, and dynamic shared memory is one of the runtime's (cucc_shared). The program's symbol table says
 * which bytes belong to which variable; without one (strip) all of the storage counts.
 */
#include "memory/shared.h"
#if CUCC_CHECKED
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/needed.h"
#include "base/symtab.h"
#include "state/worker.h"
#include "memory/shadow.h"

static struct variable *variables; /* by offset */
static size_t variable_count, storage_size, dynamic_offset;

static void add(const ElfW(Sym) * s, const char *name, void *unused) {
  (void)unused;
  if (ELF64_ST_TYPE(s->st_info) != STT_TLS || !s->st_size) return;
  variables = needed(realloc(variables, (variable_count + 1) * sizeof *variables));
  struct variable *v = &variables[variable_count++];
  v->offset = s->st_value;
  v->size = s->st_size;
  v->guard = !strncmp(name, "_ZGV", 4);
  symtab_plain_name(v->name, sizeof v->name, name);
}

static int by_offset(const void *a, const void *b) {
  const struct variable *x = a, *y = b;
  return (x->offset > y->offset) - (x->offset < y->offset);
}

static int find_storage(struct dl_phdr_info *info, size_t size, void *result) {
  (void)size;
  struct region *r = result;
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_TLS) {
      r->base = (uintptr_t)info->dlpi_tls_data;
      r->size = info->dlpi_phdr[i].p_memsz;
    }
  return 1; /* the first one is the program itself */
}

void shared_start(void) {
  struct region r = {0};
  dl_iterate_phdr(find_storage, &r);
  storage_size = (r.size + 7) & ~(size_t)7;
  dynamic_offset = (uintptr_t)cucc_shared - r.base;
  symtab_each("/proc/self/exe", add, NULL);
  if (!variable_count) {
    variables = needed(calloc(1, sizeof *variables));
    *variables = (struct variable){0, storage_size, false, "shared memory"};
    variable_count = 1;
  }
  qsort(variables, variable_count, sizeof *variables, by_offset);
}

size_t shared_dynamic_offset(void) { return dynamic_offset; }

struct region shared_region(void) {
  struct region r = {0};
  dl_iterate_phdr(find_storage, &r);
  r.size = storage_size;
  const size_t cells = 2 * r.size, sites = r.size, bytes = 8 * r.size, plain = 3 * r.size;
  void *const memory = mmap(NULL, cells + bytes + sites + plain, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  char *const p = needed(memory == MAP_FAILED ? NULL : memory);
  r.cells = (struct cell *)p;
  r.bytes = (struct cell *)(p + cells);
  r.sites = (struct sites *)(p + cells + bytes);
  r.plain = (struct plain *)(p + cells + bytes + sites);
  return r;
}

void shared_free(struct region *r) {
  munmap(r->cells, 14 * r->size);
  *r = (struct region){0};
}

const struct variable *shared_variable(size_t offset) {
  const struct variable *first = variables; /* the one, if any, is among `count` from here on */
  if (offset < first->offset) return NULL;
  for (size_t count = variable_count; count > 1;) {
    const size_t half = count / 2;
    first += first[half].offset <= offset ? half : 0; /* no branch: it would be mispredicted at each access */
    count -= half;
  }
  return first;
}

const struct variable *shared_variable_near(size_t offset) {
  const struct variable *before = shared_variable(offset);
  const struct variable *after = before ? before + 1 : variables;
  if (after == variables + variable_count) return before;
  if (before && offset - before->offset < before->size) return before;
  return before && offset - before->offset - before->size <= after->offset - offset ? before : after;
}

#endif
