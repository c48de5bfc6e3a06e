/*
 * Operations that have run: their ids, and which of them may overlap another operation or are unknown to
 * the host.
 */
#include "checker/past.h"
#if CUCC_CHECKED
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/needed.h"
#include "state/launch_record.h"
#include "state/op.h"
#include "state/state.h"
#include "state/streams.h"
#include "memory/shadow.h"
#include "checker/host_stamps.h"
#include "checker/ids.h"

#define PAST_MAX 4096

static struct past *past;
static size_t past_count;
static const struct op *running;                              /* the launch that runs now */
static pthread_mutex_t past_lock = PTHREAD_MUTEX_INITIALIZER; /* the host reads, too */

void past_restart(void) {
  shadow_forget();
  ids.next = FIRST_ID;
  pthread_mutex_lock(&past_lock);
  past_count = 0;
  pthread_mutex_unlock(&past_lock);
  ids.generation++;
}

/* The first id of an older operation that does not come before op; `mine` when there is none. */
uint32_t past_safe_id(const struct op *op, uint32_t mine) {
  for (size_t i = 0; i < past_count; i++)
    if (clock_get(&op->clock, past[i].slot) < past[i].seq) return past[i].first;
  return mine;
}

static struct past past_describe(const struct op *op, uint32_t first, uint32_t last) {
  struct past p = {.first = first,
                   .last = last,
                   .slot = op->stream->slot,
                   .seq = op->seq,
                   .issue = op->issue,
                   .stream = op->stream->id,
                   .site = op->site};
  snprintf(p.name, sizeof p.name, "%s", op->call);
  if (op->launch) {
    snprintf(p.file, sizeof p.file, "%s", op->launch->file);
    p.line = op->launch->line;
  }
  return p;
}

void past_add(const struct op *op, uint32_t first, uint32_t last) {
  pthread_mutex_lock(&past_lock);
  if (!past) past = needed(malloc(PAST_MAX * sizeof *past));
  if (past_count == PAST_MAX) { /* a very long queue: races with the oldest half are no longer found */
    past_count /= 2;
    memmove(past, past + past_count, past_count * sizeof *past);
  }
  past[past_count++] = past_describe(op, first, last);
  pthread_mutex_unlock(&past_lock);
}

/* The host has seen all that ran: nothing later can overlap it. */
void past_prune(void) {
  size_t i = 0;
  if (cucc.pending) return;
  pthread_mutex_lock(&past_lock);
  while (i < past_count && clock_get(&cucc.host, past[i].slot) >= past[i].seq) i++;
  if (i == past_count) {
    past_count = 0;
    host_stamps_all_waited();
  }
  pthread_mutex_unlock(&past_lock);
}

const struct past *past_of(uint32_t record) {
  size_t low = 0, high = past_count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (past[middle].first <= ID(record))
      low = middle + 1;
    else
      high = middle;
  }
  return low && past[low - 1].last >= ID(record) ? &past[low - 1] : NULL;
}

bool past_unseen(uint32_t record, struct past *found) {
  if (ID(record) < FIRST_ID || BY_HOST(record)) return false;
  pthread_mutex_lock(&cucc.lock);
  pthread_mutex_lock(&past_lock);
  const struct past *p = past_of(record);
  bool known = p != NULL;
  if (p)
    *found = *p;
  else if ((known = running && ID(record) >= ids.launch_first))
    *found = past_describe(running, ids.launch_first, ids.launch_first);
  pthread_mutex_unlock(&past_lock);
  const bool unseen = known && clock_get(&cucc.host, found->slot) < found->seq;
  pthread_mutex_unlock(&cucc.lock);
  return unseen;
}

bool past_unordered(const struct op *op, uint32_t record) {
  const struct past *p = past_of(record);
  if (p && p->slot == op->stream->slot && p->seq == op->seq)
    return false; /* itself: it reads and writes there */
  return p && clock_get(&op->clock, p->slot) < p->seq;
}

uint32_t past_operation(const struct op *op, uint32_t *safe) {
  if (ids.next > ID_MAX / 2) past_restart();
  const uint32_t id = ids.next++;
  *safe = RECORD(past_safe_id(op, id));
  past_add(op, id, id);
  return id;
}

void past_set_running(const struct op *op) {
  pthread_mutex_lock(&past_lock);
  running = op;
  pthread_mutex_unlock(&past_lock);
}

#endif
