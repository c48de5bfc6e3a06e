/* The words of findings on bad addresses: where they lie, and the usual cause. */
#include "checker/bad_address.h"
#if CUCC_CHECKED
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "state/device.h"
#include "state/launch_record.h"
#include "state/worker.h"
#include "memory/arena.h"
#include "memory/given.h"
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
static const char *past_cause(const struct finding *f, const struct allocation *a, size_t offset, size_t size,
                              bool astray) {
  const size_t index = offset / size, n = a->size / size, wrapped = UINT32_MAX - index;
  if (astray && index <= UINT32_MAX && wrapped < 1 << 20)
    return "an unsigned index that went below 0: 0u - 1 is 4294967295; check for the first element";
  if (astray)
    return "a pointer or index that was never set, a product that overflowed, or bytes counted as elements";
  if (is_pitched(a))
    return "the pitch counts bytes, not elements: row y starts at (float *)((char *)p + y * pitch); or no "
           "guard like `if (y < height)`";
  /* by the index that a thread has along x */
  const uint3 block = f->launch ? f->launch->block : (uint3){0, 0, 0};
  const size_t thread = (size_t)f->block.x * block.x + f->thread.x;
  /* whole blocks past the end are more than a number of blocks that was rounded up */
  const bool too_small = f->launch && !given_find(a->start, &(struct given){0}) &&
                         (f->launch->blocks - 1) * (uint64_t)f->launch->threads > n;
  if (f->launch && index == thread && !too_small && f->launch->flags & CUCC_RETURNS)
    return "no guard like `if (i < n)`; or an argument of another type than the kernel's parameter, such as "
           "an int for a "
           "size_t: an array of pointers to arguments says nothing about types";
  if (f->launch && index == thread && !too_small)
    return "no guard like `if (i < n)`: the last block has more threads than elements are left; or <= for <";
  if (index == thread && too_small)
    return "an array made too small, as cudaMalloc(n) for n * sizeof(float); or no guard like `if (i < n)`";
  if (f->launch && index > thread && index - thread <= 2)
    return "an index that is too large, such as i + 1 without a check for the last element, or a number that "
           "was increased before it was used as an index";
  if (f->launch && f->launch->blocks > 1 && f->block.x + f->block.y + f->block.z == 0)
    return "this is the first of several blocks: a loop that goes on too far, or sizes that are exchanged, "
           "such as rows and columns among the arguments of the launch; or an array made too small";
  return "no guard like `if (i < n)`: the last block has more threads than elements are left; or <= for <, "
         "or an array made too small: cudaMalloc(n) for n * sizeof";
}

#define FAR ((size_t)1 << 24) /* past so many bytes an index is no longer one element too large */

static void explain_past(struct finding *f, const char *who, const struct allocation *a, uintptr_t address,
                         size_t size, unsigned access) {
  const size_t past = address - a->start - a->size;
  char distance[48] = "immediately";
  if (past) snprintf(distance, sizeof distance, "%zu byte%s", past, plural_s(past));
  snprintf(f->sentence, sizeof f->sentence, "%s %s %zu byte%s, %s past the end of %s", who,
           access_verb(access), size, plural_s(size), distance,
           past > FAR ? "the nearest array" : "its array");
  f->cause = past_cause(f, a, address - a->start, size, past > FAR);
}

static void explain_before(struct finding *f, const char *who, const struct allocation *a, uintptr_t address,
                           size_t size, unsigned access) {
  const size_t before = a->start - address;
  const bool astray = before > FAR;
  snprintf(f->sentence, sizeof f->sentence, "%s %s %zu byte%s, %zu byte%s before the start of %s", who,
           access_verb(access), size, plural_s(size), before, plural_s(before),
           astray ? "the nearest array" : "its array");
  f->cause =
      astray ? "an index that overflowed: int * int beyond 2147483647 turns negative; compute it in size_t"
             : "an index like i - 1 without a check for the first element; or the % of a negative number, "
               "which is negative";
}

/* Can this process read the byte? The system looks for us, so that nothing faults. */
static bool readable(uintptr_t address) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC)) return true;
  const bool is = write(ends[1], (const void *)address, 1) == 1;
  close(ends[0]);
  close(ends[1]);
  return is;
}

/* So many bytes outside of page-locked memory an address is taken for an index that is wrong: a page, or as
 * many as the memory has. */
static size_t close_by(const struct allocation *a) { return a->size > 4096 ? a->size : 4096; }

/* Host memory that a kernel must not touch is the host's own array, whose pointer the kernel got; or it lies
 * outside of page-locked memory, whose pointer was right and whose index was not. */
void explain_host(struct finding *f, const char *who, uintptr_t address, size_t size, unsigned access) {
  struct allocation a;
  struct given array;
  const bool own = given_find(address, &array), there = readable(address);
  if (!own && memory_nearest_registered(address, &a) &&
      (!there || address - a.start - a.size < close_by(&a) || a.start - address < close_by(&a))) {
    describe_allocation(f, &a, address, size);
    (address < a.start ? explain_before : explain_past)(f, who, &a, address, size, access);
  } else if (there) {
    snprintf(f->sentence, sizeof f->sentence, "%s %s %zu byte%s of host memory: a host pointer in a kernel",
             who, access_verb(access), size, plural_s(size));
    if (own)
      snprintf(f->allocation, sizeof f->allocation, "%zu byte%s of host memory, %s", array.size,
               plural_s(array.size), array.name);
    f->cause = "the launch was given an array from malloc (or the h_ pointer), a structure that holds one, a "
               "host variable for a reference parameter, or a pointer that was never set; pass the one from "
               "cudaMalloc";
  } else {
    snprintf(f->sentence, sizeof f->sentence, "%s %s %zu byte%s where there is no memory", who,
             access_verb(access), size, plural_s(size));
    f->cause =
        "a pointer that was never set, host memory that was freed, or an index far outside of its array";
  }
}

void explain_arena(struct finding *f, const char *who, uintptr_t address, size_t size, unsigned access) {
  struct allocation a;
  struct given array;
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
  } else if (within && given_find(address, &array) && array.size == 0) {
    snprintf(f->sentence, sizeof f->sentence, "%s %s %zu byte%s of an array without elements", who,
             access_verb(access), size, plural_s(size));
    f->cause = "no guard like `if (i < n)`, or <= for <: where n is 0, no thread has anything to do";
  } else if (within) {
    snprintf(f->sentence, sizeof f->sentence, "%s %s %zu byte%s that reach beyond the end of its array", who,
             access_verb(access), size, plural_s(size));
    f->cause = "a wider type at the last element, or an array whose size is no multiple of that type's";
  } else
    (offset < 0 ? explain_before : explain_past)(f, who, &a, address, size, access);
}

#endif
