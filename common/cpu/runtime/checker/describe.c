/* The texts that several findings share: threads, places, allocations and indices. */
#include "checker/describe.h"
#if CUCC_CHECKED
#include <stdio.h>
#include <string.h>

#include "base/places.h"
#include "state/worker.h"
#include "memory/arena.h"
#include "memory/given.h"
#include "memory/shadow.h"
#include "memory/shared.h"
#include "checker/findings.h"
#include "checker/thread_state.h"
#include "checker/variables.h"

const char *access_verb(unsigned access) {
  return (access & (ATOMIC | VOLATILE | STORE)) == ATOMIC
             ? (access & WRITE ? "atomically updates" : "atomically reads")
         : access & WRITE ? "writes"
                          : "reads";
}

const char *plural_s(size_t n) { return n == 1 ? "" : "s"; }

void thread_text(char *out, size_t size, const struct finding *f) {
  snprintf(out, size, "thread (%u,%u,%u) of block (%u,%u,%u)", f->thread.x, f->thread.y, f->thread.z,
           f->block.x, f->block.y, f->block.z);
}

/* "add.cu:41", or how it came about where there is no line. */
static void place_text(char *out, size_t size, uintptr_t site) {
  const struct place p = site ? place_of(site) : (struct place){{0}, 0};
  if (p.line)
    snprintf(out, size, " at %.200s:%d", p.file, p.line);
  else
    *out = 0;
}

/* What the array was made of, as far as an access of `size` bytes tells: a structure, too, when it fits. */
static size_t element_of(size_t size, size_t length) {
  return size && (size <= 16 || length % size == 0) ? size : 1;
}

/* offset: from the start of an array of `length` bytes, perhaps negative */
static void index_text(struct finding *f, int64_t offset, size_t length, size_t element) {
  const int64_t size = (int64_t)element, index = offset >= 0 ? offset / size : -((-offset + size - 1) / size);
  const size_t n = length / element;
  char last[48] = "";
  if (length < element) { /* a vector in an array that is smaller than one */
    snprintf(f->index, sizeof f->index, "bytes %lld to %lld, the array has %zu byte%s", (long long)offset,
             (long long)offset + size - 1, length, plural_s(length));
    return;
  }
  if (offset >= (int64_t)length && n) snprintf(last, sizeof last, ", the last is %zu", n - 1);
  snprintf(f->index, sizeof f->index, "element %lld of %zu (of %zu byte%s)%s", (long long)index, n, element,
           plural_s(element), last);
}

static void describe_shared(struct finding *f, uintptr_t address, size_t size) {
  const size_t offset = address - thread_state.shared.base, dynamic = shared_dynamic_offset();
  const struct variable *v = shared_variable_near(offset);
  if (!v) return;
  if (v->offset == dynamic) {
    const size_t bytes = cucc_worker->launch->shared_bytes;
    if (bytes)
      snprintf(f->allocation, sizeof f->allocation,
               "%zu bytes of dynamic shared memory, requested by the launch", bytes);
    else
      snprintf(f->allocation, sizeof f->allocation,
               "dynamic shared memory, but the launch requested none (third argument of <<< >>>)");
    index_text(f, (int64_t)(offset - dynamic), bytes, size);
    return;
  }
  snprintf(f->allocation, sizeof f->allocation, "%zu bytes of shared memory, `%s`", v->size, v->name);
  index_text(f, (int64_t)(offset - v->offset), v->size, size);
}

void describe_allocation(struct finding *f, const struct allocation *a, uintptr_t address, size_t size) {
  char made[256], freed[256];
  struct given array;
  const bool given = given_find(a->start, &array) && array.start == a->start;
  const size_t bytes = given ? array.size : a->size;
  place_text(made, sizeof made, given ? 0 : a->site);
  place_text(freed, sizeof freed, a->freed_site);
  snprintf(f->allocation, sizeof f->allocation, "%zu byte%s of %s, %.90s%.90s%s%.90s", bytes, plural_s(bytes),
           memory_name(a->space), given ? array.name : a->call, made, a->freed_site ? ", freed" : "",
           a->freed_site ? freed : "");
  index_text(f, (int64_t)(address - a->start), a->size, element_of(size, a->size));
}

void describe_address(struct finding *f, uintptr_t address, size_t size) {
  struct allocation a;
  if (cucc_worker && address - thread_state.shared.base < thread_state.shared.size) {
    describe_shared(f, address, size);
    return;
  }
  if (variable_describe(f, address, size)) return;
  if (address - data.base < data.size) {
    snprintf(f->allocation, sizeof f->allocation, "a variable of the program");
    return;
  }
  if (memory_find(address, &a)) describe_allocation(f, &a, address, size);
}

const char early_cause[] =
    "memory of cudaMallocAsync is available to later work of that stream; another one must wait for an event "
    "recorded after it";

/* The rows of such an array lie apart. */
bool is_pitched(const struct allocation *a) {
  return !strcmp(a->call, "cudaMallocPitch") || !strcmp(a->call, "cudaMalloc3D");
}

#endif
