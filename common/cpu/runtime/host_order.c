/*
 * The host and kernels in the same memory: managed and mapped memory, which both reach at one address.
 *
 * What the host does between two calls counts as an operation of a stream of its own, HOST_SLOT: whatever is
 * asked of the device later comes after it, and it comes after what the host has waited for. Its accesses
 * leave records as a kernel's do. So a race between the host and a kernel is found whichever comes first: the
 * host finds the kernel's records, or the kernel, still waiting in its stream, will find the host's.
 *
 * While the device owes nothing, there is nobody to race with, and accesses cost two comparisons.
 */
#include "checker.h"
#if CUCC_CHECKED
#include <stdio.h>

static struct CUstream_st host_stream = {.slot = HOST_SLOT, .id = -1};
static uint32_t record; /* of the host's accesses since the last operation was asked for */
static uint64_t epoch;  /* which the record is of */

/* Everything in order between the host and the operation that has this record. */
static bool waited_for(uint32_t r) {
  const struct past *p = past_of(r);
  return !p || p->slot == HOST_SLOT || clock_get(&cucc.host, p->slot) >= p->seq;
}

static void report(uintptr_t address, size_t size, bool writes, uint32_t other, bool other_writes,
                   uintptr_t other_pc, uintptr_t pc) {
  const struct past *p = past_of(other);
  if (finding_repeats(TOOL_RACE, false, pc, NULL)) return;
  struct finding f = {.tool = TOOL_RACE, .site = pc, .other_site = other_pc};
  snprintf(f.sentence, sizeof f.sentence,
           "the host %s %s memory that %s in stream %d %s, and has not waited for it",
           writes ? "writes" : "reads", is_managed(address) || !in_arena(address) ? "managed" : "mapped",
           p->name, p->stream, other_writes ? "writes" : "reads");
  if (p->line) snprintf(f.other, sizeof f.other, "%.60s, launched at %.60s:%d", p->name, p->file, p->line);
  describe_address(&f, address, size);
  f.cause = "a missing cudaDeviceSynchronize or cudaStreamSynchronize between the launch and the access";
  finding_add(&f);
}

static void visit(struct cell *c, struct sites *s, uintptr_t address, bool writes, uintptr_t pc) {
  if (c->write > OLD && !waited_for(c->write))
    report(address, 4, writes, c->write, true, site_table[s->write], pc);
  else if (writes && c->read && !waited_for(c->read))
    report(address, 4, writes, c->read, false, site_table[s->read], pc);
  if (writes) {
    c->write = record;
    s->write = site_of(pc);
  } else {
    c->read = record;
    s->read = site_of(pc);
  }
}

/* An id for this stretch of the host's time. */
static void renew_record(void) {
  static const char call[] = "the host";
  struct op op = {.kind = OP_HOST, .stream = &host_stream, .call = call};
  uint32_t safe;
  op.seq = clock_get(&cucc.host, HOST_SLOT) + 1;
  if (record && epoch == op.seq && past_of(record)) return;
  epoch = op.seq;
  record = RECORD(order_operation(&op, &safe));
}

void host_order_access(uintptr_t address, size_t size, bool writes, uintptr_t pc) {
  const struct region *const r = in_arena(address) ? &arena : &data;
  if (!order_busy() || lane.callback || !checking(TOOL_RACE)) return;
  pthread_mutex_lock(&cucc.lock);
  if (!cucc.running) { /* the engine makes records of its own just now */
    renew_record();
    for (uintptr_t a = address & ~(uintptr_t)3; a < address + size; a += 4) {
      const size_t index = (a - r->base) / 4;
      struct cell *c = &r->cells[index];
      if (c->write != SPLIT && (a < address || a + 4 > address + size)) shadow_split(r, index);
      if (c->write != SPLIT)
        visit(c, &r->sites[index], a, writes, pc);
      else
        for (uintptr_t b = a < address ? address : a; b < a + 4 && b < address + size; b++)
          visit(&r->bytes[b - r->base], &r->sites[index], b, writes, pc);
    }
  }
  pthread_mutex_unlock(&cucc.lock);
}

#endif
