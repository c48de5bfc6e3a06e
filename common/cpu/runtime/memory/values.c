/* The values of the device's variables: their places in the arena, and how kernels get them. */
#include "memory/values.h"

#include <stdlib.h>
#include <string.h>

#include "base/needed.h"
#include "memory/arena.h"
#include "memory/shadow.h"
#include "memory/symbol.h"

/* A section and its place in the arena are the same modulo this, so that the checker's cells fit both. */
#define ALIGNMENT ((uintptr_t)256)

/* Where the device's values of a section are, made at the first use; 0 when there is no memory for them. */
static uintptr_t place_of_values(struct section *s, int device) {
  const uintptr_t known = __atomic_load_n(&s->places[device], __ATOMIC_ACQUIRE);
  if (LIKELY(known)) return known;
  const size_t before = s->start % ALIGNMENT;
  pthread_mutex_lock(&symbol_lock);
  if (!s->places[device]) {
    const uintptr_t memory = memory_for_variables(device, before + s->size);
    if (memory) {
      memcpy((void *)(memory + before), s->initial, s->size);
      check_initialised(memory, before + s->size);
      __atomic_store_n(&s->places[device], memory + before, __ATOMIC_RELEASE);
    }
  }
  pthread_mutex_unlock(&symbol_lock);
  return s->places[device];
}

uintptr_t symbol_place(uintptr_t address, int device) {
  struct section *s = symbol_section(address);
  if (!s || s->kind == VARIABLE_MANAGED) return 0;
  const uintptr_t place = place_of_values(s, device);
  return place ? place + (address - s->start) : 0;
}

void symbol_reset(struct section *s) {
  if (s->kind == VARIABLE_MANAGED) memcpy((void *)s->start, s->initial, s->size);
  for (int d = 0; d < DEVICES_MAX; d++)
    if (s->places[d]) memcpy((void *)s->places[d], s->initial, s->size);
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
  for (struct section *s = __atomic_load_n(&symbol_sections, __ATOMIC_ACQUIRE); s; s = s->next) {
    const uintptr_t place = s->kind == VARIABLE_MANAGED ? 0 : place_of_values(s, device);
    if (place) swap((char *)s->start, (char *)place, s->size);
  }
}

void symbols_enter(int device) { swap_all(device); }

void symbols_leave(int device) { swap_all(device); }

/* ---------------------------------------------------------------------------------------------- kept values */

struct kept_values {
  struct section *section;
  uintptr_t place;
  void *values;
  struct kept_values *next;
};
static struct kept_values *kept;

static void keep(struct section *s, uintptr_t place) {
  struct kept_values *k = needed(malloc(sizeof *k));
  *k = (struct kept_values){.section = s, .place = place, .values = needed(malloc(s->size)), .next = kept};
  memcpy(k->values, (void *)place, s->size);
  kept = k;
}

void symbols_keep(void) {
  for (struct section *s = symbol_sections; s; s = s->next) {
    if (s->kind == VARIABLE_MANAGED) keep(s, s->start);
    for (int d = 0; d < DEVICES_MAX; d++)
      if (s->places[d]) keep(s, s->places[d]);
  }
}

void symbols_set_back(void) {
  for (struct section *s = symbol_sections; s; s = s->next) symbol_reset(s); /* those without a kept value */
  while (kept) {
    struct kept_values *k = kept;
    memcpy((void *)k->place, k->values, k->section->size);
    kept = k->next;
    free(k->values);
    free(k);
  }
}
