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
 * copies do; they never run beside a kernel, because the engine does one thing at a time. The address that
 * cudaGetSymbolAddress gives is the section's, for kernels to use; a copy to or from it is sent on to the
 * arena.
 *
 * __managed__ variables are the same for the host and all devices and stay where they are.
 */
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "symtab.h"

/* A section and its place in the arena are the same modulo this, so that the checker's cells fit both. */
#define ALIGNMENT ((uintptr_t)256)

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
static struct section *sections;
static uintptr_t lowest = UINTPTR_MAX, highest; /* of all sections */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void cucc_register_variables(int kind, char *start, char *stop);
void cucc_register_template(int kind, const char *name, const void *here);

void cucc_register_variables(int kind, char *start, char *stop) {
  if (start == stop) return;
  pthread_mutex_lock(&lock);
  struct section *s = sections;
  while (s && s->start != (uintptr_t)start) s = s->next;
  if (!s) {
    s = needed(calloc(1, sizeof *s));
    s->initial = needed(malloc((size_t)(stop - start)));
    s->kind = (enum variable_kind)kind;
    s->start = (uintptr_t)start;
    s->size = (size_t)(stop - start);
    memcpy(s->initial, start, s->size);
    if (s->kind != VARIABLE_MANAGED) memset(start, 0, s->size); /* with nvcc the shadow begins as 0 */
    s->next = sections;
    if (s->start < lowest) lowest = s->start;
    if (s->start + s->size > highest) highest = s->start + s->size;
    __atomic_store_n(&sections, s, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&lock);
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

static struct section *section_of(uintptr_t address) {
  if (LIKELY(address - lowest >= highest - lowest)) return NULL;
  struct section *s = __atomic_load_n(&sections, __ATOMIC_ACQUIRE);
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
static struct symbol *symbol_at(struct section *s, uintptr_t address) {
  if (UNLIKELY(!__atomic_load_n(&s->named, __ATOMIC_ACQUIRE))) {
    pthread_mutex_lock(&lock);
    if (!s->named) read_symbols(s);
    __atomic_store_n(&s->named, true, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&lock);
  }
  size_t low = 0, high = s->symbol_count;
  while (low + 1 < high) {
    const size_t middle = (low + high) / 2;
    *(s->symbols[middle].start <= address ? &low : &high) = middle;
  }
  return &s->symbols[low];
}

bool symbol_is_variable(uintptr_t address) { return section_of(address) != NULL; }

static void describe(const struct section *s, const struct symbol *v, struct device_variable *found) {
  *found = (struct device_variable){
      .kind = s->kind, .start = v->start, .size = v->size, .name = v->name, .given = v->given};
}

bool symbol_find(uintptr_t address, struct device_variable *found) {
  struct section *s = section_of(address);
  if (!s) return false;
  describe(s, symbol_at(s, address), found);
  return true;
}

bool symbol_find_place(uintptr_t place, struct device_variable *found) {
  for (struct section *s = __atomic_load_n(&sections, __ATOMIC_ACQUIRE); s; s = s->next)
    for (int d = 0; d < DEVICES_MAX; d++)
      if (s->places[d] && place - s->places[d] < s->size) {
        describe(s, symbol_at(s, place - s->places[d] + s->start), found);
        found->start += s->places[d] - s->start;
        return true;
      }
  return false;
}

/* ---------------------------------------------------------------------------------------------- values */

/* Where the device's values of a section are, made at the first use; 0 when there is no memory for them. */
static uintptr_t place_of_values(struct section *s, int device) {
  const uintptr_t known = __atomic_load_n(&s->places[device], __ATOMIC_ACQUIRE);
  if (LIKELY(known)) return known;
  const size_t before = s->start % ALIGNMENT;
  pthread_mutex_lock(&lock);
  if (!s->places[device]) {
    const uintptr_t memory = memory_for_variables(device, before + s->size);
    if (memory) {
      memcpy((void *)(memory + before), s->initial, s->size);
      check_initialised(memory, before + s->size);
      __atomic_store_n(&s->places[device], memory + before, __ATOMIC_RELEASE);
    }
  }
  pthread_mutex_unlock(&lock);
  return s->places[device];
}

uintptr_t symbol_place(uintptr_t address, int device) {
  struct section *s = section_of(address);
  if (!s || s->kind == VARIABLE_MANAGED) return 0;
  const uintptr_t place = place_of_values(s, device);
  return place ? place + (address - s->start) : 0;
}

static void swap(char *a, char *b, size_t size) {
  char held[4096];
  for (size_t i = 0; i < size; i += sizeof held) {
    const size_t n = size - i < sizeof held ? size - i : sizeof held;
    memcpy(held, a + i, n);
    memcpy(a + i, b + i, n);
    memcpy(b + i, held, n);
  }
}

static void swap_all(int device) {
  for (struct section *s = __atomic_load_n(&sections, __ATOMIC_ACQUIRE); s; s = s->next) {
    const uintptr_t place = s->kind == VARIABLE_MANAGED ? 0 : place_of_values(s, device);
    if (place) swap((char *)s->start, (char *)place, s->size);
  }
}

void symbols_enter(int device) { swap_all(device); }

void symbols_leave(int device) { swap_all(device); }

/* ---------------------------------------------------------------------------------------------- calls */

/* The variable that a call names, and where its value for the current device is. */
static cudaError_t resolve(const char *call, const void *symbol, struct symbol **variable, uintptr_t *place) {
  const uintptr_t address = (uintptr_t)symbol;
  cudaError_t error = cucc_enter(call);
  if (error) return error;
  struct section *s = section_of(address);
  if (!s) return cucc_fail(cudaErrorInvalidSymbol);
  struct symbol *v = *variable = symbol_at(s, address);
  if (v->start != address && !s->stripped) return cucc_fail(cudaErrorInvalidSymbol);
  *place = s->kind == VARIABLE_MANAGED ? address : symbol_place(address, device_current());
  return *place ? cudaSuccess : cucc_fail(cudaErrorMemoryAllocation);
}

/* A copy to the symbol when r->dst is NULL, else from it. A copy past the variable's end would fall into the
 * next variable, so it is refused here. */
static cudaError_t copy(struct transfer_request *r, const void *symbol, size_t offset) {
  const bool to = !r->dst;
  uintptr_t place;
  struct symbol *v;
  cudaError_t error = resolve(r->call, symbol, &v, &place);
  if (error || r->bytes == 0) return error;
  const bool wrong_way =
      r->kind == cudaMemcpyHostToHost || r->kind == (to ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice);
  const bool too_long = offset > v->size || r->bytes > v->size - offset;
  void *const at = (void *)(place + (offset < v->size ? offset : 0));
  if (to)
    r->dst = at;
  else
    r->src = at;
  if (!r->src) return cucc_fail(cudaErrorInvalidValue);
  if (!wrong_way && !too_long) return copy_transfer(r);
  check_bad_copy(r->call, r->dst, r->src, r->bytes, wrong_way, r->site);
  return cucc_fail(wrong_way ? cudaErrorInvalidMemcpyDirection : cudaErrorInvalidValue);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t count, size_t offset,
                               enum cudaMemcpyKind kind) {
  struct transfer_request r = {
      .call = "cudaMemcpyToSymbol", .src = src, .bytes = count, .kind = kind, .wait = true, .site = CALLER};
  return copy(&r, symbol, offset);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t count, size_t offset,
                                    enum cudaMemcpyKind kind, cudaStream_t stream) {
  struct transfer_request r = {.call = "cudaMemcpyToSymbolAsync",
                               .src = src,
                               .bytes = count,
                               .kind = kind,
                               .stream = stream,
                               .site = CALLER};
  return copy(&r, symbol, offset);
}

cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t count, size_t offset,
                                 enum cudaMemcpyKind kind) {
  struct transfer_request r = {
      .call = "cudaMemcpyFromSymbol", .dst = dst, .bytes = count, .kind = kind, .wait = true, .site = CALLER};
  return dst || !count ? copy(&r, symbol, offset) : cucc_fail(cudaErrorInvalidValue);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t count, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream) {
  struct transfer_request r = {.call = "cudaMemcpyFromSymbolAsync",
                               .dst = dst,
                               .bytes = count,
                               .kind = kind,
                               .stream = stream,
                               .site = CALLER};
  return dst || !count ? copy(&r, symbol, offset) : cucc_fail(cudaErrorInvalidValue);
}

cudaError_t cudaGetSymbolAddress(void **pointer, const void *symbol) {
  uintptr_t place;
  struct symbol *v;
  cudaError_t error = resolve("cudaGetSymbolAddress", symbol, &v, &place);
  if (error) return error;
  if (!pointer) return cucc_fail(cudaErrorInvalidValue);
  v->given = true;
  *pointer = (void *)symbol;
  return cudaSuccess;
}

cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol) {
  uintptr_t place;
  struct symbol *v;
  cudaError_t error = resolve("cudaGetSymbolSize", symbol, &v, &place);
  if (error) return error;
  if (!size) return cucc_fail(cudaErrorInvalidValue);
  *size = v->size;
  return cudaSuccess;
}
