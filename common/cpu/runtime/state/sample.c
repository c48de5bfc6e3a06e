/* Kernels at sizes that would take too long: only a few of their blocks run. */
#include "state/sample.h"

#include <stdio.h>

#include "state/launch_record.h"
#include "cucc.h"

char sample_words[160];
uint64_t sample_needs;
static uint64_t calls, most_blocks, threads;
static bool called;
static struct place launched;

void cucc_sample(const char *words) {
  snprintf(sample_words, sizeof sample_words, "%s", words ? words : "");
  sample_needs = calls = most_blocks = threads = 0;
  called = false;
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

uint64_t sample_threads(void) { return threads; }

bool sample_called(const struct launch *l) {
  if (!__atomic_exchange_n(&called, true, __ATOMIC_RELAXED)) note_place(l);
  const uint64_t each = l->blocks > 2 * SAMPLE_BLOCKS ? l->blocks / SAMPLE_BLOCKS : 1;
  return __atomic_add_fetch(&calls, each, __ATOMIC_RELAXED) >= sample_needs;
}

uint64_t sample_calls(struct place *place) {
  *place = launched;
  return __atomic_load_n(&calls, __ATOMIC_RELAXED);
}
