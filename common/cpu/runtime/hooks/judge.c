/*
 * Judges an access: is there memory at this address, was it written, and is the access in order with what
 * other threads did to it?
 *
 * An access races with the last write, and a write with the last read as well, when they are of different
 * threads, not both atomic, and not ordered by anything: no earlier launch, no barrier of the block, no
 * synchronisation of the warp, no fence with an atomic operation, no event (checker/relation.c). Of several
 * readers one is kept, and how far apart they were.
 */
#include "hooks/judge.h"
#if CUCC_CHECKED
#include <string.h>

#include "base/fibers.h"
#include "base/places.h"
#include "state/device.h"
#include "state/op.h"
#include "state/worker.h"
#include "memory/arena.h"
#include "memory/shadow.h"
#include "memory/shared.h"
#include "memory/split.h"
#include "memory/symbol.h"
#include "checker/arriving.h"
#include "checker/fences.h"
#include "checker/host.h"
#include "checker/loads.h"
#include "checker/pending.h"
#include "checker/profile.h"
#include "checker/relation.h"
#include "checker/report.h"
#include "checker/thread_state.h"
#include "checker/variables.h"
#include "checker/waits.h"
#include "blocks/faults.h"
#include "hooks/bad_access.h"

/* Memory without records: stacks and the like; that of cudaHostRegister, which is counted. */
static struct region nothing, registered;

/* An access of `size` bytes at `address`, part of one of `whole` bytes at `start`. */
struct judged {
  const struct region *region;
  uintptr_t address, pc, start;
  size_t size, whole;
  unsigned access;
  struct sites *sites;
  struct plain *plain; /* of a whole word; NULL for a byte */
};

/* ---------------------------------------------------------------------------------------------- where */

static bool within(uintptr_t address, size_t size, uintptr_t start, size_t length) {
  return address - start < length && size <= length - (address - start);
}

/* Known allocation `i` becomes the first; those before it move up. */
static void know(struct thread_state *l, int i, uintptr_t start, uintptr_t end) {
  for (; i > 0; i--) l->known[i] = l->known[i - 1];
  l->known[0].start = start;
  l->known[0].end = end;
}

static bool valid_in_arena(struct thread_state *l, uintptr_t address, size_t size) {
  struct allocation a;
  for (int i = 0; i < KNOWN; i++) {
    const uintptr_t start = l->known[i].start, end = l->known[i].end;
    if (!within(address, size, start, end - start)) continue;
    if (i) know(l, i, start, end);
    return true;
  }
  const struct op *op = cucc_worker->launch->op;
  if (!memory_contains(address, size, &a)) return false;
  if (a.space == SPACE_DEVICE && !device_peer_allowed(cucc_worker->launch->device, a.device)) return false;
  if (!memory_made_before(&a, &op->clock) || (a.free_issue && a.free_issue < op->issue)) return false;
  know(l, KNOWN - 1, a.start, a.start + a.size);
  return true;
}

/* Guards are no memory of the program's: all threads of a block look at them, and nvcc has none. */
static const struct region *region_in_shared(const struct thread_state *l, uintptr_t address, size_t size) {
  const size_t offset = address - l->shared.base, dynamic = shared_dynamic_offset();
  if (within(offset, 1, dynamic, sizeof cucc_shared))
    return within(offset, size, dynamic, cucc_worker->launch->shared_bytes) ? &l->shared : NULL;
  const struct variable *v = shared_variable(offset);
  if (!v || !within(offset, size, v->offset, v->size)) return NULL;
  return v->guard ? &nothing : &l->shared;
}

/* The region that an access of a kernel falls in; NULL: it must not happen. */
static const struct region *find_region(struct thread_state *l, uintptr_t address, size_t size) {
  if (in_arena(address)) return valid_in_arena(l, address, size) ? &arena : NULL;
  if (address - l->shared.base < l->shared.size) return region_in_shared(l, address, size);
  /* with the guard, where a full stack is found (blocks/faults.c) */
  if (within(address, size, l->stack - FIBER_GUARD, l->stack_size + FIBER_GUARD)) return &nothing;
  struct device_variable v;
  if (symbol_find(address, &v) && v.kind != VARIABLE_MANAGED) return variable_region(address, size);
  if (within(address, size, data.base, data.size)) return &data;
  if (memory_pinned(address, size)) return &registered;
  return shadow_is_program(address) ? &nothing : NULL;
}

/* Loops with atomicCAS begin with a plain read (the CUDA manual's own do), and `if (v > *most)
 * atomicMax(most, v)` looks first: a stale value only costs another turn. Taken as such when the read stands
 * shortly before the atomic: in the code, or, as inlining makes several copies, in the source. What a
 * compare-and-swap tries may take more lines. Not where the operation stands alone, in no loop that would try
 * again and with a result that is not used (cucc_alone): an update that another thread made since the read is
 * lost. */
static bool seeds(uintptr_t read_pc, uintptr_t atomic_pc) {
  static __thread struct {
    uintptr_t read_pc, atomic_pc;
    bool answer;
  } last;
  if (site_kind[(uint16_t)atomic_pc] & (ALONE | STORE)) return false;
  if (atomic_pc - read_pc - 1 < 256) return true;
  if (last.read_pc != read_pc || last.atomic_pc != atomic_pc) {
    const struct place r = place_of(read_pc), a = place_of(atomic_pc);
    last.read_pc = read_pc;
    last.atomic_pc = atomic_pc;
    const int lines = site_kind[(uint16_t)atomic_pc] & SWAP ? 32 : 4;
    last.answer = r.line && a.line >= r.line && a.line <= r.line + lines && !strcmp(r.file, a.file);
  }
  return last.answer;
}

/* A flag in shared memory that was waited for before the block's first fence. */
static bool polled(const struct judged *p, uintptr_t read_pc) {
  return (p->access & ATOMIC) && (site_kind[(uint16_t)read_pc] & VOLATILE);
}

/* An atomic operation races with what was plain before the last other one, too. True: it is said. */
static bool races_with_plain(struct thread_state *l, const struct judged *p, uint32_t oldest) {
  const struct plain *q = p->plain;
  const uintptr_t reader = site_table[q->sites.read];
  if (q->write >= oldest && relation_of(l, q->write, false) != IN_ORDER)
    report_race(p->region, p->address, p->size, p->access, p->pc, q->write, true, site_table[q->sites.write],
                false);
  else if ((p->access & WRITE) && q->read >= oldest && relation_of(l, q->read, true) != IN_ORDER &&
           !polled(p, reader) && !seeds(reader, p->pc))
    report_race(p->region, p->address, p->size, p->access, p->pc, q->read, false, reader, false);
  else
    return false;
  return true;
}

/* A store, volatile or atomic, by which another thread's write gets lost: it comes after a load of this
 * thread, and the two make no atomic update; or several blocks store blindly. Silent where threads may wait
 * for each other, as only the text shows, and where the stored values are the same. */
static void judge_store(struct thread_state *l, const struct cell *c, const struct judged *p,
                        uint32_t oldest) {
  const struct load *load = loads_find(l, p->address);
  const bool by_update = load && load->after != load->write;
  if (by_update && !(p->access & ALONE)) load = NULL;
  const bool since = load && load->after == c->write;
  const uint32_t write = since ? load->write : c->write;
  const uintptr_t other = since ? load->write_pc : site_table[p->sites->write];
  const uintptr_t load_pc = load ? load->pc : 0;
  loads_set_store(site_of(p->pc), by_update ? 0 : load_pc);
  if (!(c->write & FLAG) || write < oldest || l->pending.size || p->whole > sizeof l->pending.old) return;
  const enum relation relation = since ? load->relation : relation_of(l, write, false);
  if (load && write >= l->launch && write != (l->me | FLAG) && !(p->access & (VOLATILE | ALONE)) &&
      !waits_between(load_pc, p->pc))
    loads_set_of_update(load_pc);
  if (relation == IN_ORDER) return;
  if (!load && (relation != OTHER_BLOCK || !(p->access & site_kind[p->sites->write] & VOLATILE))) return;
  if (waits_between(load_pc, p->pc) || waits_between(0, other)) return;
  l->pending.address = p->start;
  l->pending.size = p->whole;
  l->pending.pc = p->pc;
  l->pending.other = write;
  l->pending.other_pc = other;
  l->pending.store = true;
  l->pending.load = load_pc;
  l->pending.relation = relation;
  memcpy(l->pending.old, (const void *)p->start, p->whole);
}

/* An atomic operation after such an update. */
static void judge_update(struct thread_state *l, const struct cell *c, const struct judged *p) {
  const uintptr_t other = site_table[p->sites->write], load_pc = loads_of_store(p->sites->write);
  const enum relation relation = load_pc ? relation_of(l, c->write, false) : IN_ORDER;
  if (relation != IN_ORDER && !waits_between(load_pc, other) && !waits_between(0, p->pc))
    report_lost(p->region, &(struct lost){.address = p->address,
                                          .size = p->size,
                                          .access = p->access,
                                          .pc = p->pc,
                                          .other = c->write,
                                          .other_pc = other,
                                          .other_load_pc = load_pc,
                                          .relation = relation});
}

/* Of readers in no order the first one and the newest are kept where a block has barriers in memory: here the
 * newest of a whole word of shared memory; NULL: no room. */
static struct plain *other_reader(const struct thread_state *l, const struct judged *p) {
  return p->region == &l->shared && p->size == 4 ? &l->shared.plain[(p->address - l->shared.base) / 4] : NULL;
}

static void judge_other_reader(struct thread_state *l, const struct judged *p, uint32_t oldest) {
  const struct plain *q = other_reader(l, p);
  if (!q || q->read < oldest || q->read == l->me || relation_of(l, q->read, true) == IN_ORDER) return;
  report_race(p->region, p->address, p->size, p->access, p->pc, q->read, false, site_table[q->sites.read],
              false);
}

/* Two atomic operations of different blocks, one of them atomic within its block only. */
static bool scope_too_small(struct thread_state *l, const struct cell *c, const struct judged *p) {
  return ((p->access | site_kind[p->sites->write]) & BLOCK_SCOPE) && c->write >= OLD &&
         c->write != (l->me | FLAG) && relation_of(l, c->write, false) >= OTHER_BLOCK;
}

static void judge_races(struct thread_state *l, const struct cell *c, const struct judged *p) {
  const bool writes = p->access & WRITE, atomic = p->access & ATOMIC;
  const uint32_t oldest = p->region == &l->shared ? l->block : OLD; /* a block finds its shared memory new */
  if (atomic && (c->write & FLAG)) {
    if (p->plain && races_with_plain(l, p, oldest)) return;
    if (UNLIKELY(scope_too_small(l, c, p)) && p->region != &l->shared)
      report_race(p->region, p->address, p->size, p->access, p->pc, c->write, true,
                  site_table[p->sites->write], false);
    if (UNLIKELY(site_kind[p->sites->write] & STORE) && writes && !(p->access & STORE) && c->write >= oldest)
      judge_update(l, c, p);
  }
  if (UNLIKELY(p->access & STORE)) judge_store(l, c, p, oldest);
  if (UNLIKELY(p->access & LOAD))
    loads_note(l, (struct load){.address = p->address,
                                .pc = p->pc,
                                .write = c->write,
                                .write_pc = site_table[p->sites->write],
                                .after = c->write,
                                .relation = (c->write & FLAG) && c->write >= oldest
                                                ? relation_of(l, c->write, false)
                                                : IN_ORDER});
  if (c->write >= oldest && c->write != l->me && !(atomic && (c->write & FLAG)) &&
      relation_of(l, c->write, false) != IN_ORDER) {
    const uintptr_t other = site_table[p->sites->write];
    if (!writes && !atomic && (c->write & FLAG) && seeds(p->pc, other)) return;
    if (!writes || atomic || (c->write & FLAG) || p->size > sizeof l->pending.old) {
      report_race(p->region, p->address, p->size, p->access, p->pc, c->write, true, other, false);
      return;
    }
    judge_pending(); /* two plain writes: an error, unless the value turns out to be the same */
    l->pending.address = p->address;
    l->pending.size = p->size;
    l->pending.pc = p->pc;
    l->pending.other = c->write;
    l->pending.other_pc = other;
    l->pending.store = false;
    memcpy(l->pending.old, (const void *)p->address, p->size);
  } else if ((BY_ATOMICS(c->read) ? !atomic : writes) && c->read >= oldest && c->read != l->me &&
             relation_of(l, c->read, true) != IN_ORDER) {
    const uintptr_t other = site_table[p->sites->read];
    if (!polled(p, other) && !(atomic && seeds(other, p->pc)) &&
        !(!writes && seeds(p->pc, site_table[p->sites->write])))
      report_race(p->region, p->address, p->size, p->access, p->pc, c->read, false, other, false);
  } else if (UNLIKELY(l->phases) && writes)
    judge_other_reader(l, p, oldest);
}

/* A read after one of this block since its last __syncthreads: takes its place if it comes after it. */
static bool keep_reader(struct thread_state *l, uint32_t read, const struct judged *p) {
  if ((read & FLAG) || read < l->phase || BY_HOST(read) || (p->region != &l->shared && !ids_mine(read)))
    return false;
  if (relation_of(l, read, true) == IN_ORDER) return false;
  struct plain *q = other_reader(l, p);
  if (q) q->read = l->me;
  if (q) q->sites.read = site_of(p->pc);
  return true;
}

static void note_read(struct thread_state *l, struct cell *c, const struct judged *p) {
  const uint32_t read = c->read;
  if (UNLIKELY(BY_HOST(read)) && relation_of(l, read, true) != IN_ORDER)
    return; /* worth keeping, should this one write */
  if (read == l->many_blocks) return;
  if (read >= l->safe && read < l->launch && relation_of(l, read, true) != IN_ORDER)
    return; /* an operation that may overlap this one: the record worth keeping, should this one write */
  if (UNLIKELY(l->phases) && keep_reader(l, read, p)) return;
  if (p->region == &l->shared || read < l->launch || BY_HOST(read) || (read >= l->block && ids_mine(read)))
    c->read = read < l->phase || BY_HOST(read) || (UNLIKELY(l->phases) && !(read & FLAG))
                  ? l->me
                  : merge_readers(l, read);
  else
    c->read = l->many_blocks;
  p->sites->read = site_of(p->pc);
}

/* An atomic update after one of another thread, with which it is not ordered: c->write will hold only this
 * one. Within a warp the other one is forgotten: __syncwarp may order what comes later. */
static void note_atomics(struct thread_state *l, struct cell *c, const struct judged *p) {
  const uint32_t last = c->write;
  const bool older = c->read >= l->safe && c->read < l->launch;
  if (!(last & FLAG) || last == (l->me | FLAG) || last < l->launch || older ||
      c->read == (l->launch | ATOMICS_BLOCKS))
    return;
  const enum relation relation = relation_of(l, last, false);
  if (relation != SAME_BLOCK && relation != OTHER_BLOCK) return;
  if (p->plain && c->read && !BY_ATOMICS(c->read)) {
    p->plain->read = c->read;
    p->plain->sites.read = p->sites->read;
  }
  c->read = relation == SAME_BLOCK ? l->phase | ATOMICS_IN_BLOCK : l->launch | ATOMICS_BLOCKS;
  p->sites->read = p->sites->write;
}

/* An atomic update takes the place of a plain write. */
static void note_plain(const struct cell *c, const struct judged *p) {
  if (!p->plain || (c->write & FLAG)) return;
  p->plain->write = c->write;
  p->plain->sites.write = p->sites->write;
}

/* An atomic operation may turn out to change nothing: then it was a load (hooks/atomics.c). */
static void note_load(struct thread_state *l, const struct cell *c, const struct judged *p) {
  const uint32_t oldest = p->region == &l->shared ? l->block : OLD;
  const struct load *last = loads_find(l, p->address);
  struct load load = {.address = p->address, .pc = p->pc, .write = c->write, .after = l->me | FLAG};
  load.write_pc = site_table[p->sites->write];
  load.relation = IN_ORDER;
  if (last && last->after == c->write) {
    load.write = last->write;
    load.write_pc = last->write_pc;
    load.relation = last->relation;
  } else if ((c->write & FLAG) && c->write >= oldest && loads_changing(load.write_pc))
    load.relation = relation_of(l, c->write, false);
  loads_note(l, load);
}

static bool unwritten(const struct thread_state *l, const struct judged *p, uint32_t write) {
  return p->region == &l->shared ? write < l->block && write != OLD
                                 : write == NOTHING && is_device(p->address);
}

/* Was no byte of this structure ever written? A copy takes its padding along, so a structure that was written
 * in part is not reported. */
static bool wholly_unwritten(const struct thread_state *l, const struct judged *p) {
  for (uintptr_t a = p->start; a < p->start + p->whole; a++) {
    struct cell four[4];
    split_load(p->region, (a - p->region->base) / 4, four, a % 4, a % 4 + 1);
    if (!unwritten(l, p, four[a % 4].write)) return false;
  }
  return true;
}

/* A compiler copies small structures by whole words: unwritten bytes next to written ones, within the eight
 * bytes that alignment may require, may be padding. */
static bool may_be_padding(const struct thread_state *l, const struct judged *p) {
  const uintptr_t unit = p->address & ~(uintptr_t)7;
  for (uintptr_t a = unit > p->start ? unit : p->start; a < unit + 8 && a < p->start + p->whole; a++) {
    struct cell four[4];
    split_load(p->region, (a - p->region->base) / 4, four, a % 4, a % 4 + 1);
    if (!unwritten(l, p, four[a % 4].write)) return true;
  }
  return false;
}

static void note_unwritten(struct thread_state *l, const struct judged *p) {
  const struct worker *w = cucc_worker;
  const struct arriving_copy *copy = arriving_at(p->address);
  if (p->region != &l->shared || !l->race || (copy && copy->object)) {
    report_uninitialised(p->region, p->address, p->size, p->pc, cucc_self.block_idx, w->index_of[w->current],
                         copy != NULL);
  } else if (l->unwritten_count < 8) {
    const int i = l->unwritten_count++;
    l->unwritten[i].address = p->address;
    l->unwritten[i].pc = p->pc;
    l->unwritten[i].size = p->size;
    l->unwritten[i].thread = w->current;
    l->unwritten[i].block = cucc_self.block_idx;
    l->unwritten[i].arriving = copy != NULL;
  }
}

static void judge_cell(struct thread_state *l, struct cell *c, const struct judged *p) {
  const bool writes = p->access & WRITE;
  if ((!writes || (p->access & ATOMIC)) && !(p->access & NO_INIT) && l->init && unwritten(l, p, c->write) &&
      !may_be_padding(l, p)) {
    note_unwritten(l, p);
    c->write = OLD; /* said once */
  }
  if (l->race) judge_races(l, c, p);
  if (writes && (p->access & ATOMIC)) {
    note_atomics(l, c, p);
    if (!p->plain && c->write == l->me) return; /* the store is the more useful record */
    note_plain(c, p);
    if (UNLIKELY(loads_by_updates) && !(p->access & STORE) && p->plain)
      note_load(l, c, p);
    else if (UNLIKELY(l->loads) && !(p->access & STORE))
      loads_forget(l, p->address);
    c->write = l->me | FLAG;
    p->sites->write = site_of(p->pc);
  } else if (writes) {
    c->write = l->me;
    p->sites->write = site_of(p->pc);
  } else if (!(p->access & ATOMIC))
    note_read(l, c, p);
}

/* ---------------------------------------------------------------------------------------------- all of it */

static void judge_bytes(struct thread_state *l, struct judged *p, size_t index, uintptr_t address,
                        size_t size) {
  struct cell four[4];
  const size_t first = address % 4, end = first + size;
  bool changed = false;
  split_load(p->region, index, four, first, end);
  p->size = 1;
  p->plain = NULL;
  for (size_t i = first; i < end; i++) {
    const struct cell before = four[i];
    p->address = address - first + i;
    judge_cell(l, &four[i], p);
    changed |= four[i].write != before.write || four[i].read != before.read;
  }
  if (changed) split_store(p->region, index, four, first, end);
}

static void judge_parts(struct thread_state *l, struct judged *p, uintptr_t address) {
  const struct region *r = p->region;
  for (uintptr_t a = address & ~(uintptr_t)3; a < address + p->whole; a += 4) {
    const size_t index = (a - r->base) / 4;
    struct cell *c = &r->cells[index];
    const uintptr_t first = a < address ? address : a;
    const uintptr_t end = a + 4 > address + p->whole ? address + p->whole : a + 4;
    p->sites = &r->sites[index];
    if (c->write < SPLIT && end - first == 4) {
      p->address = a;
      p->size = 4;
      p->plain = p->access & ATOMIC ? &r->plain[index] : NULL;
      judge_cell(l, c, p);
      continue;
    }
    judge_bytes(l, p, index, first, end - first);
  }
}

#define KINDS (VOLATILE | SWAP | ALONE | BLOCK_SCOPE | LOAD | STORE)

/* A mark stays: a sum of floats tries again where it meets another one. */
static void note_kind(unsigned access, uintptr_t pc) {
  const uint16_t s = (uint16_t)pc;
  const unsigned before = site_table[s] == pc ? site_kind[s] & (ALONE | BLOCK_SCOPE) : 0;
  site_kind[s] = (uint16_t)((access & KINDS) | before);
}

/* In a sample, which is the last that a process runs, only places are judged: further accesses of these words
 * of shared memory take the short way. Those of the arena don't: their cells would be more pages than their
 * values. */
static void settle(struct thread_state *l, const struct region *r, uintptr_t address, size_t size) {
  if (r != &l->shared) return;
  const size_t first = (address - r->base + 3) / 4, end = (address - r->base + size) / 4;
  for (size_t i = first; i < end; i++) r->cells[i] = (struct cell){.write = l->me};
}

void judge(uintptr_t address, size_t size, unsigned access, uintptr_t pc) {
  struct thread_state *l = &thread_state;
  if (!cucc_worker) {
    host_access(address, size, access, pc);
    return;
  }
  if (UNLIKELY((uintptr_t)__builtin_frame_address(0) - l->stack < STACK_RESERVE)) faults_stack_is_full(pc);
  judge_pending();
  if (UNLIKELY(l->volatile_read)) {
    fences_acquire(l, l->volatile_read);
    l->volatile_read = 0;
  }
  const struct region *r = find_region(l, address, size);
  if (UNLIKELY(!r || ((access & WRITE) && variable_is_constant(address))))
    report_bad_address(address, size, access, pc);
  if (r == &nothing) return;
  if (UNLIKELY(!(access & UNALIGNED) && (address & (size - 1))))
    report_misaligned(address, size, access, pc, "");
  if (UNLIKELY(l->profile) && !(access & OBJECT)) profile_access(r, address, size, access, pc);
  if (r == &registered) return;
  struct judged p = {
      .region = r, .access = access, .pc = pc, .address = address, .start = address, .whole = size};
  if ((access & RANGE) && !(access & WRITE) && l->init && !wholly_unwritten(l, &p)) p.access |= NO_INIT;
  if (access & KINDS) note_kind(access, pc);
  if (l->race || l->init)
    judge_parts(l, &p, address);
  else
    settle(l, r, address, size);
}

#endif
