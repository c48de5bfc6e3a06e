/* report/results_json.c: see report/results_json.h; common/README.md describes the fields. */
#include "report/results_json.h"
#include "base/json.h"
#include "model/sizes.h"
#include "device/device.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static void add_size(wb_json *json, const wb_task *task, const wb_size *size) {
  wb_json_array(json, "size");
  for (int d = 0; d < wb_dims(task); d++) wb_json_integer(json, NULL, (int64_t)size->n[d]);
  wb_json_end(json);
}

static void add_device(wb_json *json, const char *key, const wb_device_info *device) {
  wb_json_object(json, key);
  wb_json_string(json, "name", device->name);
  wb_json_string(json, "kind", device->kind);
  wb_json_string(json, "compute_capability",
                 device->compute_capability[0] ? device->compute_capability : NULL);
  wb_json_integer(json, "devices", device->devices);
  wb_json_integer(json, "sm_count", device->sm_count);
  wb_json_integer(json, "memory_bytes", (int64_t)device->memory_bytes);
  wb_json_integer(json, "l2_bytes", (int64_t)device->l2_bytes);
  wb_json_integer(json, "copy_engines", device->copy_engines);
  wb_json_string(json, "driver", device->driver[0] ? device->driver : NULL);
  wb_json_string(json, "runtime", device->runtime[0] ? device->runtime : NULL);
  wb_json_string(json, "cpu_name", device->cpu_name);
  wb_json_integer(json, "cpu_cores", device->cpu_cores);
  wb_json_end(json);
}

void wb_device_json(const wb_device_info *device, wb_text *text) {
  wb_json json = {.out = text};
  add_device(&json, NULL, device);
}

static void add_cases(wb_json *json, const wb_task_result *result) {
  wb_json_array(json, "cases");
  for (size_t i = 0; i < result->case_count; i++) {
    const wb_case_result *c = &result->cases[i];
    const wb_verdict *v = &c->verdict;
    wb_json_object(json, NULL);
    add_size(json, result->task, &c->size);
    wb_json_string(json, "state", wb_state_name(c->state));
    wb_json_bool(json, "must_fail", c->must_fail);
    wb_json_bool(json, "lost_error", c->lost_error);
    wb_json_integer(json, "status", c->status);
    wb_json_string(json, "status_name", c->status_name[0] ? c->status_name : NULL);
    wb_json_number(json, "max_error", v->max_error);
    wb_json_number(json, "max_tolerance", v->max_tolerance);
    if (wb_by_share(v))
      wb_json_number(json, "max_share", v->max_share);
    else
      wb_json_null(json, "max_share");
    wb_json_integer(json, "wrong", (int64_t)v->wrong);
    wb_json_integer(json, "count", (int64_t)v->count);
    if (v->array >= 0 && v->wrong > 0) {
      wb_json_object(json, "first_wrong");
      wb_json_string(json, "array", result->task->arrays[v->array].name);
      wb_json_bool(json, "on_device", result->task->arrays[v->array].memory == WB_DEVICE);
      wb_json_integer(json, "index", (int64_t)v->pattern.first);
      wb_json_integer(json, "elements", (int64_t)(wb_elements(&v->pattern.shape)));
      wb_json_number(json, "expected", v->expected);
      wb_json_number(json, "got", v->got);
      wb_json_number(json, "tolerance", v->tolerance);
      wb_json_bool(json, "cause", v->cause);
      wb_json_bool(json, "never_written", v->pattern.never_written == v->pattern.wrong);
      wb_json_bool(json, "unchanged", v->pattern.unchanged == v->pattern.wrong);
      wb_json_end(json);
    } else {
      wb_json_null(json, "first_wrong");
    }
    wb_json_measured(json, "seconds", c->seconds, 3);
    wb_json_string(json, "note", c->note[0] ? c->note : NULL);
    wb_json_end(json);
  }
  wb_json_end(json);
}

static void add_timeline(wb_json *json, const wb_timeline *timeline) {
  wb_json_object(json, "timeline");
  wb_json_string(json, "source", wb_source_name(timeline->source));
  wb_json_string(json, "reason", timeline->reason[0] ? timeline->reason : NULL);
  wb_json_measured(json, "copy_us", timeline->copy_us, 7);
  wb_json_measured(json, "kernel_us", timeline->kernel_us, 7);
  wb_json_measured(json, "overlap_us", timeline->overlap_us, 7);
  wb_json_measured(json, "two_way_us", timeline->two_way_us, 7);
  wb_json_measured(json, "peer_us", timeline->peer_us, 7);
  wb_json_measured(json, "hidden_us", timeline->hidden_us, 7);
  wb_json_measured(json, "span_us", timeline->span_us, 7);
  wb_json_bool(json, "truncated", timeline->truncated);
  wb_json_array(json, "activities");
  for (size_t i = 0; i < timeline->count; i++) {
    const wb_activity *a = &timeline->list[i];
    wb_json_object(json, NULL);
    wb_json_string(json, "kind", wb_kind_name(a->kind));
    wb_json_integer(json, "device", a->device);
    if (a->to_device >= 0) wb_json_integer(json, "to_device", a->to_device);
    wb_json_integer(json, "stream", a->stream);
    wb_json_measured(json, "start_us", a->start_us, 9);
    wb_json_measured(json, "end_us", a->end_us, 9);
    wb_json_integer(json, "bytes", (int64_t)a->bytes);
    wb_json_bool(json, "pinned", a->pinned);
    wb_json_string(json, "name", a->name);
    wb_json_string(json, "file", a->file[0] ? a->file : NULL);
    wb_json_integer(json, "line", a->line);
    wb_json_end(json);
  }
  wb_json_end(json);
  wb_json_end(json);
}

static void rate(wb_json *json, const char *key, double value) {
  if (value > 0)
    wb_json_measured(json, key, value, 5);
  else
    wb_json_null(json, key);
}

static void add_timing(wb_json *json, const wb_task_result *result) {
  const wb_timing *t = &result->timing;
  if (!result->timed) {
    wb_json_null(json, "timing");
    return;
  }
  wb_json_object(json, "timing");
  add_size(json, result->task, &t->size);
  wb_json_integer(json, "samples", (int64_t)t->cold.count);
  wb_json_string(json, "clock", t->events ? "events" : "wall");
  wb_json_measured(json, "median_ms", wb_median(&t->cold), 6);
  wb_json_measured(json, "min_ms", wb_minimum(&t->cold), 6);
  wb_json_measured(json, "noise_percent", 100 * wb_noise(&t->cold), 3);
  wb_json_measured(json, "hot_median_ms", wb_median(&t->hot), 6);
  wb_json_measured(json, "wall_median_ms", wb_median(&t->wall), 6);
  rate(json, "bytes", t->bytes);
  rate(json, "flops", t->flops);
  rate(json, "gb_per_s", t->gb_per_s);
  rate(json, "gflop_per_s", t->gflop_per_s);
  rate(json, "percent_of_ceiling", t->percent_of_ceiling);
  wb_json_string(json, "ceiling", t->ceiling[0] ? t->ceiling : NULL);
  wb_json_measured(json, "cores_used", t->cores_used, 3);
  wb_json_integer(json, "threads_used", t->threads_used);
  wb_json_string(json, "warning", t->warning);
  wb_json_string(json, "too_fast", t->too_fast[0] ? t->too_fast : NULL);
  wb_json_end(json);
}

static void add_baselines(wb_json *json, const wb_task_result *result) {
  wb_json_array(json, "baselines");
  for (size_t y = 0; result->timed && y < result->baseline_count; y++) {
    const wb_baseline_result *base = &result->baselines[y];
    wb_json_object(json, NULL);
    wb_json_string(json, "name", base->baseline->name);
    wb_json_string(json, "what", base->baseline->what);
    wb_json_measured(json, "median_ms", wb_median(&base->time), 6);
    wb_json_measured(json, "noise_percent", 100 * wb_noise(&base->time), 3);
    wb_json_measured(json, "ratio", base->ratio.value, 5);
    wb_json_measured(json, "ratio_low", base->ratio.low, 5);
    wb_json_measured(json, "ratio_high", base->ratio.high, 5);
    wb_json_end(json);
  }
  wb_json_end(json);
}

static void add_errors(wb_json *json, const wb_task_result *result) {
  const wb_errors *e = &result->errors;
  if (!e->baseline) {
    wb_json_null(json, "errors");
    return;
  }
  wb_json_object(json, "errors");
  wb_json_string(json, "baseline", e->baseline->name);
  wb_json_string(json, "what", e->baseline->what);
  add_size(json, result->task, &result->task->compared);
  wb_json_measured(json, "share", e->of_task, 3);
  wb_json_measured(json, "baseline_share", e->of_baseline, 3);
  wb_json_end(json);
}

static void add_seconds(wb_json *json, const wb_task_seconds *seconds) {
  wb_json_object(json, "seconds");
  wb_json_measured(json, "start", seconds->start, 3);
  wb_json_measured(json, "cases", seconds->cases, 3);
  wb_json_measured(json, "leaks", seconds->leaks, 3);
  wb_json_measured(json, "timing", seconds->timing, 3);
  wb_json_measured(json, "timeline", seconds->timeline, 3);
  wb_json_measured(json, "failures", seconds->failures, 3);
  wb_json_measured(json, "baseline", seconds->baseline, 3);
  wb_json_end(json);
}

static void add_failures(wb_json *json, const wb_failures *failures) {
  if (failures->tried == 0) {
    wb_json_null(json, "failures");
    return;
  }
  wb_json_object(json, "failures");
  wb_json_integer(json, "tried", failures->tried);
  wb_json_string(json, "state", wb_state_name(failures->wrong ? WB_WRONG : WB_RIGHT));
  wb_json_string(json, "message", wb_text_get(&failures->message));
  wb_json_raw(json, "findings", failures->findings ? failures->findings : "[]");
  wb_json_end(json);
}

/* What a known mistake is recognised by. */
static void add_prints(wb_json *json, const wb_task_result *result) {
  wb_json_array(json, "prints");
  for (size_t i = 0; i < result->print_count; i++) {
    const wb_print *print = &result->prints[i];
    char values[24];
    snprintf(values, sizeof values, "%016llx", (unsigned long long)print->values);
    wb_json_object(json, NULL);
    add_size(json, result->task, &print->size);
    wb_json_string(json, "end", wb_state_name(print->end));
    wb_json_bool(json, "must_fail", print->must_fail);
    wb_json_integer(json, "status", print->status);
    wb_json_integer(json, "device_error", print->device_error);
    wb_json_integer(json, "pending_error", print->pending_error);
    wb_json_integer(json, "late", print->late);
    wb_json_string(json, "left", print->left);
    wb_json_integer(json, "wrong", (int64_t)print->wrong);
    wb_json_integer(json, "written", (int64_t)print->written);
    wb_json_string(json, "values", values);
    wb_json_raw(json, "findings", print->findings);
    wb_json_raw(json, "counters", print->counters ? print->counters : "null");
    wb_json_end(json);
  }
  wb_json_end(json);
}

static void add_task(wb_json *json, const wb_task_result *result) {
  wb_json_object(json, NULL);
  wb_json_string(json, "name", result->task->name);
  wb_json_string(json, "what", result->task->what);
  wb_json_integer(json, "number", result->task->number);
  wb_json_string(json, "state", wb_state_name(result->state));
  wb_json_string(json, "message", wb_text_get(&result->message));
  wb_json_string(json, "cause", wb_text_get(&result->cause));
  wb_json_string(json, "detail", wb_text_get(&result->detail));
  wb_json_string(json, "asked", wb_text_get(&result->asked));
  add_cases(json, result);
  wb_json_string(json, "output", result->output ? result->output : "");
  wb_json_bool(json, "output_truncated", result->output_truncated);
  wb_json_raw(json, "findings", result->findings ? result->findings : "[]");
  wb_json_raw(json, "counters", result->counters ? result->counters : "null");
  wb_json_raw(json, "longer", result->longer ? result->longer : "null");
  wb_json_raw(json, "failing", result->failing ? result->failing : "null");
  wb_json_string(json, "compiled", result->compiled.size ? wb_text_get(&result->compiled) : NULL);
  if (result->leak_known)
    wb_json_integer(json, "leaked_device_bytes", result->leaked_device_bytes);
  else
    wb_json_null(json, "leaked_device_bytes");
  wb_json_integer(json, "leaked_host_bytes", result->leaked_host_bytes);
  add_failures(json, &result->failures);
  add_prints(json, result);
  if (result->timeline.source != WB_NO_TIMELINE || result->timeline.reason[0])
    add_timeline(json, &result->timeline);
  else
    wb_json_null(json, "timeline");
  add_timing(json, result);
  wb_json_string(json, "not_timed", result->not_timed[0] ? result->not_timed : NULL);
  add_baselines(json, result);
  add_errors(json, result);
  add_seconds(json, &result->seconds);
  wb_json_end(json);
}

void wb_results_json(const wb_results *run, wb_text *text) {
  wb_json json = {.out = text};
  char seed[24];
  snprintf(seed, sizeof seed, "0x%llx", (unsigned long long)run->secret->seed);
  wb_json_object(&json, NULL);
  wb_json_string(&json, "schema", "wb-run/2");
  wb_json_string(&json, "lesson", run->lesson->name);
  wb_json_string(&json, "title", run->lesson->title);
  wb_json_string(&json, "backend", wb_device_backend());
  wb_json_string(&json, "date", run->date);
  wb_json_string(&json, "seed", seed);
  wb_json_string(&json, "verdict", wb_state_name(wb_results_verdict(run)));
  wb_json_array(&json, "functions");
  for (size_t t = 0; t < run->lesson->task_count; t++)
    wb_json_string(&json, NULL, run->lesson->tasks[t].name);
  wb_json_end(&json);
  add_device(&json, "device", &run->device);
  wb_json_bool(&json, "isolated", run->isolated);
  wb_json_bool(&json, "timing_measured", !run->timing_reason);
  wb_json_string(&json, "timing_reason", run->timing_reason);
  wb_json_array(&json, "ceilings");
  for (int i = 0; i < run->ceiling_count; i++) {
    wb_json_object(&json, NULL);
    wb_json_string(&json, "name", run->ceilings[i].name);
    wb_json_string(&json, "what", run->ceilings[i].what);
    wb_json_measured(&json, "value", run->ceilings[i].value, 5);
    wb_json_string(&json, "unit", run->ceilings[i].unit);
    wb_json_end(&json);
  }
  wb_json_end(&json);
  wb_json_array(&json, "tasks");
  for (size_t t = 0; t < run->task_count; t++) add_task(&json, &run->tasks[t]);
  wb_json_end(&json);
  wb_json_end(&json);
}
