/*
 * A barrier that lies in memory, as cuda::barrier does. Its phases follow each other: each ends when as many
 * threads have arrived as it expects. In 8 bytes, as on the device:
 *
 *     | number of the phase: 24 bits | arrivals that each phase expects: 20 bits | still missing: 20 bits |
 */
#ifndef CUCC_STATE_PHASE_H
#define CUCC_STATE_PHASE_H

#include "base/base.h"

#define ARRIVALS_MAX 0xfffffu

/* What a thread does that waits for a phase: the words of a report depend on it. As in include/cucc/phases.h. */
enum phase_use { OF_BARRIER, PRODUCER_ACQUIRES, CONSUMER_WAITS };

static inline uint32_t phase_missing(uint64_t state) { return state & ARRIVALS_MAX; }
static inline uint32_t phase_expected(uint64_t state) { return state >> 20 & ARRIVALS_MAX; }
static inline uint32_t phase_number(uint64_t state) { return (uint32_t)(state >> 40); }
static inline uint64_t phase_state(uint32_t number, uint32_t expected, uint32_t missing) {
  return (uint64_t)number << 40 | (uint64_t)expected << 20 | missing;
}
static inline uint64_t phase_next(uint64_t state) {
  return phase_state(phase_number(state) + 1, phase_expected(state), phase_expected(state));
}

/* Is the phase that a thread waits for still the running one? Named by its number, or by whether that is odd. */
static inline bool phase_runs(uint64_t state, uint32_t phase, bool by_parity) {
  const uint32_t now = phase_number(state);
  return by_parity ? (now & 1) == (phase & 1) : now == phase;
}

#endif
