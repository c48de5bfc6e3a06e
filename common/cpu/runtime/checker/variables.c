/*
 * Checks of the device's variables: __device__ and __constant__ ones at namespace scope (memory/symbol.c).
 *
 * While a kernel runs they hold the device's values at the program's addresses; the records of accesses are
 * those of the place in the arena where the values live otherwise, so that copies by symbol and kernels are
 * judged against each other.
 */
#include "checker/variables.h"
#if CUCC_CHECKED
#include <stdio.h>

#include "base/options.h"
#include "state/worker.h"
#include "memory/arena.h"
#include "memory/shadow.h"
#include "memory/symbol.h"
#include "memory/values.h"
#include "checker/findings.h"

static const char *const kinds[] = {"__device__", "__constant__", "__managed__"};

bool variable_describe(struct finding *f, uintptr_t address, size_t element) {
  struct allocation a;
  struct device_variable v;
  if (in_arena(address) && memory_find(address, &a) && a.space == SPACE_VARIABLE)
    v = a.variable;
  else if (!symbol_find(address, &v))
    return false;
  if (!v.name) {
    snprintf(f->allocation, sizeof f->allocation, "%zu bytes, the heap that kernels malloc from", a.size);
    return true;
  }
  snprintf(f->allocation, sizeof f->allocation, "%zu bytes, the %s variable `%s`", v.size, kinds[v.kind],
           v.name);
  if (element && element <= 16)
    snprintf(f->index, sizeof f->index, "element %zu of %zu (of %zu byte%s)", (address - v.start) / element,
             v.size / element, element, element == 1 ? "" : "s");
  return true;
}

const struct region *variable_region(uintptr_t address, size_t size) {
  static __thread struct region here;
  struct device_variable v;
  if (!symbol_find(address, &v) || v.kind == VARIABLE_MANAGED) return NULL;
  if (address < v.start || address - v.start >= v.size || size > v.size - (address - v.start)) return NULL;
  const uintptr_t place = symbol_place(address, cucc_worker->launch->device);
  if (!place) return NULL;
  const size_t torn = address % 8; /* the place is the same modulo 8 */
  here.base = address - torn;
  here.size = size + torn;
  here.cells = &ARENA_CELLS[(place - torn - ARENA_BASE) / 4];
  here.sites = &ARENA_SITES[(place - torn - ARENA_BASE) / 4];
  here.codes = &ARENA_CODES[place - torn - ARENA_BASE];
  here.plain = &ARENA_PLAIN[(place - torn - ARENA_BASE) / 4];
  return &here;
}

bool variable_explain(struct finding *f, const char *who, const char *verb, uintptr_t address, size_t size,
                      bool writes) {
  struct device_variable v;
  if (!symbol_find(address, &v)) return false;
  variable_describe(f, address, size);
  if (address >= v.start && address - v.start < v.size && writes && v.kind == VARIABLE_CONSTANT) {
    snprintf(f->sentence, sizeof f->sentence, "%s %s %zu bytes of constant memory", who, verb, size);
    f->cause = "kernels can only read __constant__ variables; the host sets them with cudaMemcpyToSymbol";
  } else {
    snprintf(f->sentence, sizeof f->sentence, "%s %s %zu bytes outside of the %s variable `%s`", who, verb,
             size, kinds[v.kind], v.name);
    f->cause = "an index that runs past the variable's end, into the memory that follows it";
  }
  return true;
}

bool variable_is_constant(uintptr_t address) {
  struct device_variable v;
  return symbol_find(address, &v) && v.kind == VARIABLE_CONSTANT;
}

bool variable_host_access(uintptr_t address, size_t size, bool writes, uintptr_t pc) {
  struct device_variable v;
  if (!symbol_find(address, &v) || v.kind == VARIABLE_MANAGED) return false;
  if (!checking(TOOL_MEM) || finding_repeats(TOOL_MEM, false, pc, NULL)) return true;
  struct finding f = {.tool = TOOL_MEM, .site = pc};
  snprintf(f.sentence, sizeof f.sentence,
           "the host %s the %s variable `%s`, where it has only a shadow of it", writes ? "writes" : "reads",
           kinds[v.kind], v.name);
  variable_describe(&f, address, size);
  f.cause = writes ? "an assignment on the host does not reach the device; cudaMemcpyToSymbol does"
                   : "the device's value comes to the host with cudaMemcpyFromSymbol, not by its name";
  finding_add(&f);
  return true;
}

bool variable_explain_copy(struct finding *f, const char *call, const void *p, const char *side,
                           size_t bytes) {
  struct device_variable v;
  if (!symbol_find((uintptr_t)p, &v) || v.given || v.kind == VARIABLE_MANAGED) return false;
  variable_describe(f, (uintptr_t)p, 0);
  snprintf(f->sentence, sizeof f->sentence,
           "%s of %zu bytes: the %s is the host's shadow of the %s variable `%s`", call, bytes, side,
           kinds[v.kind], v.name);
  f->cause = "the name of a device variable given to cudaMemcpy; cudaMemcpyToSymbol and cudaMemcpyFromSymbol "
             "take it";
  return true;
}

#endif
