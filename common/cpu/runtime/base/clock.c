/* Vector clocks over streams. They answer two questions: may this operation run yet, and did that access come
 * before this one? */
#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

#include "base/needed.h"

static void reserve(struct clock *c, uint32_t count) {
  if (count <= c->count) return;
  c->at = needed(realloc(c->at, count * sizeof *c->at));
  memset(c->at + c->count, 0, (count - c->count) * sizeof *c->at);
  c->count = count;
}

void clock_join(struct clock *into, const struct clock *other) {
  reserve(into, other->count);
  for (uint32_t i = 0; i < other->count; i++)
    if (other->at[i] > into->at[i]) into->at[i] = other->at[i];
  if (other->us > into->us) into->us = other->us;
}

void clock_set(struct clock *c, uint32_t slot, uint64_t seq) {
  reserve(c, slot + 1);
  c->at[slot] = seq;
}

void clock_free(struct clock *c) {
  free(c->at);
  *c = (struct clock){0};
}

bool clock_covers(const struct clock *c, const struct clock *other) {
  for (uint32_t i = 0; i < other->count; i++)
    if (other->at[i] > clock_get(c, i)) return false;
  return true;
}
