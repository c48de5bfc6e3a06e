/*
 * The last waits for events, and what each event marked when it was recorded. From them comes the cause of a
 * missing wait: nothing waited, or its event was recorded in another stream, too early, or never.
 */
#include "checker/awaited.h"
#if CUCC_CHECKED
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/places.h"
#include "state/event.h"
#include "state/state.h"

#define WAITS_KEPT 256
#define TEXTS_KEPT 32

struct wait {
  int waiter, stream; /* where the event was recorded */
  bool recorded, idle;
  uint64_t seq, issue; /* of the record in its stream; of the wait: operations asked for before it */
  uintptr_t site, record_site;
};
static struct wait waits[WAITS_KEPT];
static size_t wait_count; /* of all; the oldest ones are overwritten */
static char texts[TEXTS_KEPT][512];
static size_t text_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void awaited_event(int waiter, const struct CUevent_st *e, uintptr_t site) {
  pthread_mutex_lock(&lock);
  waits[wait_count++ % WAITS_KEPT] = (struct wait){.waiter = waiter,
                                                   .stream = e->record_stream,
                                                   .recorded = e->recorded,
                                                   .idle = e->record_idle,
                                                   .seq = e->record_seq,
                                                   .issue = cucc.issued,
                                                   .site = site,
                                                   .record_site = e->record_site};
  pthread_mutex_unlock(&lock);
}

static bool last_wait(int waiter, const struct awaited *work, uint64_t until, struct wait *found) {
  for (size_t i = wait_count; i > 0 && i + WAITS_KEPT > wait_count; i--) {
    const struct wait *w = &waits[(i - 1) % WAITS_KEPT];
    if (w->waiter != waiter || w->issue > until) continue;
    *found = *w;
    return w->issue >= work->issue;
  }
  return false;
}

static const char *at(uintptr_t site, char *text, size_t size) {
  const struct place p = site ? place_of(site) : (struct place){.line = 0};
  *text = 0;
  if (p.line) snprintf(text, size, " at %.100s:%d", p.file, p.line);
  return text;
}

static const char *keep(const char *text, const char *usual) {
  for (size_t i = 0; i < text_count; i++)
    if (!strcmp(texts[i], text)) return texts[i];
  if (text_count == TEXTS_KEPT) return usual;
  return strcpy(texts[text_count++], text);
}

static void explain(const struct wait *w, const struct awaited *work, const char *usual, char *text,
                    size_t size) {
  char who[32] = "the host", waited[128], recorded[128];
  if (w->waiter != WAITS_HOST) snprintf(who, sizeof who, "stream %d", w->waiter);
  at(w->site, waited, sizeof waited);
  at(w->record_site, recorded, sizeof recorded);
  if (!w->recorded)
    snprintf(text, size, "the event that %s waits for%s was not recorded before: such a wait does nothing",
             who, waited);
  else if (w->stream == work->stream && w->seq < work->seq)
    snprintf(text, size,
             "the event that %s waits for%s was recorded%s, before this work was queued: an event marks "
             "only what was in its stream when it was recorded",
             who, waited, recorded);
  else if (w->idle && w->waiter == WAITS_HOST)
    snprintf(text, size,
             "the event that %s waits for%s was recorded in stream %d%s, and this work is in stream %d: "
             "record it in the "
             "stream of the work",
             who, waited, w->stream, recorded, work->stream);
  else
    snprintf(text, size,
             "%s; or the event that %s waits for%s, recorded in stream %d%s, had to be recorded in stream "
             "%d, that of this work",
             usual, who, waited, w->stream, recorded, work->stream);
}

const char *awaited_cause(int waiter, const struct awaited *work, uint64_t until, const char *usual) {
  struct wait w;
  char text[sizeof texts[0]];
  pthread_mutex_lock(&lock);
  if (last_wait(waiter, work, until, &w)) {
    explain(&w, work, usual, text, sizeof text);
    usual = keep(text, usual);
  }
  pthread_mutex_unlock(&lock);
  return usual;
}

#endif
