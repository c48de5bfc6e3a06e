/* Kernels at sizes that would take too long: only a few of their blocks run. */
#include "state/sample.h"

#include <stdio.h>

#include "state/launch_record.h"
#include "cucc.h"

char sample_words[160];
uint64_t sample_needs;
static uint64_t calls, most_blocks, threads, moved;
static bool called;
static struct place launched;

#define MOST_COPIES 64 /* further ones are not kept */
static struct { uintptr_t until, site; } copies[MOST_COPIES];
static size_t copy_count;

void sample_begin(const char *words) {
  snprintf(sample_words, sizeof sample_words, "%s", words ? words : "");
  sample_needs = calls = most_blocks = threads = moved = 0;
  called = false;
  copy_count = 0;
  launched.line = 0;
}

static void note_place(const struct launch *l) {
  snprintf(launched.file, sizeof launched.file, "%s", l->file);
  launched.line = l->line;
}

void sample_launched(const struct launch *l) {
  if (l->blocks <= most_blocks) return;
  note_place(l);
  most_blocks = l->blocks;
  threads = l->blocks * l->threads;
}

bool sample_skips(size_t bytes) {
  return sampling() &&
         (bytes > SAMPLE_COPY || __atomic_add_fetch(&moved, bytes, __ATOMIC_RELAXED) > SAMPLE_COPIES);
}

void sample_copied(uintptr_t until, uintptr_t site) {
  const size_t number = __atomic_fetch_add(&copy_count, 1, __ATOMIC_RELAXED);
  if (number >= MOST_COPIES) return;
  copies[number].until = until;
  copies[number].site = site;
}

uintptr_t sample_copied_until(uintptr_t from, uintptr_t to, uintptr_t *site) {
  uintptr_t until = 0;
  if (copy_count > MOST_COPIES) return 0;
  for (size_t i = 0; i < copy_count; i++) {
    if (copies[i].until <= from || copies[i].until > to || copies[i].until < until) continue;
    until = copies[i].until;
    *site = copies[i].site;
  }
  return until;
}

uint64_t sample_threads(void) { return threads; }

bool sample_called(const struct launch *l) {
  if (!__atomic_exchange_n(&called, true, __ATOMIC_RELAXED)) note_place(l);
  /* the last may have little to do */
  const uint64_t each = l->blocks > SAMPLE_BLOCKS ? l->blocks / (SAMPLE_FIRST + 1) : 1;
  return __atomic_add_fetch(&calls, each, __ATOMIC_RELAXED) >= sample_needs;
}

uint64_t sample_calls(struct place *place) {
  *place = launched;
  return __atomic_load_n(&calls, __ATOMIC_RELAXED);
}
