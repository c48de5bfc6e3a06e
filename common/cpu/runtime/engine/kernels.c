/*
 * Kernels by their address, so that they can be launched, asked about and given attributes by it. Those that
 * are no templates register themselves before main (include/cucc/launch.h). What a template or a macro makes
 * has a variable in its body, and is found in the symbol table when it is first asked for: the variable's
 * name holds the kernel's.
 *
 *     _Z4tallIfEvPT_     _ZZ4tallIfEvPT_E13cucc_instance
 *     tall, extern "C"   _ZZ4tallE13cucc_instance
 */
#include "engine/kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/needed.h"
#include "base/symtab.h"

struct cucc_kernel *cucc_kernels;
static struct cucc_kernel *no_kernels; /* addresses that are none */
static pthread_mutex_t kernels_lock = PTHREAD_MUTEX_INITIALIZER;

static void add(struct cucc_kernel *kernel, const void *function) {
  kernel->function = function;
  kernel->next = cucc_kernels;
  __atomic_store_n(&cucc_kernels, kernel, __ATOMIC_RELEASE);
}

/* Each object of a program asks for all of the program's. */
void cucc_register_kernels(struct cucc_kernel *const *start, struct cucc_kernel *const *stop) {
  pthread_mutex_lock(&kernels_lock);
  for (; start < stop; start++)
    if ((*start)->address && !(*start)->function) add(*start, (*start)->address());
  pthread_mutex_unlock(&kernels_lock);
}

static struct cucc_kernel *among(struct cucc_kernel *k, const void *function) {
  while (k && k->function != function) k = k->next;
  return k;
}

struct search {
  uintptr_t address; /* of the function, in its module */
  char *name;        /* its variable's */
  uintptr_t found;
};

static void name_variable(const ElfW(Sym) * symbol, const char *name, void *context) {
  struct search *s = context;
  if (symbol->st_value != s->address || ELF64_ST_TYPE(symbol->st_info) != STT_FUNC) return;
  const size_t size = strlen(name) + sizeof "_ZZ1234E13cucc_instance";
  free(s->name);
  s->name = needed(malloc(size));
  if (strncmp(name, "_Z", 2))
    snprintf(s->name, size, "_ZZ%zu%sE13cucc_instance", strlen(name), name);
  else
    snprintf(s->name, size, "_ZZ%sE13cucc_instance", name + 2);
}

static void find_variable(const ElfW(Sym) * symbol, const char *name, void *context) {
  struct search *s = context;
  if (ELF64_ST_TYPE(symbol->st_info) == STT_OBJECT && !strcmp(name, s->name)) s->found = symbol->st_value;
}

/* The variable in the body of the function; NULL when it has none, or the program is stripped. */
static struct cucc_kernel *instance_of(const void *function) {
  struct module m = {.address = (uintptr_t)function};
  if (!module_of(&m)) return NULL;
  struct search s = {.address = m.address - m.base};
  symtab_each(m.file, name_variable, &s);
  if (s.name) symtab_each(m.file, find_variable, &s);
  free(s.name);
  return s.found ? (struct cucc_kernel *)(m.base + s.found) : NULL;
}

const struct cucc_kernel *cucc_kernel_of(const void *function) {
  struct cucc_kernel *k = among(__atomic_load_n(&cucc_kernels, __ATOMIC_ACQUIRE), function);
  if (k || !function) return k;
  pthread_mutex_lock(&kernels_lock);
  k = among(cucc_kernels, function); /* another thread may have added it */
  if (!k && !among(no_kernels, function)) {
    k = instance_of(function);
    if (k) {
      add(k, function);
    } else {
      struct cucc_kernel *none = needed(calloc(1, sizeof *none));
      *none = (struct cucc_kernel){.function = function, .next = no_kernels};
      no_kernels = none;
    }
  }
  pthread_mutex_unlock(&kernels_lock);
  return k;
}
