/* The words of findings on bad addresses: where they lie, and the usual cause. */
#include "checker/bad_address.h"
#if CUCC_CHECKED
#include <stdio.h>

#include "state/device.h"
#include "state/worker.h"
#include "memory/arena.h"
#include "checker/describe.h"
#include "checker/findings.h"

/* Where arithmetic on a pointer to device memory may lead: the arena and its surroundings. */
bool near_arena(uintptr_t address) {
  const size_t margin = (size_t)64 << 30;
  return address - (ARENA_BASE - margin) < ARENA_SIZE + 2 * margin;
}

/* A kernel is ahead of the allocation of its memory. */
static bool memory_early(const struct allocation *a) {
  return !a->freed && !a->free_issue && !memory_made_before(a, &cucc_worker->launch->op->clock);
}

/* Why an index of elements of `size` bytes runs past the end; astray: far past it. */
static const char *behind_cause(const struct allocation *a, size_t offset, size_t size, bool astray) {
  const size_t index = offset / size, wrapped = UINT32_MAX - index;
  if (astray && index <= UINT32_MAX && wrapped < 1 << 20)
    return "an unsigned index that went below 0: 0u - 1 is 4294967295; check for the first element";
  if (astray)
    return "a pointer or index that was never set, a product that overflowed, or bytes counted as elements";
  if (is_pitched(a))
    return "the pitch counts bytes, not elements: row y starts at (float *)((char *)p + y * pitch); or no "
           "guard like `if (y < height)`";
  return "no guard like `if (i < n)`: the last block has more threads than elements are left; or <= for <, "
         "i + 1 at the last element, or an array made too small: cudaMalloc(n) for n * sizeof";
}

void explain_arena(struct finding *f, const char *who, uintptr_t address, size_t size, unsigned access) {
  struct allocation a;
  const size_t far = (size_t)1 << 24;
  const uintptr_t inside = address < ARENA_BASE                ? ARENA_BASE
                           : address < ARENA_BASE + ARENA_SIZE ? address
                                                               : ARENA_BASE + ARENA_SIZE - 1;
  if (!memory_find(inside, &a)) {
    snprintf(f->sentence, sizeof f->sentence, "%s %s %zu byte%s where nothing was ever allocated", who,
             access_verb(access), size, plural_s(size));
    f->cause = "a pointer that was never set, or arithmetic that went far astray";
    return;
  }
  describe_allocation(f, &a, address, size);
  const int64_t offset = (int64_t)address - (int64_t)a.start;
  const size_t past = offset >= (int64_t)a.size ? (size_t)offset - a.size : 0,
               before = offset < 0 ? (size_t)-offset : 0;
  const bool astray = past > far || before > far;
  const char *const array = astray ? "the nearest array" : "its array";
  const bool within = offset >= 0 && (size_t)offset < a.size;
  if (within && !a.freed && a.space == SPACE_DEVICE &&
      !device_peer_allowed(cucc_worker->launch->device, a.device)) {
    snprintf(f->sentence, sizeof f->sentence,
             "%s %s %zu byte%s of memory of device %d, from a kernel on device %d", who, access_verb(access),
             size, plural_s(size), a.device, cucc_worker->launch->device);
    f->cause =
        "a missing cudaDeviceEnablePeerAccess; or a missing cudaSetDevice before cudaMalloc or the launch";
  } else if (within && memory_early(&a)) {
    snprintf(f->sentence, sizeof f->sentence, "%s %s %zu byte%s of memory before its %s in another stream",
             who, access_verb(access), size, plural_s(size), a.call);
    f->cause = early_cause;
  } else if (within && (a.freed || a.free_issue)) {
    snprintf(f->sentence, sizeof f->sentence, "%s %s %zu byte%s of memory that was freed", who,
             access_verb(access), size, plural_s(size));
    f->cause = a.made_seq ? "cudaFreeAsync too early in the stream, or a pointer kept after it"
                          : "cudaFree too early, or a pointer kept after it";
  } else if (within) {
    snprintf(f->sentence, sizeof f->sentence, "%s %s %zu byte%s that reach beyond the end of %s", who,
             access_verb(access), size, plural_s(size), array);
    f->cause = size == 16
                   ? "a wider type (float4) at the last element, or an array whose size is no multiple of it"
                   : "a wider type at the last element, or an array whose size is no multiple of it";
  } else if (offset < 0) {
    snprintf(f->sentence, sizeof f->sentence, "%s %s %zu byte%s, %zu byte%s before the start of %s", who,
             access_verb(access), size, plural_s(size), before, plural_s(before), array);
    f->cause =
        astray ? "an index that overflowed: int * int beyond 2147483647 turns negative; compute it in size_t"
               : "an index like i - 1 without a check for the first element; or the % of a negative number, "
                 "which is negative";
  } else {
    char distance[48] = "immediately";
    if (past) snprintf(distance, sizeof distance, "%zu byte%s", past, plural_s(past));
    snprintf(f->sentence, sizeof f->sentence, "%s %s %zu byte%s, %s past the end of %s", who,
             access_verb(access), size, plural_s(size), distance, array);
    f->cause = behind_cause(&a, (size_t)offset, size, astray);
  }
}

#endif
