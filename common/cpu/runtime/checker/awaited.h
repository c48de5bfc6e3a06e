#ifndef CUCC_CHECKER_AWAITED_H
#define CUCC_CHECKER_AWAITED_H

#include "base/base.h"
#include "base/check.h"

struct CUevent_st;

#define WAITS_HOST (-1) /* in the place of a stream: the host waits */

/* The host, or a stream, waits for an event from here on. With cucc.lock held. */
CHECK(void awaited_event(int waiter, const struct CUevent_st *e, uintptr_t site))

/* An operation: its stream, its place there and in the order of all. */
struct awaited {
  int stream;
  uint64_t seq, issue;
};
/* Why `waiter` has not waited for the operation, where it waited for an event that does not come after it:
 * recorded in another stream, too early, or never. Only waits from after the operation up to `until` (in
 * the order of all operations) count. `usual` where there is no such wait. */
const char *awaited_cause(int waiter, const struct awaited *work, uint64_t until, const char *usual);

#endif
