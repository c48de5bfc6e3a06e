#ifndef CUCC_BASE_CLOCK_H
#define CUCC_BASE_CLOCK_H

#include "base/base.h"

/* A vector clock: for each stream slot, how many of its operations come before. `us` is the same in the
 * modelled time of state/timeline.c: when all of them have ended. A zeroed struct is the empty clock. */
struct clock {
  uint32_t count;
  uint64_t *at;
  double us;
};
void clock_join(struct clock *into, const struct clock *other);
void clock_set(struct clock *c, uint32_t slot, uint64_t seq);
void clock_free(struct clock *c);
static inline uint64_t clock_get(const struct clock *c, uint32_t slot) {
  return slot < c->count ? c->at[slot] : 0;
}
/* All of `other` is in c. */
bool clock_covers(const struct clock *c, const struct clock *other);

#endif
