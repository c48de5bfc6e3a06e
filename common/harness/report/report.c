/* report/report.c: see report/report.h. */
#include "report/report.h"
#include "base/progress.h"
#include "model/sizes.h"
#include "report/timeline_text.h"
#include <langinfo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OUTPUT_LINES 30

static bool colours(void) {
  const char *no = getenv("NO_COLOR");
  return isatty(STDOUT_FILENO) && !(no && *no);
}

static bool utf8(void) { return strcmp(nl_langinfo(CODESET), "UTF-8") == 0; }

/* The mark before a line: right, wrong, neither. */
static const char *sign(wb_state state) {
  static const char *const signs[2][2][3] = {
      {{"ok  ", "FAIL", "-   "}, {"\033[32mok  \033[0m", "\033[31mFAIL\033[0m", "-   "}},
      {{"\xE2\x9C\x93", "\xE2\x9C\x97", "\xE2\x80\x93"},
       {"\033[32m\xE2\x9C\x93\033[0m", "\033[31m\xE2\x9C\x97\033[0m", "\xE2\x80\x93"}}};
  return signs[utf8()][colours()][state == WB_RIGHT ? 0 : state == WB_NOT_RUN ? 2 : 1];
}

static void indented(const char *text, const char *front) {
  for (const char *line = text; *line;) {
    const size_t length = strcspn(line, "\n");
    printf("%s%.*s\n", front, (int)length, line);
    line += length + (line[length] == '\n');
  }
}

void wb_report_head(const wb_results *run) {
  const wb_device_info *d = &run->device;
  const char *dot = utf8() ? "\xC2\xB7" : "-";
  printf("%s %s %s %s", run->lesson->name, run->lesson->title, dot, d->name);
  if (d->sm_count) printf(", %d SMs", d->sm_count);
  if (strcmp(d->kind, "gpu") == 0 || strcmp(d->kind, "cpu") == 0)
    printf(", %.4g GiB", (double)d->memory_bytes / (1 << 30));
  if (d->driver[0]) {
    const char *bar = strchr(d->driver, '|');
    printf(", driver %.*s", (int)strcspn(d->driver, "|"), d->driver);
    if (bar) printf(" (CUDA %s)", bar + 1);
  }
  if (strcmp(d->kind, "cpu") == 0) printf(", %d core%s", d->cpu_cores, d->cpu_cores == 1 ? "" : "s");
  /* Bypasses stdout's buffer, which workers inherit. */
  fflush(stdout);
  dprintf(STDOUT_FILENO, " %s seed 0x%llx\n", dot, (unsigned long long)run->secret->seed);
  for (int i = 0; i < run->ceiling_count; i++)
    printf("%s%s %.4g %s", i ? ", " : "  device limits, measured now: ", run->ceilings[i].name,
           run->ceilings[i].value, run->ceilings[i].unit);
  if (run->ceiling_count) printf("\n");
}

/* "right for n = 0, 1, 255 (largest error 0)" */
static void right_line(const wb_task_result *result) {
  double error = 0, tolerance = 0, share = -1;
  printf("    %s right for", sign(WB_RIGHT));
  for (const char *p = result->task->dims; *p; p++)
    printf(*p == ' ' ? " x " : p == result->task->dims ? " %c" : "%c", *p);
  const char *join = " = ";
  int refused = 0;
  for (size_t i = 0; i < result->case_count; i++) {
    const wb_case_result *c = &result->cases[i];
    if (c->state != WB_RIGHT) continue;
    printf("%s%s", join, wb_text_size(c->size.n, wb_dims(result->task)));
    join = ", ";
    refused += c->must_fail;
    error = fmax(error, c->verdict.max_error);
    tolerance = fmax(tolerance, c->verdict.max_tolerance);
    if (wb_by_share(&c->verdict)) share = fmax(share, c->verdict.max_share);
  }
  if (share >= 0)
    printf(" (largest error: %.2g %% of what is allowed", 100 * share);
  else
    printf(" (largest error %.2g, allowed %.2g", error, tolerance);
  printf("%s)\n", refused ? "; rejects invalid arguments" : "");
}

static void error_line(const wb_task_result *result) {
  const wb_errors *e = &result->errors;
  if (!e->baseline || !(e->of_baseline > 0)) return;
  printf("      at %s the largest error is %.2g %s that of %s: %s\n",
         wb_text_size(result->task->compared.n, wb_dims(result->task)), e->of_task / e->of_baseline,
         utf8() ? "\xC3\x97" : "x", e->baseline->name, e->baseline->what);
}

static void wrong_lines(const wb_task_result *result) {
  static const char *const words[] = {"not run", "right", "wrong", "crashed", "too slow", "error"};
  printf("    %s %s: %s\n", sign(result->state), words[result->state], wb_text_get(&result->message));
  indented(wb_text_get(&result->cause), "        ");
  indented(wb_text_get(&result->detail), "        ");
  size_t skipped = 0;
  for (size_t i = 0; i < result->case_count; i++) skipped += result->cases[i].state == WB_NOT_RUN;
  if (skipped > 0) printf("        %zu of %zu sizes not tried after that\n", skipped, result->case_count);
}

static void figure(const char *front, double median_ms, double noise, const wb_samples *samples) {
  if (median_ms < 1)
    printf("%s%.4g us", front, 1e3 * median_ms);
  else
    printf("%s%.4g ms", front, median_ms);
  if (samples) printf(" (%s%.2g %%, %zu samples)", utf8() ? "\xC2\xB1" : "+-", 100 * noise, samples->count);
}

static void timing_lines(const wb_task_result *result) {
  const wb_timing *t = &result->timing;
  if (result->no_cores[0]) printf("    %s the host's own loop: %s\n", sign(WB_NOT_RUN), result->no_cores);
  if (!result->timed) {
    if (result->not_timed[0]) printf("    %s no time: %s\n", sign(WB_NOT_RUN), result->not_timed);
    if (result->cores_right == 2) printf("      the host's own loop is right on one core and on all\n");
    return;
  }
  printf("      size %s:", wb_text_size(t->size.n, wb_dims(result->task)));
  figure(" ", wb_median(&t->cold), wb_noise(&t->cold), &t->cold);
  if (t->gb_per_s > 0) printf(", %.4g GB/s", t->gb_per_s);
  if (t->gflop_per_s > 0) printf(", %.4g GFLOP/s", t->gflop_per_s);
  if (t->percent_of_ceiling > 0) printf(", %.3g %% of %s", t->percent_of_ceiling, t->ceiling);
  if (t->too_fast[0]) printf("\n      %s %s", sign(WB_WRONG), t->too_fast);
  printf("\n      ");
  figure("with warm caches ", wb_median(&t->hot), 0, NULL);
  if (t->events) figure(", by the wall clock ", wb_median(&t->wall), 0, NULL);
  printf("\n");
  for (size_t y = 0; y < result->baseline_count; y++) {
    const wb_baseline_result *base = &result->baselines[y];
    printf("      %.3g %s the speed of %s", base->ratio.value, utf8() ? "\xC3\x97" : "x",
           base->baseline->name);
    if (isfinite(base->ratio.high)) printf(" (%.3g to %.3g)", base->ratio.low, base->ratio.high);
    printf(": %s,", base->baseline->what);
    figure(" ", wb_median(&base->time), 0, NULL);
    printf("\n");
  }
  if (t->warning[0]) printf("      warning: %s\n", t->warning);
}

/* The number of findings in the array. */
static int findings(const char *json) {
  int count = 0;
  for (const char *p = json; p && (p = strstr(p, "\"severity\"")); p++) count++;
  return count;
}

/* The first lines of the learner's output. run.json has all that was kept. */
static void shorten(const wb_task_result *result) {
  const char *end = result->output;
  for (int line = 0; line < OUTPUT_LINES && *end; line++)
    end += strcspn(end, "\n") + (end[strcspn(end, "\n")] == '\n');
  char *start = strndup(result->output, (size_t)(end - result->output));
  if (start) indented(start, "        | ");
  free(start);
  if (*end || result->output_truncated)
    printf("        | ... (%s; --output keeps the first 64 KiB)\n",
           result->output_truncated ? "much more" : "more");
}

static void notes(const wb_task_result *result) {
  const int found = findings(result->findings);
  if (found)
    printf("    %s %d finding%s of the checker, printed below\n", sign(WB_WRONG), found,
           found == 1 ? "" : "s");
  if (result->leak_known && result->leaked_device_bytes > 0)
    printf("    %s %lld bytes of device memory were never freed\n", sign(WB_WRONG),
           (long long)result->leaked_device_bytes);
  for (size_t i = 0; i < result->case_count; i++)
    if (result->cases[i].note[0])
      printf("    %s size %s: %s\n", sign(WB_NOT_RUN),
             wb_text_size(result->cases[i].size.n, wb_dims(result->task)), result->cases[i].note);
  if (result->output && result->output[0]) {
    printf("      it printed:\n");
    shorten(result);
  }
}

void wb_report_task(const wb_results *run, const wb_task_result *result) {
  wb_progress_clear();
  const wb_task *task = result->task;
  if (task->number)
    printf("\n  task %d  %s: %s\n", task->number, task->name, task->what);
  else
    printf("\n  further %s: %s\n", task->name, task->what);
  if (result->state == WB_RIGHT)
    right_line(result);
  else
    wrong_lines(result);
  notes(result);
  error_line(result);
  timing_lines(result);
  if (result->timeline.source != WB_NO_TIMELINE) {
    wb_text text = {0};
    wb_timeline_text(&result->timeline, run->device.name, 6, &text);
    fputs(wb_text_get(&text), stdout);
    wb_text_free(&text);
  } else if (result->timeline.reason[0]) {
    printf("      no timeline: %s\n", result->timeline.reason);
  }
  fflush(stdout);
}

void wb_report_foot(const wb_results *run) {
  if (run->timing_reason) printf("\n  No times: %s.\n", run->timing_reason);
  fflush(stdout);
}
