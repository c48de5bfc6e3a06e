/*
 * What all calls share that allocate device, pinned or managed memory.
 *
 * New device memory is filled with 0xff (a NaN, or -1): memory that happens to be zero hides a forgotten
 * initialisation. memory/arena.c decides where an allocation lies. Mapped, managed and registered memory is
 * used by host and device at one address.
 */
#include "engine/memory.h"

#include <stdio.h>
#include <string.h>

#include "state/counters.h"
#include "state/failed.h"
#include "state/sample.h"
#include "state/state.h"
#include "memory/arena.h"
#include "memory/shadow.h"
#include "checker/misuse.h"
#include "engine/entry.h"

/* Larger allocations are left as the system gives them: filling costs time. */
#define POISON_MAX ((size_t)64 << 20)

/* A size near the top of size_t was computed from a negative number. */
static void explain_refusal(const struct allocation *a, size_t most) {
  char sentence[160];
  if (a->size > SIZE_MAX / 2)
    snprintf(sentence, sizeof sentence, "%s of %lld bytes, which become %zu as a size_t", a->call,
             (long long)a->size, a->size);
  else
    snprintf(sentence, sizeof sentence, "%s of %zu bytes; the device has %zu, of which %zu are in use",
             a->call, a->size, most, memory_live_on(a->device));
  failed_because(sentence, NULL);
}

cudaError_t memory_allocate(struct allocation *a, void **pointer) {
  cudaError_t error = cucc_enter(a->call);
  if (error) return error;
  if (!pointer) return cucc_fail(cudaErrorInvalidValue);
  check_result(pointer, a->site);
  *pointer = NULL;
  if (a->size == 0) return cudaSuccess;
  a->epoch = cucc.epoch;
  const size_t most = sampling() ? DEVICE_SIZE : memory_total();
  const bool poison = a->space == SPACE_DEVICE && a->size <= (sampling() ? SAMPLE_COPY : POISON_MAX);
  if (!arena_add(a, most, poison)) {
    explain_refusal(a, most);
    return cucc_fail(cudaErrorMemoryAllocation);
  }
  check_allocated(a->start, a->size);
  count(a->space == SPACE_PINNED ? COUNT_PINNED_ALLOCATIONS : COUNT_DEVICE_ALLOCATIONS);
  if (a->space == SPACE_PINNED) count_more(COUNT_PINNED_BYTES, a->size);
  *pointer = (void *)a->start;
  return cudaSuccess;
}
