/* model/sweep.c: --sweep's values, and its tables; see model/sweep.h. */
#include "model/sweep.h"
#include "model/results.h"
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BAR 30 /* columns of the longest bar */

/* A whole number at *text, which moves behind it. */
static bool number(const char **text, size_t *value) {
  char *end;
  errno = 0;
  *value = (size_t)strtoull(*text, &end, 10);
  if (!isdigit((unsigned char)**text) || errno) return false;
  *text = end;
  return true;
}

bool wb_sweep_parse(const char *text, wb_sweep *sweep) {
  const char *equals = strchr(text, '=');
  *sweep = (wb_sweep){0};
  if (!equals || equals == text || (size_t)(equals - text) >= sizeof sweep->dim) return false;
  memcpy(sweep->dim, text, (size_t)(equals - text));
  const char *at = equals + 1;
  size_t value, last;
  if (!number(&at, &value)) return false;
  sweep->value[sweep->count++] = value;
  if (strncmp(at, "..", 2) == 0) {
    at += 2;
    if (!number(&at, &last) || *at || value == 0 || last < value) return false;
    while (value <= last / 2) {
      if (sweep->count == WB_SWEEP_MOST) return false;
      sweep->value[sweep->count++] = value *= 2;
    }
    return true;
  }
  while (*at == ',' && sweep->count < WB_SWEEP_MOST) {
    at++;
    if (!number(&at, &sweep->value[sweep->count++])) return false;
  }
  return *at == '\0';
}

int wb_sweep_place(const wb_sweep *sweep, const wb_task *task) {
  const size_t length = strlen(sweep->dim);
  int place = 0;
  for (const char *word = task->dims; *word && length; place++) {
    const size_t size = strcspn(word, " ");
    if (size == length && strncmp(word, sweep->dim, size) == 0) return place;
    word += size + strspn(word + size, " ");
  }
  return -1;
}

/* ---- The table ---- */

double wb_sweep_rate(const wb_task_result *result) {
  const wb_timing *t = &result->timing;
  return t->gb_per_s > 0 ? t->gb_per_s : t->gflop_per_s > 0 ? t->gflop_per_s : 1e3 / wb_median(&t->cold);
}

const char *wb_sweep_unit(const wb_task *task) {
  return task->bytes ? "GB/s" : task->flops ? "GFLOP/s" : "calls/s";
}

size_t wb_sweep_same_task(const wb_run *run, size_t first) {
  size_t count = 1;
  while (first + count < run->task_count && run->tasks[first + count].task == run->tasks[first].task) count++;
  return count;
}

static void head(const wb_run *run, const wb_task_result *first) {
  printf("\n  %s: %s\n", first->task->name, first->task->what);
  if (run->timing_reason) return;
  printf("  %14s %12s %7s %10s %10s", run->options->sweep.dim, "median", "noise", wb_sweep_unit(first->task),
         "of ceiling");
  for (size_t y = 0; y < first->task->baseline_count; y++) printf(" %14.14s", first->task->baselines[y].name);
  printf("\n");
}

static void line(const wb_task_result *result, size_t value, double longest) {
  const wb_timing *t = &result->timing;
  if (!result->timed) {
    printf("  %14zu  %s%s\n", value, result->state == WB_RIGHT ? "right" : wb_state_name(result->state),
           result->not_timed[0] ? result->not_timed : "");
    return;
  }
  const double median = wb_median(&t->cold);
  printf("  %14zu %9.4g %s %5.2g %% %10.4g %8.3g %%", value, median < 1 ? 1e3 * median : median,
         median < 1 ? "us" : "ms", 100 * wb_noise(&t->cold), wb_sweep_rate(result), t->percent_of_ceiling);
  for (size_t y = 0; y < result->baseline_count; y++) printf(" %12.3g x", result->baselines[y].ratio.value);
  printf("  ");
  for (int i = 0; i < (int)lround(BAR * wb_sweep_rate(result) / longest); i++) putchar('#');
  printf("\n");
}

void wb_sweep_report(const wb_run *run) {
  for (size_t first = 0, count; first < run->task_count; first += count) {
    const wb_task_result *results = &run->tasks[first];
    const int place = wb_sweep_place(&run->options->sweep, results->task);
    double longest = 0;
    count = wb_sweep_same_task(run, first);
    for (size_t i = 0; i < count; i++)
      if (results[i].timed) longest = fmax(longest, wb_sweep_rate(&results[i]));
    head(run, results);
    for (size_t i = 0; i < count; i++) line(&results[i], results[i].size.n[place], longest);
  }
}
