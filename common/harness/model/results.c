/* model/results.c: see model/results.h. */
#include "model/results.h"
#include <stdlib.h>

const char *wb_state_name(wb_state state) {
  static const char *const names[] = {"not_run", "right", "wrong", "crashed", "timeout", "error"};
  return names[state];
}

wb_state wb_results_verdict(const wb_results *run) {
  wb_state verdict = WB_NOT_RUN;
  for (size_t t = 0; t < run->task_count; t++) {
    const wb_state state = run->tasks[t].state;
    if (state != WB_RIGHT && state != WB_NOT_RUN) return WB_WRONG;
    if (state == WB_RIGHT) verdict = WB_RIGHT;
  }
  return verdict;
}

void wb_prints_free(wb_task_result *result) {
  for (size_t i = 0; i < result->print_count; i++) {
    free(result->prints[i].findings);
    free(result->prints[i].counters);
  }
  free(result->prints);
  result->prints = NULL;
  result->print_count = 0;
}

void wb_result_forget(wb_task_result *result) {
  wb_text_free(&result->message);
  wb_text_free(&result->detail);
  wb_text_free(&result->cause);
}

void wb_results_free(wb_results *run) {
  for (size_t t = 0; t < run->task_count; t++) {
    wb_task_result *result = &run->tasks[t];
    wb_result_forget(result);
    wb_text_free(&result->asked);
    wb_text_free(&result->compiled);
    free(result->failing);
    free(result->cases);
    free(result->output);
    free(result->findings);
    free(result->counters);
    free(result->longer);
    wb_text_free(&result->failures.message);
    free(result->failures.findings);
    wb_prints_free(result);
    wb_timeline_free(&result->timeline);
    wb_samples_free(&result->timing.cold);
    wb_samples_free(&result->timing.hot);
    wb_samples_free(&result->timing.wall);
    for (size_t y = 0; y < result->baseline_count; y++) wb_samples_free(&result->baselines[y].time);
  }
  free(run->tasks);
  run->tasks = NULL;
  run->task_count = 0;
}
