/* run/least.c: see run/least.h. */
#include "run/least.h"
#include "base/progress.h"
#include "device/ceilings.h"
#include "device/device.h"
#include "model/sizes.h"
#include "run/figures.h"
#include "worker/channel.h"
#include "worker/worker.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/*
 * How much faster than the measured ceilings a call may be. The best reading kernel on an H200 reaches 95 %
 * of the memory's nominal rate, so a quarter is more than any kernel can gain. A method may need fewer
 * operations than the formula counts (Strassen's: 7/8 for each step). A processor's rates depend on its other
 * work, so the margin is wide there.
 */
#define MEMORY_MARGIN 1.25
#define FLOPS_MARGIN  2.5
#define HOST_MARGIN   2.5

int wb_needed_ceilings(const wb_results *run) {
  int bits = 0;
  const bool host = strcmp(wb_device_backend(), "host") == 0;
  for (size_t t = 0; t < run->task_count; t++) {
    const wb_task *task = run->tasks[t].task;
    bool wide = false, fed = false; /* float64; data come from host memory */
    for (int a = 0; a < WB_MAX_ARRAYS && task->arrays[a].name; a++) {
      wide = wide || task->arrays[a].type == WB_F64;
      fed = fed || task->arrays[a].memory != WB_DEVICE;
    }
    if (!wb_size_given(&task->timed)) continue;
    if (task->bytes) bits |= host || !wb_answers_only_on_host(task) ? WB_NEED_MEMORY : WB_NEED_LINK;
    if (task->bytes && fed && !host) bits |= WB_NEED_LINK;
    if (task->flops) bits |= wide ? WB_NEED_FLOPS64 : WB_NEED_FLOPS;
  }
  return bits;
}

static double rate(const wb_results *run, const char *name) {
  for (int i = 0; i < run->ceiling_count; i++)
    if (strcmp(run->ceilings[i].name, name) == 0) return run->ceilings[i].value;
  return 0;
}

/* ms for a number of bytes or operations at a rate in GB/s or GFLOP/s; 0 where the rate is not known. */
static double ms_at(double amount, double rate) { return amount > 0 && rate > 0 ? amount / rate / 1e6 : 0; }

/*
 * Memory of a processor or a device. What fits into its last cache is not counted: a part of the inputs may
 * have survived there, and a part of the answer may stay there. Not more than the formula's bytes, for a task
 * may depend on a few elements of its arrays.
 */
static double memory_ms(const wb_results *run, const wb_traffic *t, double needed) {
  const bool host = strcmp(wb_device_backend(), "host") == 0;
  const double fastest = fmax(rate(run, "read"), fmax(rate(run, "copy"), rate(run, "triad")));
  const double bytes = host ? needed * t->in / (t->in + t->out) : needed; /* a processor may write later */
  return ms_at(bytes - (double)run->device.l2_bytes, fastest) / (host ? HOST_MARGIN : MEMORY_MARGIN);
}

/* The link between host and device, which the bytes must cross once. A device that shares the host's memory
 * can do without. */
static double link_ms(const wb_results *run, const wb_traffic *t, double needed) {
  const double h2d = rate(run, "h2d"), d2h = rate(run, "d2h"), both = rate(run, "link");
  if (run->device.shares_memory || !(h2d > 0 && d2h > 0 && both > 0)) return 0;
  if (!t->host_answer) return ms_at(fmin(needed, t->host_in), fmax(h2d, both)) / MEMORY_MARGIN;
  const double once = fmax(fmax(ms_at(t->in, h2d), ms_at(t->out, d2h)), ms_at(t->in + t->out, both));
  return once * needed / (t->in + t->out) / MEMORY_MARGIN;
}

double wb_least_ms(const wb_results *run, const wb_task *task, const wb_case *c) {
  const bool host = strcmp(wb_device_backend(), "host") == 0;
  const wb_traffic t = wb_traffic_of(task, c);
  const double arrays = t.in + t.out, formula = task->bytes ? task->bytes(c) : 0;
  const double needed = formula > 0 ? fmin(formula, arrays) : arrays;
  const bool link = !host && (t.host_answer || t.host_in > t.in - t.host_in);
  double least = 0;
  if (arrays > 0) least = link ? link_ms(run, &t, needed) : memory_ms(run, &t, needed);
  if (task->flops)
    least = fmax(least, ms_at(task->flops(c), rate(run, t.wide ? "fma64" : "fma")) / FLOPS_MARGIN);
  return least;
}

/* Measures the ceilings again and keeps the higher value of each. */
static void measure_again(wb_results *run) {
  wb_worker worker;
  wb_arena none = {0};
  wb_reply reply;
  wb_request request = {.verb = WB_DO_OPEN};
  if (!wb_worker_start(&worker, NULL, &none, wb_worker_limit() + 60)) return;
  wb_progress("measuring the device's ceilings again");
  bool done = wb_worker_ask(&worker, &request, &reply, NULL) == WB_ANSWERED;
  request = (wb_request){.verb = WB_DO_CEILINGS, .needs = wb_needed_ceilings(run)};
  done = done && wb_worker_ask(&worker, &request, &reply, NULL) == WB_ANSWERED;
  wb_ceiling list[WB_MAX_CEILINGS];
  const int count = done ? wb_channel_ceilings(worker.channel, list) : 0;
  for (int i = 0; i < count; i++)
    for (int k = 0; k < run->ceiling_count; k++)
      if (strcmp(list[i].name, run->ceilings[k].name) == 0)
        run->ceilings[k].value = fmax(run->ceilings[k].value, list[i].value);
  /* Without a second measurement there is no verdict. */
  if (!count) run->ceiling_count = 0;
  wb_worker_stop(&worker);
  wb_worker_free(&worker);
}

void wb_judge_time(const wb_results *run, wb_task_result *result, const wb_case *c) {
  wb_timing *timing = &result->timing;
  const double median = wb_median(&timing->cold);
  timing->too_fast[0] = '\0';
  if (!(median < wb_least_ms(run, result->task, c))) return;
  wb_results again = *run;
  measure_again(&again);
  const double least = wb_least_ms(&again, result->task, c);
  if (median < least)
    snprintf(
        timing->too_fast, sizeof timing->too_fast,
        "%.3g ms is too short to be true: what the arrays hold cannot be moved or computed here in less than "
        "%.3g ms, by the rates that were measured before and after it. Something was kept from an earlier "
        "call, or done outside the timed part.",
        median, least);
}
