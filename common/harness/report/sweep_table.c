/* report/sweep_table.c: see report/sweep_table.h. */
#include "report/sweep_table.h"
#include "model/sweep.h"
#include <math.h>
#include <stdio.h>

#define BAR 30 /* columns of the longest bar */

double wb_sweep_rate(const wb_task_result *result) {
  const wb_timing *t = &result->timing;
  return t->gb_per_s > 0 ? t->gb_per_s : t->gflop_per_s > 0 ? t->gflop_per_s : 1e3 / wb_median(&t->cold);
}

const char *wb_sweep_unit(const wb_task *task) {
  return task->bytes ? "GB/s" : task->flops ? "GFLOP/s" : "calls/s";
}

size_t wb_sweep_same_task(const wb_results *run, size_t first) {
  size_t count = 1;
  while (first + count < run->task_count && run->tasks[first + count].task == run->tasks[first].task) count++;
  return count;
}

static void head(const wb_results *run, const wb_task_result *first) {
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

void wb_sweep_report(const wb_results *run) {
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
