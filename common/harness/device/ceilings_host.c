/*
 * device/ceilings_host.c: the best rates of this processor, on one core and on all: the triad of STREAM
 * (McCalpin) and an update in place, in the same kind of memory as the tasks' arrays, and multiply-adds in
 * registers. See device/ceilings.h.
 */
#include "base/clock.h"
#include "base/threads.h"
#include "device/ceilings.h"
#include <stdbool.h>
#include <math.h>
#include <stdio.h>
#include <sys/mman.h>

/* Bytes of three arrays together; at least 4 times most last caches. */
#define FOOTPRINT ((size_t)192 << 20)
#define REPEATS   5 /* the best of these counts */

typedef struct stream {
  float *a, *b, *c;
  uint32_t *sums; /* one for each part */
} stream;

static void triad(void *argument, int part, size_t first, size_t last) {
  (void)part;
  const stream *s = argument;
  float *restrict a = s->a;
  const float *restrict b = s->b, *restrict c = s->c;
  for (size_t i = first; i < last; i++) a[i] = b[i] + 1.5f * c[i];
}

/* An update in place stores to lines that it has just read. A triad also fetches lines only to overwrite
 * them. */
static void update(void *argument, int part, size_t first, size_t last) {
  (void)part;
  const stream *s = argument;
  float *restrict a = s->a;
  const float *restrict b = s->b;
  for (size_t i = first; i < last; i++) a[i] = 0.5f * a[i] + b[i];
}

/* Reading alone. The elements are integers: their sum doesn't change when it is split over vectors. */
static void read_all(void *argument, int part, size_t first, size_t last) {
  const stream *s = argument;
  const uint32_t *b = (const uint32_t *)(const void *)s->b;
  uint32_t sum = 0;
  for (size_t i = first; i < last; i++) sum += b[i];
  s->sums[part] = sum;
}

/* Multiply-adds on the machine's own vectors. 12 independent ones fill the pipelines (two units of 4 to 5
 * cycles), and with the two factors they fit into 16 registers: a loop that spills measures the stack. */
#if defined(__AVX512F__)
#define VECTOR_BYTES 64
#elif defined(__AVX__)
#define VECTOR_BYTES 32
#else
#define VECTOR_BYTES 16
#endif
typedef float lanes __attribute__((vector_size(VECTOR_BYTES)));
typedef double lanes64 __attribute__((vector_size(VECTOR_BYTES)));

#define CHAINS 12
#define STEPS  2000000

#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
#pragma GCC optimize("fp-contract=fast")
#endif

#define FMA_LOOP(name, vector)                                                                               \
  static void name(void *argument, int part, size_t first, size_t last) {                                    \
    double *sink = argument;                                                                                 \
    for (size_t i = first; i < last; i++) {                                                                  \
      vector x[CHAINS];                                                                                      \
      for (int k = 0; k < CHAINS; k++) x[k] = (vector){0} + (float)(k + 1);                                  \
      const vector f = (vector){0} + 0.999f, g = (vector){0} + 0.001f;                                       \
      for (int step = 0; step < STEPS; step++)                                                               \
        for (int k = 0; k < CHAINS; k++) x[k] = x[k] * f + g;                                                \
      for (int k = 0; k < CHAINS; k++) sink[part] += x[k][0];                                                \
    }                                                                                                        \
  }

FMA_LOOP(multiply_add, lanes)
FMA_LOOP(multiply_add64, lanes64)

/* The shortest of REPEATS runs of work on [0, count), on one core or (grain > 0) on all. */
static double best_ms(void (*work)(void *, int, size_t, size_t), void *argument, size_t count, size_t grain) {
  double best = 1e30;
  for (int r = 0; r < REPEATS; r++) {
    const double start = wb_now_ms();
    if (grain)
      wb_parallel(count, grain, work, argument);
    else
      work(argument, 0, 0, count);
    const double ms = wb_now_ms() - start;
    if (ms < best) best = ms;
  }
  return best;
}

static int add(wb_ceiling *list, int count, const char *name, const char *what, double value,
               const char *unit) {
  if (count == WB_MAX_CEILINGS) return count;
  wb_ceiling *c = &list[count];
  snprintf(c->name, sizeof c->name, "%s", name);
  snprintf(c->what, sizeof c->what, "%s", what);
  snprintf(c->unit, sizeof c->unit, "%s", unit);
  c->value = value;
  return count + 1;
}

static int memory_ceilings(wb_ceiling *list, int count) {
  float *memory = mmap(NULL, FOOTPRINT, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return count;
  madvise(memory, FOOTPRINT, MADV_HUGEPAGE);
  const size_t n = FOOTPRINT / 3 / sizeof(float);
  uint32_t sums[WB_MAX_THREADS];
  stream s = {memory, memory + n, memory + 2 * n, sums};
  for (size_t i = 0; i < 3 * n; i++) memory[i] = 1.0f;
  const double gb = 12.0 * (double)n / 1e6; /* of both loops: two reads and a write of 4 bytes, over ms */
  const double triads[] = {best_ms(triad, &s, n, 0), best_ms(triad, &s, n, 4096)};
  const double updates[] = {best_ms(update, &s, n, 0), best_ms(update, &s, n, 4096)};
  const double reads[] = {best_ms(read_all, &s, n, 0), best_ms(read_all, &s, n, 4096)};
  munmap(memory, FOOTPRINT);
  count =
      add(list, count, "triad-1", "a = b + s * c, one core, bytes read and written", gb / triads[0], "GB/s");
  count = add(list, count, "triad", "a = b + s * c, all cores, bytes read and written",
              gb / fmin(triads[0], triads[1]), "GB/s");
  count = add(list, count, "update-1", "a = s * a + b, one core, bytes read and written", gb / updates[0],
              "GB/s");
  count = add(list, count, "read-1", "reading alone, one core", gb / 3 / reads[0], "GB/s");
  count = add(list, count, "read", "reading alone, all cores", gb / 3 / fmin(reads[0], reads[1]), "GB/s");
  return add(list, count, "update", "a = s * a + b, all cores, bytes read and written",
             gb / fmin(updates[0], updates[1]), "GB/s");
}

static int flops_ceilings(wb_ceiling *list, int count, bool wide) {
  double sink[WB_MAX_THREADS] = {0};
  const int cores = wb_cores() < WB_MAX_THREADS ? wb_cores() : WB_MAX_THREADS;
  const double flops = 2.0 * CHAINS * STEPS * VECTOR_BYTES / (wide ? 8 : 4); /* of one element of the work */
  void (*loop)(void *, int, size_t, size_t) = wide ? multiply_add64 : multiply_add;
  const double one = best_ms(loop, sink, 1, 0), all = best_ms(loop, sink, (size_t)cores, 1);
  __asm__ volatile("" : : "r"(sink) : "memory");
  count = add(list, count, wide ? "fma64-1" : "fma-1",
              wide ? "float64 multiply-adds in registers, one core"
                   : "float32 multiply-adds in registers, one core",
              flops / one / 1e6, "GFLOP/s");
  return add(list, count, wide ? "fma64" : "fma",
             wide ? "float64 multiply-adds in registers, all cores"
                  : "float32 multiply-adds in registers, all cores",
             fmax(flops / one, flops * cores / all) / 1e6, "GFLOP/s");
}

int wb_device_ceilings(int needs, wb_ceiling *list) {
  int count = 0;
  if (needs & WB_NEED_MEMORY) count = memory_ceilings(list, count);
  if (needs & WB_NEED_FLOPS) count = flops_ceilings(list, count, false);
  if (needs & WB_NEED_FLOPS64) count = flops_ceilings(list, count, true);
  return count;
}
