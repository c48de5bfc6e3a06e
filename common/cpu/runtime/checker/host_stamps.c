/* Stamps of the host's accesses to memory that kernels touch, too. */
#include "checker/host_stamps.h"
#if CUCC_CHECKED
#include "state/op.h"
#include "state/state.h"
#include "memory/shadow.h"

#define STAMPS (HOST_LAST - HOST_FIRST + 1)

static uint64_t stamps[STAMPS]; /* operations asked for at that time */
static uint32_t stamp_count;
bool host_has_work_in_flight,
    host_talks_to_kernels; /* work is in flight; host and kernel have their own way */
pthread_mutex_t stamps_lock = PTHREAD_MUTEX_INITIALIZER;

void host_stamps_queued(void) { __atomic_store_n(&host_has_work_in_flight, true, __ATOMIC_RELAXED); }

void host_stamps_all_waited(void) { __atomic_store_n(&host_has_work_in_flight, false, __ATOMIC_RELAXED); }

bool host_stamp_in_order(const struct op *op, uint32_t record) {
  return op->issue > __atomic_load_n(&stamps[ID(record) - HOST_FIRST], __ATOMIC_RELAXED);
}

/* The record of an access that the host makes now; with the lock held. */
uint32_t stamp_now(void) {
  const uint64_t now = __atomic_load_n(&cucc.issued, __ATOMIC_RELAXED);
  if (!stamp_count || stamps[stamp_count - 1] != now) {
    if (stamp_count == STAMPS) { /* they would be used again: forget what they meant */
      shadow_forget();
      stamp_count = 0;
    }
    __atomic_store_n(&stamps[stamp_count++], now, __ATOMIC_RELAXED);
  }
  return RECORD(HOST_FIRST + stamp_count - 1);
}

#endif
