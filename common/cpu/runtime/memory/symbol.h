#ifndef CUCC_MEMORY_SYMBOL_H
#define CUCC_MEMORY_SYMBOL_H

#include "base/base.h"
#include "base/options.h"

enum variable_kind { VARIABLE_DEVICE, VARIABLE_CONSTANT, VARIABLE_MANAGED };

struct device_variable {
  enum variable_kind kind;
  uintptr_t start;
  size_t size;
  const char *name;
  bool given; /* cudaGetSymbolAddress was asked for its address */
};

struct symbol {
  uintptr_t start;
  size_t size;
  char name[96];
  bool given; /* its address was, by cudaGetSymbolAddress */
};

struct section {
  enum variable_kind kind;
  uintptr_t start;
  size_t size;
  void *initial;
  uintptr_t places[DEVICES_MAX]; /* of the devices' values in the arena; 0: still as the program began */
  struct symbol *symbols;        /* by address */
  size_t symbol_count;
  bool stripped; /* no symbol table: all of it counts as one variable */
  bool named;    /* the symbols have been read */
  struct section *next;
};

/* The variable at an address of the program, or the nearest one before it in its section; false when the
 * address lies in no section of device variables. Any thread may ask. */
bool symbol_find(uintptr_t address, struct device_variable *found);
bool symbol_is_variable(uintptr_t address);
/* The same for an address in the arena, where a device's values are kept. */
bool symbol_find_place(uintptr_t place, struct device_variable *found);
extern struct section *symbol_sections;
extern pthread_mutex_t symbol_lock;
struct section *symbol_section(uintptr_t address);
struct symbol *symbol_at(struct section *s, uintptr_t address);

#endif
