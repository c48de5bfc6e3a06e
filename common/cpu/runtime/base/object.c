/* How large a global object of the host is, by the program's table of symbols: cucc_bytes_of. */
#include "base/symtab.h"

#include "cucc.h"

struct object {
  uintptr_t address; /* in its module */
  size_t bytes;
};

static void compare_address(const ElfW(Sym) * symbol, const char *name, void *context) {
  struct object *o = context;
  (void)name;
  if (symbol->st_value == o->address && ELF64_ST_TYPE(symbol->st_info) == STT_OBJECT)
    o->bytes = symbol->st_size;
}

size_t cucc_bytes_of(const void *object) {
  struct module m = {.address = (uintptr_t)object};
  if (!object || !module_of(&m)) return 0;
  struct object o = {.address = m.address - m.base};
  symtab_each(m.file, compare_address, &o);
  return o.bytes;
}
