/*
 * The host beside kernels: pinned and managed memory, which both touch.
 *
 * A kernel runs at any time between its launch and the moment when the host has waited for it. While there is
 * such work, the host's accesses are stamped into the shadow like those of threads, with identifiers of their
 * own range, each for a number of operations asked for so far. A kernel that finds the stamp of an access
 * from after its launch has met the host; so has the host that finds a record of work it has not waited for.
 *
 * A program whose host reads such memory as volatile or atomic talks to its kernels in ways of its own: from
 * then on nothing is said.
 */
#include "checker.h"
#if CUCC_CHECKED
#include <stdio.h>

#define STAMPS (HOST_LAST - HOST_FIRST + 1)

static uint64_t stamps[STAMPS]; /* operations asked for at that time */
static uint32_t stamp_count;
static bool behind, talks; /* work is in flight; host and kernel have their own way */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void beside_queued(void) { __atomic_store_n(&behind, true, __ATOMIC_RELAXED); }

void beside_all_waited(void) { __atomic_store_n(&behind, false, __ATOMIC_RELAXED); }

bool beside_in_order(const struct op *op, uint32_t record) {
  return op->issue > __atomic_load_n(&stamps[ID(record) - HOST_FIRST], __ATOMIC_RELAXED);
}

/* The record of an access that the host makes now; with the lock held. */
static uint32_t stamp(void) {
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

struct meeting {
  uint32_t stamp;
  uintptr_t pc;
  size_t size;
  bool writes, reported;
};

static void report(const struct meeting *m, uintptr_t address, const struct past *p, bool other_writes) {
  if (finding_repeats(TOOL_RACE, false, m->pc, NULL)) return;
  struct finding f = {.tool = TOOL_RACE, .site = m->pc};
  snprintf(f.sentence, sizeof f.sentence,
           "the host %s %s that %.60s in stream %d %s, and has not waited for it",
           m->writes ? "writes" : "reads", memory_name(is_managed(address) ? SPACE_MANAGED : SPACE_PINNED),
           p->name, p->stream, other_writes ? "writes" : "reads");
  if (p->line) snprintf(f.other, sizeof f.other, "%.60s, launched at %.60s:%d", p->name, p->file, p->line);
  describe_address(&f, address, m->size);
  f.cause = BESIDE_CAUSE;
  finding_add(&f);
}

static void meet(struct cell *c, uintptr_t at, void *context) {
  struct meeting *m = context;
  struct past p;
  if (!m->reported && order_behind(c->write, &p)) {
    report(m, at, &p, true);
    m->reported = true;
  } else if (!m->reported && m->writes && order_behind(c->read, &p)) {
    report(m, at, &p, false);
    m->reported = true;
  }
  struct sites *sites = &ARENA_SITES[(at - ARENA_BASE) / 4];
  *(m->writes ? &c->write : &c->read) = m->stamp;
  *(m->writes ? &sites->write : &sites->read) = site_of(m->pc);
}

void beside_access(uintptr_t address, size_t size, unsigned access, uintptr_t pc) {
  struct allocation a;
  if (!__atomic_load_n(&behind, __ATOMIC_RELAXED) || talks || lane.callback || !checking(TOOL_RACE)) return;
  if (access & (VOLATILE | ATOMIC)) {
    talks = true;
    return;
  }
  if (!memory_find(address, &a) || a.freed || address - a.start >= a.size ||
      size > a.size - (address - a.start))
    return;
  struct meeting m = {.pc = pc, .size = size <= 16 ? size : 1, .writes = access & WRITE};
  pthread_mutex_lock(&lock);
  m.stamp = stamp();
  shadow_each(address, size, meet, &m);
  pthread_mutex_unlock(&lock);
}

#endif
