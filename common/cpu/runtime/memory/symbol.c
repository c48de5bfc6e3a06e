/*
 * Variables of the device: __device__ and __constant__ ones have a value on each device, which kernels see,
 * and one on the host, its shadow, which host code sees and which begins as 0, whatever the variable is
 * initialised with. Both are at the same address, at different times:
 *
 *     section of the program    | total | weights        |    the host's values
 *                                   ^ swapped while a kernel runs, and back
 *     arena, of device 0        | total | weights        |    the device's values
 *
 * So a kernel reaches its variables by their names without a detour. Copies by symbol go to the arena, as all
 * copies do; they never run at the same time as a kernel, because the engine does one thing at a time. The
 * address that cudaGetSymbolAddress gives is the section's, for kernels to use; a copy to or from it is sent
 * on to the arena.
 *
 * __managed__ variables are the same for the host and all devices and stay where they are.
 */
#include "memory/symbol.h"

#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "base/needed.h"
#include "base/options.h"
#include "base/symtab.h"

struct section *symbol_sections;
static uintptr_t lowest = UINTPTR_MAX, highest; /* of all sections */
pthread_mutex_t symbol_lock = PTHREAD_MUTEX_INITIALIZER;

void cucc_register_variables(int kind, char *start, char *stop);
void cucc_register_template(int kind, const char *name, const void *here);

void cucc_register_variables(int kind, char *start, char *stop) {
  if (start == stop) return;
  pthread_mutex_lock(&symbol_lock);
  struct section *s = symbol_sections;
  while (s && s->start != (uintptr_t)start) s = s->next;
  if (!s) {
    s = needed(calloc(1, sizeof *s));
    s->initial = needed(malloc((size_t)(stop - start)));
    s->kind = (enum variable_kind)kind;
    s->start = (uintptr_t)start;
    s->size = (size_t)(stop - start);
    memcpy(s->initial, start, s->size);
    if (s->kind != VARIABLE_MANAGED) memset(start, 0, s->size); /* with nvcc the shadow begins as 0 */
    s->next = symbol_sections;
    if (s->start < lowest) lowest = s->start;
    if (s->start + s->size > highest) highest = s->start + s->size;
    __atomic_store_n(&symbol_sections, s, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&symbol_lock);
}

struct instances {
  enum variable_kind kind;
  const char *name;
  uintptr_t base;
};

static void register_instance(const ElfW(Sym) * symbol, const char *mangled, void *context) {
  const struct instances *wanted = context;
  char name[96];
  if (ELF64_ST_TYPE(symbol->st_info) != STT_OBJECT || !symbol->st_size) return;
  symtab_plain_name(name, sizeof name, mangled);
  if (strcmp(name, wanted->name)) return;
  const char *arguments = strstr(mangled, name);
  while (arguments && arguments[strlen(name)] != 'I') arguments = strstr(arguments + 1, name);
  if (!arguments) return;
  char *const start = (char *)(wanted->base + symbol->st_value);
  cucc_register_variables(wanted->kind, start, start + symbol->st_size);
}

void cucc_register_template(int kind, const char *name, const void *here) {
  struct module m = {.address = (uintptr_t)here};
  if (!module_of(&m)) return;
  struct instances wanted = {(enum variable_kind)kind, name, m.base};
  symtab_each(m.file, register_instance, &wanted);
}

struct section *symbol_section(uintptr_t address) {
  if (LIKELY(address - lowest >= highest - lowest)) return NULL;
  struct section *s = __atomic_load_n(&symbol_sections, __ATOMIC_ACQUIRE);
  while (s && address - s->start >= s->size) s = s->next;
  return s;
}

/* ---------------------------------------------------------------------------------------------- names */

struct reading {
  struct section *section;
  uintptr_t base;
};

static void add_symbol(const ElfW(Sym) * symbol, const char *name, void *context) {
  const struct reading *r = context;
  struct section *s = r->section;
  const uintptr_t start = r->base + symbol->st_value;
  if (ELF64_ST_TYPE(symbol->st_info) != STT_OBJECT || !symbol->st_size || start - s->start >= s->size) return;
  s->symbols = needed(realloc(s->symbols, (s->symbol_count + 1) * sizeof *s->symbols));
  struct symbol *v = &s->symbols[s->symbol_count++];
  *v = (struct symbol){.start = start, .size = symbol->st_size};
  symtab_plain_name(v->name, sizeof v->name, name);
}

static int by_address(const void *a, const void *b) {
  const struct symbol *x = a, *y = b;
  return (x->start > y->start) - (x->start < y->start);
}

/* Which variables there are, from the symbol table; in a stripped program the section counts as one. */
static void read_symbols(struct section *s) {
  struct module m = {.address = s->start};
  struct reading r = {.section = s};
  if (module_of(&m)) {
    r.base = m.base;
    symtab_each(m.file, add_symbol, &r);
  }
  if (!s->symbols) {
    s->symbols = needed(calloc(1, sizeof *s->symbols));
    *s->symbols = (struct symbol){.start = s->start, .size = s->size, .name = "(stripped)"};
    s->symbol_count = 1;
    s->stripped = true;
  }
  qsort(s->symbols, s->symbol_count, sizeof *s->symbols, by_address);
}

/* The variable at an address of the section, or the nearest one before it. */
struct symbol *symbol_at(struct section *s, uintptr_t address) {
  if (UNLIKELY(!__atomic_load_n(&s->named, __ATOMIC_ACQUIRE))) {
    pthread_mutex_lock(&symbol_lock);
    if (!s->named) read_symbols(s);
    __atomic_store_n(&s->named, true, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&symbol_lock);
  }
  size_t low = 0, high = s->symbol_count;
  while (low + 1 < high) {
    const size_t middle = (low + high) / 2;
    *(s->symbols[middle].start <= address ? &low : &high) = middle;
  }
  return &s->symbols[low];
}

bool symbol_is_variable(uintptr_t address) { return symbol_section(address) != NULL; }

static void describe(const struct section *s, const struct symbol *v, struct device_variable *found) {
  *found = (struct device_variable){
      .kind = s->kind, .start = v->start, .size = v->size, .name = v->name, .given = v->given};
}

bool symbol_find(uintptr_t address, struct device_variable *found) {
  struct section *s = symbol_section(address);
  if (!s) return false;
  describe(s, symbol_at(s, address), found);
  return true;
}

bool symbol_find_place(uintptr_t place, struct device_variable *found) {
  for (struct section *s = __atomic_load_n(&symbol_sections, __ATOMIC_ACQUIRE); s; s = s->next)
    for (int d = 0; d < DEVICES_MAX; d++)
      if (s->places[d] && place - s->places[d] < s->size) {
        describe(s, symbol_at(s, place - s->places[d] + s->start), found);
        found->start += s->places[d] - s->start;
        return true;
      }
  return false;
}
