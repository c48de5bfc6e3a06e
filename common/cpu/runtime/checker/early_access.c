/*
 * Accesses of the host to pinned and managed memory while kernels may use it.
 *
 * A kernel runs at any time between its launch and the moment when the host has waited for it. While there is
 * such work, the host's accesses are stamped into the shadow like those of threads, with identifiers of their
 * own range, each for a number of operations asked for so far. A kernel that finds the stamp of an access
 * from after its launch has met the host; so has the host that finds a record of work it has not waited for.
 *
 * A program whose host reads such memory as volatile or atomic synchronises with its kernels by its own
 * protocol: from then on no races with the host are reported.
 */
#include "checker/early_access.h"
#if CUCC_CHECKED
#include <stdio.h>

#include "base/options.h"
#include "memory/arena.h"
#include "memory/shadow.h"
#include "checker/awaited.h"
#include "checker/describe.h"
#include "checker/findings.h"
#include "checker/host_stamps.h"
#include "checker/past.h"
#include "checker/thread_state.h"

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
  const struct awaited work = {p->stream, p->seq, p->issue};
  f.cause = awaited_cause(WAITS_HOST, &work, UINT64_MAX, EARLY_ACCESS_CAUSE);
  finding_add(&f);
}

static void meet(struct cell *c, uintptr_t at, void *context) {
  struct meeting *m = context;
  struct past p;
  if (!m->reported && past_unseen(c->write, &p)) {
    report(m, at, &p, true);
    m->reported = true;
  } else if (!m->reported && m->writes && past_unseen(c->read, &p)) {
    report(m, at, &p, false);
    m->reported = true;
  }
  struct sites *sites = &ARENA_SITES[(at - ARENA_BASE) / 4];
  *(m->writes ? &c->write : &c->read) = m->stamp;
  *(m->writes ? &sites->write : &sites->read) = site_of(m->pc);
}

void early_access(uintptr_t address, size_t size, unsigned access, uintptr_t pc) {
  struct allocation a;
  if (!__atomic_load_n(&host_has_work_in_flight, __ATOMIC_RELAXED) || host_talks_to_kernels ||
      thread_state.callback || !checking(TOOL_RACE))
    return;
  if (access & (VOLATILE | ATOMIC)) {
    host_talks_to_kernels = true;
    return;
  }
  if (!memory_find(address, &a) || a.freed || address - a.start >= a.size ||
      size > a.size - (address - a.start))
    return;
  struct meeting m = {.pc = pc, .size = size <= 16 ? size : 1, .writes = access & WRITE};
  pthread_mutex_lock(&stamps_lock);
  m.stamp = stamp_now();
  shadow_each(address, size, meet, &m);
  pthread_mutex_unlock(&stamps_lock);
}

#endif
