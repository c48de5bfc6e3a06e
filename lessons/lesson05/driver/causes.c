/* causes.c: see causes.h. All elements are random words, so an equal one is the one that was taken. */
#include "causes.h"
#include "baselines.h"
#include "streams.h"

#include <stdio.h>

#define MOST_CHUNKS 256 /* that are searched */

/* The element of h_in that `is` was made of, by the kernel or by copies alone, if it has the place of
 * element i in another chunk. Else i itself. */
static size_t place_of(const wb_case *c, size_t i, uint32_t is) {
  const size_t n = c->size.n[N], chunk = c->size.n[CHUNK];
  const int rounds = (int)c->size.n[ROUNDS];
  const uint32_t *h_in = wb_u32(c, H_IN);
  for (size_t j = i % chunk, tried = 0; j < n && tried < MOST_CHUNKS; j += chunk, tried++)
    if (j != i && (h_in[j] == is || scramble(h_in[j], rounds) == is)) return j;
  return i;
}

const char *cause_of_kernel(const wb_case *c, int array, size_t i, double got) {
  const int rounds = (int)c->size.n[ROUNDS];
  (void)array;
  return rounds > 0 && scramble(wb_u32(c, H_IN)[i], 2 * rounds) == (uint32_t)got
             ? "the kernel ran twice on it: is it launched twice?"
             : NULL;
}

static const char *cause_of(const wb_case *c, size_t i, double got, const char *one, const char *several,
                            const char *later, const char *before) {
  static _Thread_local char text[200];
  if (cause_of_kernel(c, H_OUT, i, got)) return cause_of_kernel(c, H_OUT, i, got);
  const size_t chunk = c->size.n[CHUNK], j = place_of(c, i, (uint32_t)got);
  if (j == i) return NULL;
  const size_t far = (j > i ? j - i : i - j) / chunk;
  snprintf(text, sizeof text, "it is made of h_in[%zu], %zu %s %s: %s", j, far, far == 1 ? one : several,
           j > i ? "further on" : "before", j > i ? later : before);
  return text;
}

const char *cause_of_chunks(const wb_case *c, int array, size_t i, double got) {
  static const char shared[] = "do two chunks use the same part of d_work at a time, or of h_out?";
  (void)array;
  return cause_of(c, i, got, "chunk", "chunks", shared, shared);
}

/* Element i was not written, and its result is where the next batch of the same buffer belongs. */
static const char *cause_of_moved(const wb_case *c, size_t i, double got) {
  static _Thread_local char text[200];
  const size_t place = i + c->size.n[CHUNK] * c->size.n[STREAMS];
  const int rounds = (int)c->size.n[ROUNDS];
  if ((uint32_t)got != UINT32_MAX || place >= c->size.n[N] ||
      wb_u32(c, H_OUT)[place] != scramble(wb_u32(c, H_IN)[i], rounds))
    return NULL;
  snprintf(text, sizeof text,
           "the result of element %zu is in h_out[%zu], where the next batch of the same buffer belongs: "
           "keep the place of a batch until it is collected",
           i, place);
  return text;
}

const char *cause_of_batches(const wb_case *c, int array, size_t i, double got) {
  (void)array;
  if (cause_of_moved(c, i, got)) return cause_of_moved(c, i, got);
  return cause_of(c, i, got, "batch", "batches",
                  "was the buffer filled again before its result was collected?",
                  "was the result of an earlier batch collected again?");
}
