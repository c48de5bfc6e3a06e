/* model/cause_facts.c: see model/cause_facts.h. */
#include "model/cause_facts.h"
#include "model/arena.h"
#include "model/cause.h"
#include "model/random.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_written(const facts *f, const void *got, size_t i) {
  static const unsigned char poison[8] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
  const size_t bytes = wb_type_bytes(f->type);
  const char *place = (const char *)got + i * bytes, *before = f->inputs->array[f->array];
  return memcmp(place, poison, bytes) != 0 && !(before && memcmp(place, before + i * bytes, bytes) == 0);
}

static bool is_right(const facts *f, size_t i) {
  return f->is[i] == f->want[i] || fabs(f->is[i] - f->want[i]) <= f->tolerance[i] ||
         (isnan(f->want[i]) && isnan(f->is[i]));
}

bool wb_cause_facts(const wb_task *task, const wb_case *inputs, void *const *got, wb_verdict *verdict,
                    facts *f) {
  const int a = verdict->array;
  const size_t count = wb_elements(&verdict->pattern.shape);
  if (count == 0 || count > WB_CAUSE_MOST || verdict->count < count) return false;
  *f = (facts){.task = task, .inputs = inputs, .pattern = &verdict->pattern, .array = a, .count = count};
  f->name = task->arrays[a].name;
  f->got = got[a];
  f->rest = &verdict->rest;
  f->type = task->arrays[a].type;
  f->is = malloc(3 * count * sizeof *f->is);
  f->wrong = malloc(count * sizeof *f->wrong);
  if (!f->is || !f->wrong) {
    wb_cause_forget(f);
    return false;
  }
  f->want = f->is + count;
  f->tolerance = f->want + count;
  for (size_t i = 0; i < count; i++) {
    const wb_expected want = task->expect(inputs, a, i);
    f->is[i] = wb_element(f->type, got[a], i);
    f->want[i] = want.value;
    f->tolerance[i] = want.tolerance;
    if (is_right(f, i)) continue;
    f->written += is_written(f, got[a], i);
    f->wrong[f->wrongs++] = i;
  }
  if (f->wrongs > 0) return true;
  wb_cause_forget(f);
  return false;
}

void wb_cause_forget(facts *f) {
  free(f->is);
  free(f->wrong);
  *f = (facts){0};
}

bool wb_alike(const facts *f, size_t i, double value) {
  const double rounding = f->type == WB_F32 ? 2e-6 : f->type == WB_F64 ? 1e-12 : 0;
  return f->is[i] == value ||
         (isfinite(value) && fabs(f->is[i] - value) <= f->tolerance[i] + rounding * fabs(value));
}

const char *wb_cause_dimension(const wb_task *task, int d, char *name, size_t size) {
  const char *at = task->dims;
  for (; d > 0; d--) at += strcspn(at, " ") + 1;
  snprintf(name, size, "%.*s", (int)strcspn(at, " "), at);
  return name;
}

bool wb_is_whole(const facts *f) { return f->type != WB_F32 && f->type != WB_F64; }

const char *wb_cause_ordinal(int parts) {
  static char text[16];
  if (parts == 3) return "third";
  if (parts == 4) return "quarter";
  snprintf(text, sizeof text, "%dth", parts);
  return text;
}
