/*
 * Barriers that lie in memory (cuda::barrier, and cuda::pipeline by means of it): what compiled code calls.
 *
 * In shared memory all threads that can arrive run on this thread of the operating system: one that waits is
 * parked, and when a phase can never end, that is found as with __syncthreads. In other memory threads of
 * several blocks may meet, and wait by polling. There the order of accesses is that of fences.
 */
#include "base/base.h"

#include <sched.h>

#include "state/launch_record.h"
#include "state/phase.h"
#include "state/worker.h"
#include "memory/arena.h"
#include "memory/symbol.h"
#include "checker/epochs.h"
#include "checker/fences.h"
#include "checker/seen.h"
#include "checker/sync.h"
#include "checker/thread_state.h"
#include "checker/turn.h"
#include "blocks/block.h"
#include "blocks/grid.h"
#include "blocks/overdue.h"
#include "blocks/phases.h"
#include "blocks/spin.h"
#include "hooks/copies.h"
#include "hooks/judge.h"

void cucc_phase_init(uint64_t *state, uint64_t expected);
uint32_t cucc_phase_arrive(uint64_t *state, uint64_t count, int drops, int of_block);
void cucc_phase_wait(const uint64_t *state, uint32_t phase, int by_parity, enum phase_use use);
int cucc_phase_try(const uint64_t *state, uint32_t phase, int by_parity);

/* In the shared memory of the running block. */
static bool is_shared(const uint64_t *state) {
#if CUCC_CHECKED
  return cucc_worker && (uintptr_t)state - thread_state.shared.base < thread_state.shared.size;
#else
  return cucc_worker && !in_arena((uintptr_t)state) && !symbol_is_variable((uintptr_t)state);
#endif
}

/* An operation of the running thread on a barrier. */
static void access_object(const uint64_t *state, unsigned access, uintptr_t site) {
#if CUCC_CHECKED
  if (cucc_worker) judge((uintptr_t)state, sizeof *state, access | OBJECT, site);
#else
  (void)state, (void)access, (void)site;
#endif
}

/* In shared memory: it must have begun. */
static struct worker *begun(const uint64_t *state, uintptr_t site) {
  struct worker *w = cucc_worker;
  block_settle(w);
#if CUCC_CHECKED
  if (!seen_object(w, state)) {
    check_barrier_before_init(w, site);
    launch_stop(w->launch, cudaErrorLaunchFailure);
    block_abandon(w);
  }
#else
  (void)state, (void)site;
#endif
  return w;
}

static bool has_copies(const struct worker *w, const uint64_t *state) {
#if CUCC_CHECKED
  return *seen_copies(w, state) > 0;
#else
  return (void)w, (void)state, false;
#endif
}

static void end_phase(struct worker *w, uint64_t *state) {
#if CUCC_CHECKED
  if (has_copies(w, state)) copies_arrive(w, state);
#endif
  *state = phase_next(*state);
  seen_complete(w, state);
  phases_wake(w, state);
}

/* The running thread has asked in vain. A kernel whose time is over ends here, where a report has a place. */
static void give_way(uintptr_t site) {
  struct worker *w = cucc_worker;
  if (!w) {
    sched_yield();
    return;
  }
  if (UNLIKELY(__atomic_load_n(&w->launch->overdue, __ATOMIC_RELAXED) == 1))
    overdue_stop(w->launch, site - 1);
  block_yield(w);
}

/* ---- memory that several blocks, or the host, may share ------------------------------------------------ */

static uint32_t arrive_anywhere(uint64_t *state, uint32_t count, uint32_t drops) {
  uint64_t before = __atomic_load_n(state, __ATOMIC_RELAXED), after;
  do {
    const uint32_t missing = phase_missing(before);
    after = phase_state(phase_number(before), phase_expected(before) - drops,
                        missing > count ? missing - count : 0);
    if (!phase_missing(after)) after = phase_next(after);
  } while (!__atomic_compare_exchange_n(state, &before, after, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
  return phase_number(before);
}

static bool runs_anywhere(const uint64_t *state, uint32_t phase, bool by_parity, uintptr_t site) {
  access_object(state, READ | ATOMIC, site);
  if (phase_runs(__atomic_load_n(state, __ATOMIC_ACQUIRE), phase, by_parity)) {
    give_way(site);
    return true;
  }
#if CUCC_CHECKED
  fences_acquire(&thread_state, (uintptr_t)state);
#endif
  return false;
}

/* ---- what compiled code calls -------------------------------------------------------------------------- */

void cucc_phase_init(uint64_t *state, uint64_t expected) {
  access_object(state, WRITE, CALLER);
  const uint32_t count = expected < ARRIVALS_MAX ? (uint32_t)expected : ARRIVALS_MAX;
  if (is_shared(state)) {
    block_settle(cucc_worker);
    seen_init(cucc_worker, state);
  }
  __atomic_store_n(state, phase_state(0, count, count), __ATOMIC_RELAXED);
}

uint32_t cucc_phase_arrive(uint64_t *state, uint64_t arriving, int drops, int of_block) {
  uint32_t count = arriving < ARRIVALS_MAX ? (uint32_t)arriving : ARRIVALS_MAX;
  if (!is_shared(state)) {
    access_object(state, WRITE | ATOMIC | (of_block ? BLOCK_SCOPE : 0), CALLER);
#if CUCC_CHECKED
    fences_release(&thread_state, (uintptr_t)state, FENCE_GRID);
#endif
    return arrive_anywhere(state, count, drops != 0);
  }
  struct worker *w = begun(state, CALLER);
  access_object(state, WRITE | ATOMIC, CALLER);
  if (!phase_missing(*state) && has_copies(w, state)) end_phase(w, state);
  const uint32_t missing = phase_missing(*state), phase = phase_number(*state);
  if (count > missing) {
    check_too_many_arrivals(w, CALLER, count, missing);
    count = missing;
  }
  seen_arrive(w, state);
  *state = phase_state(phase, phase_expected(*state) - (drops && phase_expected(*state)), missing - count);
  check_thread_released(w);
  check_thread_resumes(w);
  if (!phase_missing(*state) && !has_copies(w, state)) end_phase(w, state);
  return phase;
}

void cucc_phase_wait(const uint64_t *state, uint32_t phase, int by_parity, enum phase_use use) {
  if (!is_shared(state)) {
    while (runs_anywhere(state, phase, by_parity, CALLER)) {
    }
    return;
  }
  struct worker *w = begun(state, CALLER);
  access_object(state, READ | ATOMIC, CALLER);
  struct phased *mine = &w->phased[w->current];
  while (phase_runs(*state, phase, by_parity)) {
    if (!phase_missing(*state)) {
      end_phase(w, (uint64_t *)(uintptr_t)state);
      break;
    }
    mine->object = state;
    mine->use = use;
    w->at_phase++;
    block_wait(w, AT_PHASE, CALLER);
    if (!mine->object) break;
  }
  seen_wait(w, state);
}

/* Gives way before it says no, so that a thread which asks again and again does not keep the others away. */
int cucc_phase_try(const uint64_t *state, uint32_t phase, int by_parity) {
  if (!is_shared(state)) return !runs_anywhere(state, phase, by_parity, CALLER);
  struct worker *w = begun(state, CALLER);
  access_object(state, READ | ATOMIC, CALLER);
  if (phase_runs(*state, phase, by_parity)) give_way(CALLER);
  if (phase_runs(*state, phase, by_parity) && !phase_missing(*state))
    end_phase(w, (uint64_t *)(uintptr_t)state);
  if (phase_runs(*state, phase, by_parity)) return 0;
  seen_wait(w, state);
  return 1;
}
