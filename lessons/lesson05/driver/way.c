/* way.c: see way.h. In plain C, whose accesses the CPU backend does not check: it looks at the device's memory. */
#include "way.h"
#include "baselines.h"

#include <stdio.h>

/* The header asks for one. A few more cost no overlap: of the device after the stream, for example. */
#define MOST_WAITS 4

#define BEYOND_32_BITS ((uint64_t)1 << 32)

extern uint64_t cucc_counted(const char *name) __attribute__((weak)); /* of the CPU backend */

way way_now(void) {
  if (!cucc_counted) return (way){0};
  return (way){.waits = cucc_counted("synchronisations") + cucc_counted("blocking_copies"),
               .launch_streams = cucc_counted("launch_streams"),
               .pageable_copies = cucc_counted("pageable_copies"),
               .copied_bytes = cucc_counted("copied_bytes")};
}

static size_t chunk_count(const wb_case *c) {
  return c->size.n[N] / c->size.n[CHUNK] + (c->size.n[N] % c->size.n[CHUNK] != 0);
}

void way_judge_chunks(const wb_case *c, way before) {
  char words[160];
  const uint64_t waits = way_now().waits - before.waits, bytes = way_now().copied_bytes - before.copied_bytes,
                 all = 2 * sizeof(uint32_t) * (uint64_t)c->size.n[N];
  if (!cucc_counted) return;
  if (waits > MOST_WAITS)
    snprintf(words, sizeof words, "waited %llu times for %zu chunks: queue all of them, then wait once",
             (unsigned long long)waits, chunk_count(c));
  else if (bytes < all)
    snprintf(words, sizeof words, "copied %llu bytes in and out, and there are %llu%s",
             (unsigned long long)bytes, (unsigned long long)all,
             (all - bytes) % BEYOND_32_BITS ? ""
                                            : ": a number of bytes was cut to 32 bits. Compute it in size_t");
  else
    return;
  wb_not_as_asked(words);
}

/* New memory of the device has bytes 0xff on the CPU backend: these parts have others. */
static size_t parts_used(const wb_case *c, size_t parts) {
  const uint32_t *d_work = wb_u32(c, D_WORK);
  size_t used = 0;
  wb_own_calls(1); /* so that the host may read there */
  for (size_t p = 0; p < parts; p++)
    for (size_t i = 0; i < c->size.n[CHUNK]; i++)
      if (d_work[p * c->size.n[CHUNK] + i] != UINT32_MAX) {
        used++;
        break;
      }
  wb_own_calls(0);
  return used;
}

void way_judge_streams(const wb_case *c, way before) {
  const size_t streams = c->size.n[STREAMS], chunks = chunk_count(c),
               asked = streams < chunks ? streams : chunks;
  const size_t used = (size_t)(way_now().launch_streams - before.launch_streams);
  if (!cucc_counted || used >= asked || parts_used(c, streams) >= asked) return;
  char words[120];
  snprintf(words, sizeof words, "dealt %zu chunks out to %zu stream%s, and %zu were asked for", chunks, used,
           used == 1 ? "" : "s", asked);
  wb_not_as_asked(words);
}

void way_judge_batches(const wb_case *c, way before) {
  const uint64_t copies = way_now().pageable_copies - before.pageable_copies;
  if (!copies) return;
  char words[120];
  snprintf(words, sizeof words, "made %llu copies straight from or to pageable memory, of %zu batch%s",
           (unsigned long long)copies, chunk_count(c), chunk_count(c) == 1 ? "" : "es");
  wb_not_as_asked(words);
}
