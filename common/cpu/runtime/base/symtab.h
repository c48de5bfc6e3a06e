#ifndef CUCC_BASE_SYMTAB_H
#define CUCC_BASE_SYMTAB_H

#include "base/base.h"

#include <link.h>

/* The loaded program or shared object that an address lies in. */
struct module {
  uintptr_t address, base; /* asked for; what a symbol's value is relative to */
  char file[512];
};
/* Fills base and file for m->address; false when it lies in none. */
bool module_of(struct module *m);

/* Calls visit for each defined symbol of a file; not at all when it cannot be read or is stripped. */
void symtab_each(const char *file, void (*visit)(const ElfW(Sym) * symbol, const char *name, void *context),
                 void *context);
/* The last name of a mangled one: _ZZ4tilePfE5cache -> cache, _ZN2ns5totalE -> total. */
void symtab_plain_name(char *out, size_t size, const char *symbol);

#endif
