/*
 * The sentences of reports on memory: what happened, where, in which allocation, and what usually causes it.
 */
#include "checker/report.h"
#if CUCC_CHECKED
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/options.h"
#include "base/places.h"
#include "state/launch_record.h"
#include "state/op.h"
#include "state/streams.h"
#include "state/worker.h"
#include "memory/arena.h"
#include "memory/shadow.h"
#include "checker/awaited.h"
#include "checker/describe.h"
#include "checker/findings.h"
#include "checker/early_access.h"
#include "checker/ids.h"
#include "checker/past.h"
#include "checker/relation.h"
#include "checker/thread_state.h"

/* ---------------------------------------------------------------------------------------------- initcheck */

void report_uninitialised(const struct region *r, uintptr_t address, size_t size, uintptr_t pc, uint3 block,
                          uint3 thread, bool arriving) {
  const struct launch *launch = cucc_worker->launch;
  /* A thread that was stopped for a fault left things unwritten: that is no fault of others. */
  if (launch->error || finding_repeats(TOOL_INIT, false, pc, launch)) return;
  struct finding f = finding_here(TOOL_INIT, pc);
  f.block = block;
  f.thread = thread;
  char who[96];
  thread_text(who, sizeof who, &f);
  const bool shared = r == &thread_state.shared;
  describe_address(&f, address, size);
  snprintf(f.sentence, sizeof f.sentence, "%s reads %zu byte%s of %s memory %s", who, size, plural_s(size),
           shared ? "shared" : "device",
           arriving ? "before the copy to there has arrived" : "that was never written");
  struct allocation a;
  f.cause =
      arriving
          ? "no wait for the copy (__pipeline_wait_prior, cg::wait, consumer_wait, the wait of its barrier) "
            "between it and what reads it, one that leaves a batch too many under way, or no commit after "
            "the copy; then a barrier, for the other threads"
      : shared ? "a tile that not every thread fills, or that is read before it is filled; shared memory "
                 "starts as garbage in each block"
      : memory_find(address, &a) && is_pitched(&a)
          ? "rows that lie pitch bytes apart, not width * sizeof: row y starts at (float *)((char *)p + "
            "y * pitch); or a missing cudaMemcpy2D or cudaMemset2D"
          : "a missing cudaMemcpy or cudaMemset before the launch, or one of too few bytes; cudaMalloc does "
            "not clear memory";
  finding_add(&f);
}

void report_empty_copy(const struct op *op) {
  if (finding_repeats(TOOL_INIT, false, op->site, NULL)) return;
  struct finding f = {.tool = TOOL_INIT, .site = op->site};
  snprintf(f.sentence, sizeof f.sentence, "%s copies %zu bytes back to the host that were never written",
           op->call, op->bytes);
  describe_address(&f, (uintptr_t)op->src, 4);
  *f.index = 0;
  f.cause = "a kernel that was not launched (is its error checked before this copy?), that writes nothing or "
            "another array, "
            "or that runs in another stream and was not waited for";
  finding_add(&f);
}

/* ---------------------------------------------------------------------------------------------- racecheck */

static const char *race_cause(enum relation relation, const struct region *r, bool both_write, bool two_lines,
                              bool atomic) {
  const bool shared = r == &thread_state.shared;
  if (relation == THE_HOST) return EARLY_ACCESS_CAUSE;
  if (relation == OTHER_OPERATION) return "a missing cudaStreamWaitEvent or synchronise between two streams";
  if (atomic)
    return "a plain access to a value that others update atomically: every update must be atomic, and a "
           "plain read wait for a "
           "barrier or the next launch";
  if (shared && thread_state.phases)
    return "a barrier in memory orders what comes before arrive() and what comes after the wait for that "
           "phase, "
           "nothing else: a missing wait, an access after arriving, a barrier that expects too few arrivals, "
           "or "
           "a lane that arrives for its warp without a __syncwarp";
  if (shared && cucc_worker->count > 32)
    return "a missing __syncthreads between filling shared memory and using it, or before it is filled "
           "again; "
           "or a sum or maximum that needs an atomic function";
  if (shared) return "lanes of a warp do not run in step: __syncwarp or __syncthreads must lie between";
  if (both_write && two_lines)
    return "two lines write the same element: parts of one array that overlap, as where one begins before "
           "the other ends; or an index without blockIdx or threadIdx, or with x for y or the height for the "
           "width";
  if (both_write)
    return "several threads write one element: an index without blockIdx or threadIdx, or with x for y or "
           "the height for the width; or an update that needs an atomic function";
  return relation == OTHER_BLOCK ? "several blocks use one element, in any order: an index without blockIdx; "
                                   "or sums need an atomic function, stencils a second array, else a "
                                   "second launch"
                                 : "several threads use one element: sums need an atomic function, stencils "
                                   "a second array, or __syncthreads is missing";
}

/* Two launches, in two streams, that write the same elements: this explains other races of what they
 * write. */
static struct {
  pthread_mutex_t lock;
  char file[128], words[480];
  int line;
} writers = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The running launch writes what that of `p` writes. */
static void keep_writers(const struct launch *launch, const struct past *p) {
  char other[176] = "";
  if (!p->line) return;
  if (p->line != launch->line || strcmp(p->file, launch->file))
    snprintf(other, sizeof other, " and at %.150s:%d", launch->file, launch->line);
  pthread_mutex_lock(&writers.lock);
  if (!writers.line) {
    snprintf(writers.file, sizeof writers.file, "%s", p->file);
    snprintf(writers.words, sizeof writers.words,
             "kernels of two streams write the same elements, launched at %.150s:%d%s: should both write "
             "them? Else a missing cudaStreamWaitEvent or synchronise between the two streams",
             p->file, p->line, other);
    writers.line = p->line;
  }
  pthread_mutex_unlock(&writers.lock);
}

static const char *writers_cause(const struct past *p, const char *usual) {
  pthread_mutex_lock(&writers.lock);
  const bool known = p && p->line && p->line == writers.line && !strcmp(p->file, writers.file);
  pthread_mutex_unlock(&writers.lock);
  return known ? writers.words : usual;
}

void report_reset(void) { writers.line = 0; }

/* Of two operations in two streams: why neither waits for the other. */
static const char *streams_cause(const struct op *op, const struct past *p, const char *usual) {
  if (!p) return usual;
  const struct awaited here = {op->stream->id, op->seq, op->issue}, there = {p->stream, p->seq, p->issue};
  return op->issue > p->issue ? awaited_cause(here.stream, &there, here.issue, usual)
                              : awaited_cause(there.stream, &here, there.issue, usual);
}

/* Another operation: a kernel or copy in a stream. */
static void party_text(char *out, size_t size, const struct past *p) {
  if (p)
    snprintf(out, size, "%.60s in stream %d", p->name, p->stream);
  else
    snprintf(out, size, "other work");
}

/* A record of a read may stand for atomic updates by several threads. */
static bool other_atomic(uint32_t other, bool other_writes) {
  return other_writes ? other & FLAG : BY_ATOMICS(other);
}

static const char *other_did(uint32_t other, bool other_writes, uintptr_t pc) {
  const bool stores = other_writes && site_kind[(uint16_t)pc] & STORE;
  return other_atomic(other, other_writes) && !stores ? "atomically updates"
         : other_writes                               ? "writes"
                                                      : "reads";
}

/* Who did the other access, as far as the record says. */
static void other_text(struct finding *f, uint32_t other, bool other_writes, enum relation relation) {
  const struct worker *w = cucc_worker;
  const char *did = other_did(other, other_writes, f->other_site);
  const bool several = !other_writes && (other & FLAG);
  const uint3 t = w->index_of[WHO(other) % (unsigned)w->count];
  if (relation == OTHER_OPERATION) {
    const struct past *p = past_of(other);
    if (p && p->line)
      snprintf(f->other, sizeof f->other, "where %.40s in stream %d %s it (launched at %.60s:%d)", p->name,
               p->stream, did, p->file, p->line);
    else if (p) {
      snprintf(f->other, sizeof f->other, "where %.40s in stream %d %s it", p->name, p->stream, did);
      f->other_site = p->site;
    }
  } else if (relation == THE_HOST)
    snprintf(f->other, sizeof f->other, "where the host %s it, without having waited", did);
  else if (several && (WHO(other) & ~2u) == WHO(MANY_BLOCKS))
    snprintf(f->other, sizeof f->other, "where several blocks %s it", BY_ATOMICS(other) ? "update" : "read");
  else if (several)
    snprintf(f->other, sizeof f->other, "where several threads of the block %s it",
             BY_ATOMICS(other) ? "update" : "read");
  else if (relation == OTHER_BLOCK) {
    const uint64_t b = block_of(other);
    const uint3 g = w->launch->grid;
    snprintf(f->other, sizeof f->other, "where thread (%u,%u,%u) of block (%llu,%llu,%llu) %s it", t.x, t.y,
             t.z, (unsigned long long)(b % g.x), (unsigned long long)(b / g.x % g.y),
             (unsigned long long)(b / g.x / g.y), did);
  } else
    snprintf(f->other, sizeof f->other, "where thread (%u,%u,%u) of the same block %s it", t.x, t.y, t.z,
             did);
}

static const char *const between[] = {"",
                                      "another lane of its warp",
                                      "another thread of its block",
                                      "a thread of another block",
                                      "other work",
                                      "the host"};

/* The memory of a race. */
static const char *memory_of(const struct region *r, uintptr_t address) {
  return r == &thread_state.shared            ? "shared"
         : r == &arena && is_managed(address) ? "managed"
         : r == &arena && !is_device(address) ? "pinned host"
                                              : "global";
}

static const char plain_cause[] =
    "another thread can come between the plain read and the atomic function: use the value that the "
    "function returns; with atomicCAS, try again in a loop until it is the expected one";
static const char swap_cause[] =
    "another thread can come between the read and atomicCAS, which then stores nothing: try again in a loop "
    "until the value that it returns is the expected one";

/* Of an operation on a barrier in memory. */
static const char *object_cause(bool both_atomic) {
  return both_atomic
             ? "a cuda::barrier of thread_scope_block is for the threads of one block only: where several "
               "blocks meet, it takes thread_scope_device"
             : "init(&barrier, count) is for one thread, before all others use the barrier: it takes a "
               "__syncthreads() between the two";
}

static bool on_two_lines(uintptr_t pc, uintptr_t other_pc) {
  const struct place here = place_of(pc), there = place_of(other_pc);
  return here.line && there.line && (here.line != there.line || strcmp(here.file, there.file));
}

void report_race(const struct region *r, uintptr_t address, size_t size, unsigned access, uintptr_t pc,
                 uint32_t other, bool other_writes, uintptr_t other_pc, bool same_value) {
  struct worker *w = cucc_worker;
  if (w->launch->error || finding_repeats(TOOL_RACE, same_value, pc, w->launch)) return;
  const enum relation relation = relation_of(&thread_state, other, !other_writes);
  struct finding f = finding_here(TOOL_RACE, pc);
  char who[96];
  thread_text(who, sizeof who, &f);
  f.warning = same_value;
  f.other_site = other_pc;
  const struct past *p = relation == OTHER_OPERATION ? past_of(other) : NULL;
  char party[96];
  party_text(party, sizeof party, p);
  snprintf(f.sentence, sizeof f.sentence, "%s %s %s memory that %s %s%s without synchronisation between them",
           who, access_verb(access), memory_of(r, address), p ? party : between[relation],
           other_did(other, other_writes, other_pc), same_value ? " (with the same value)" : "");
  describe_address(&f, address, size);
  other_text(&f, other, other_writes, relation);
  f.cause = race_cause(relation, r, other_writes && (access & WRITE), on_two_lines(pc, other_pc),
                       (access & ATOMIC) || other_atomic(other, other_writes));
  if ((access & ATOMIC) && other_atomic(other, other_writes))
    f.cause =
        "atomicAdd_block and its kind are atomic among the threads of one block only: where several blocks "
        "update a value, it takes atomicAdd";
  if (p && other_writes && (access & WRITE)) keep_writers(w->launch, p);
  if (p) f.cause = writers_cause(p, streams_cause(w->launch->op, p, f.cause));
  const bool plain_read = access & ATOMIC ? !other_writes && !BY_ATOMICS(other) : !(access & WRITE);
  const unsigned kind = site_kind[(uint16_t)(access & ATOMIC ? pc : other_pc)];
  if (plain_read && (~kind & (ALONE | SWAP)) == 0 && relation <= OTHER_BLOCK) f.cause = plain_cause;
  if (access & OBJECT) f.cause = object_cause(access & ATOMIC && other_atomic(other, other_writes));
  finding_add(&f);
}

/* What makes an update of an atomic load and an atomic store is no data race by C++'s rules: an error are
 * volatile accesses, and atomicExch and atomicCAS of a value that was read before. */
static bool by_atomic_objects(uintptr_t load_pc, uintptr_t store_pc) {
  return (site_kind[(uint16_t)load_pc] & (LOAD | VOLATILE)) == LOAD &&
         (site_kind[(uint16_t)store_pc] & (STORE | VOLATILE | ALONE)) == STORE;
}

void report_lost(const struct region *r, const struct lost *lost) {
  static const char update[] = "loads, changes and stores";
  struct worker *w = cucc_worker;
  const uintptr_t pc = lost->pc, other_pc = lost->other_pc;
  const bool updates = lost->load_pc, other_updates = lost->other_load_pc;
  const bool of_objects = (updates || other_updates) && (!updates || by_atomic_objects(lost->load_pc, pc)) &&
                          (!other_updates || by_atomic_objects(lost->other_load_pc, other_pc)) &&
                          !((site_kind[(uint16_t)pc] | site_kind[(uint16_t)other_pc]) & VOLATILE);
  if (w->launch->error || finding_repeats(TOOL_RACE, of_objects, pc, w->launch)) return;
  struct finding f = finding_here(TOOL_RACE, pc);
  char who[96];
  thread_text(who, sizeof who, &f);
  f.warning = of_objects;
  f.other_site = other_pc;
  snprintf(f.sentence, sizeof f.sentence, "%s %s %s memory that %s %s without synchronisation between them",
           who, updates ? update : access_verb(lost->access), memory_of(r, lost->address),
           between[lost->relation], other_updates ? update : other_did(lost->other, true, other_pc));
  describe_address(&f, lost->address, lost->size);
  other_text(&f, lost->other, true, lost->relation);
  f.cause =
      of_objects
          ? "another thread can come between the load and the store, and what it writes is lost: use "
            "fetch_add, fetch_max or compare_exchange_strong in a loop; this is no error in a loop that "
            "repeats until nothing changes"
      : site_kind[(uint16_t)pc] & SWAP ? swap_cause
      : updates || other_updates
          ? "another thread can come between the load and the store, and what it writes is lost; volatile "
            "makes no update atomic: use atomicAdd or another atomic function"
          : "several blocks write one element, in any order: volatile orders nothing; an index without "
            "blockIdx, or an update that needs an atomic function";
  finding_add(&f);
}

void report_copy_race(const struct op *op, uintptr_t address, bool writes, uint32_t other,
                      bool other_writes) {
  if (finding_repeats(TOOL_RACE, false, op->site, NULL)) return;
  const struct past *p = past_of(other);
  struct finding f = {.tool = TOOL_RACE, .site = op->site};
  char party[96];
  party_text(party, sizeof party, p);
  snprintf(f.sentence, sizeof f.sentence,
           "%s in stream %d %s %s memory that %s %s without synchronisation between them", op->call,
           op->stream->id,
           op->kind == OP_FREE ? "frees"
           : writes            ? "writes"
                               : "reads",
           is_device(address)    ? "device"
           : is_managed(address) ? "managed"
                                 : "pinned",
           party, other_writes ? "writes" : "reads");
  if (p && p->line)
    snprintf(f.other, sizeof f.other, "%.60s, launched at %.60s:%d", p->name, p->file, p->line);
  else if (p) {
    f.other_site = p->site;
    snprintf(f.other, sizeof f.other, "%.60s", p->name);
  }
  describe_address(&f, address, 4);
  f.cause =
      !strncmp(op->call, "cublas", 6)
          ? "cublasSetStream forgotten (the handle works in the default stream until then), or a missing "
            "cudaStreamWaitEvent or synchronise between two streams"
          : "a missing cudaStreamWaitEvent or synchronise between two streams; the same buffer used for two "
            "chunks";
  f.cause = writers_cause(p, streams_cause(op, p, f.cause));
  finding_add(&f);
}

void report_early_copy(const struct op *op, const struct allocation *a) {
  if (finding_repeats(TOOL_MEM, false, op->site, NULL)) return;
  struct finding f = {.tool = TOOL_MEM, .site = op->site};
  snprintf(f.sentence, sizeof f.sentence, "%s in stream %d of memory before its %s in another stream",
           op->call, op->stream->id, a->call);
  describe_address(&f, a->start, 1);
  *f.index = 0;
  f.cause = early_cause;
  finding_add(&f);
}

#endif
