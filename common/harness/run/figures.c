/* run/figures.c: see run/figures.h. */
#include "run/figures.h"
#include "model/random.h"
#include "device/device.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const wb_ceiling *find(const wb_results *run, const char *name) {
  for (int i = 0; i < run->ceiling_count; i++)
    if (strcmp(run->ceilings[i].name, name) == 0) return &run->ceilings[i];
  return NULL;
}

bool wb_answers_on_host(const wb_task *task) {
  for (int a = 0; a < WB_MAX_ARRAYS && task->arrays[a].name; a++)
    if (task->arrays[a].role != WB_IN && task->arrays[a].memory != WB_DEVICE) return true;
  return false;
}

bool wb_answers_only_on_host(const wb_task *task) {
  for (int a = 0; a < WB_MAX_ARRAYS && task->arrays[a].name; a++)
    if (task->arrays[a].role != WB_IN && task->arrays[a].memory == WB_DEVICE) return false;
  return wb_answers_on_host(task);
}

wb_traffic wb_traffic_of(const wb_task *task, const wb_case *c) {
  wb_traffic t = {.host_answer = wb_answers_only_on_host(task)};
  for (int a = 0; a < WB_MAX_ARRAYS && task->arrays[a].name; a++) {
    const wb_array *array = &task->arrays[a];
    if (array->type == WB_F64) t.wide = true;
    if (t.host_answer && array->memory == WB_DEVICE) continue; /* working memory of the function */
    const double bytes = (double)(array->count(c) * wb_type_bytes(array->type));
    if (array->role != WB_OUT) t.in += bytes;
    if (array->role != WB_OUT && array->memory != WB_DEVICE) t.host_in += bytes;
    if (array->role != WB_IN) t.out += bytes;
    if (array->role == WB_INOUT) t.inout = true;
  }
  return t;
}

/* Keeps the ceiling with the highest utilisation so far. */
static void consider(wb_timing *timing, const char *name, double percent) {
  if (!(percent > timing->percent_of_ceiling)) return;
  timing->percent_of_ceiling = percent;
  snprintf(timing->ceiling, sizeof timing->ceiling, "%s", name);
}

/*
 * The ceiling of memory traffic. On a GPU, with arrays on the device: reading alone if nearly all bytes
 * are input, else the best copy; the link to the device if most of the input is in host memory. With all
 * answers in host memory: the link, limited by the slower of its two directions; the formula's bytes,
 * which may count many trips, are split between the directions as the arrays are. On a CPU: the triad, or
 * the update in place if an array is both read and written, or reading alone; of one core if the call used
 * one.
 */
static void compare_bytes(const wb_results *run, const wb_task *task, const wb_case *c, wb_timing *timing) {
  const wb_traffic t = wb_traffic_of(task, c);
  const double ms = wb_median(&timing->cold);
  const wb_ceiling *h2d = find(run, "h2d"), *d2h = find(run, "d2h"), *both = find(run, "link");
  if (strcmp(wb_device_backend(), "host") == 0) {
    const bool one = timing->cores_used < 1.2;
    static const char *const names[3][2] = {{"triad", "triad-1"}, {"update", "update-1"}, {"read", "read-1"}};
    const int kind = t.out < 0.1 * t.in ? 2 : t.inout ? 1 : 0;
    const wb_ceiling *ceiling = find(run, names[kind][one]);
    if (ceiling) consider(timing, ceiling->name, 100 * timing->gb_per_s / ceiling->value);
  } else if (!t.host_answer && h2d && t.host_in > t.in - t.host_in) {
    consider(timing, h2d->name, 100 * timing->gb_per_s / h2d->value);
  } else if (!t.host_answer) {
    const wb_ceiling *ceiling = find(run, t.out < 0.1 * t.in ? "read" : "copy");
    if (ceiling) consider(timing, ceiling->name, 100 * timing->gb_per_s / ceiling->value);
  } else if (h2d && d2h && both) {
    const double least_ms =
        fmax(fmax(t.in / h2d->value, t.out / d2h->value), (t.in + t.out) / both->value) / 1e6;
    consider(timing, both->name, 100 * least_ms / ms * timing->bytes / (t.in + t.out));
  }
}

static void compare_flops(const wb_results *run, const wb_task *task, const wb_case *c, wb_timing *timing) {
  const wb_traffic t = wb_traffic_of(task, c);
  const bool one = strcmp(wb_device_backend(), "host") == 0 && timing->cores_used < 1.2;
  const wb_ceiling *fma = find(run, t.wide ? (one ? "fma64-1" : "fma64") : one ? "fma-1" : "fma");
  if (fma) consider(timing, fma->name, 100 * timing->gflop_per_s / fma->value);
}

wb_ratio wb_ratio_to(const wb_task *task, const wb_case *c, const wb_samples *time, size_t baseline,
                     const wb_samples *baseline_time) {
  const double own = task->bytes ? task->bytes(c) : task->flops ? task->flops(c) : 1;
  const wb_baseline *to = &task->baselines[baseline];
  return wb_speed_ratio(time, own, baseline_time, to->work ? to->work(c) : own);
}

void wb_timing_figures(const wb_results *run, wb_task_result *result, const wb_case *c) {
  const wb_task *task = result->task;
  wb_timing *timing = &result->timing;
  const double ms = wb_median(&timing->cold);
  timing->bytes = task->bytes ? task->bytes(c) : 0;
  timing->flops = task->flops ? task->flops(c) : 0;
  timing->gb_per_s = timing->bytes / ms / 1e6;
  timing->gflop_per_s = timing->flops / ms / 1e6;
  if (timing->bytes > 0 && !task->no_ceiling) compare_bytes(run, task, c, timing);
  if (timing->flops > 0 && !task->no_ceiling) compare_flops(run, task, c, timing);

  for (size_t y = 0; y < result->baseline_count; y++)
    result->baselines[y].ratio = wb_ratio_to(task, c, &timing->cold, y, &result->baselines[y].time);
}
