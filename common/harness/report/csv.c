/* report/csv.c: see report/csv.h. */
#include "report/csv.h"
#include "model/sizes.h"
#include "device/device.h"
#include <math.h>
#include <string.h>

static void text_field(wb_text *csv, const char *text) {
  if (!strpbrk(text, ",\"\n")) {
    wb_text_add(csv, ",%s", text);
    return;
  }
  wb_text_add(csv, ",\"");
  for (const char *p = text; *p; p++) wb_text_add(csv, *p == '"' ? "\"\"" : "%c", *p);
  wb_text_add(csv, "\"");
}

/* An unknown value makes an empty field. */
static void number_field(wb_text *csv, double value) {
  if (isfinite(value) && value != 0)
    wb_text_add(csv, ",%.6g", value);
  else
    wb_text_add(csv, ",");
}

static void front(const wb_results *run, const wb_task_result *result, const char *row, wb_text *csv) {
  wb_text_add(csv, "%s,%s", run->lesson->name, wb_device_backend());
  text_field(csv, run->device.name);
  text_field(csv, result->task->name);
  text_field(csv, row);
  text_field(csv, wb_state_name(result->state));
  const bool timed = result->timed;
  text_field(csv, timed ? wb_text_size(result->timing.size.n, wb_dims(result->task)) : "");
  text_field(csv, timed ? (result->timing.events ? "events" : "wall") : "");
}

void wb_csv(const wb_results *run, wb_text *csv) {
  wb_text_add(
      csv,
      "lesson,backend,device,task,row,state,size,clock,samples,median_ms,min_ms,noise_percent,hot_median_ms,"
      "wall_median_ms,gb_per_s,gflop_per_s,percent_of_ceiling,ceiling,ratio,ratio_low,ratio_high\n");
  for (size_t t = 0; t < run->task_count; t++) {
    const wb_task_result *result = &run->tasks[t];
    const wb_timing *timing = &result->timing;
    front(run, result, "task", csv);
    if (result->timed) {
      wb_text_add(csv, ",%zu", timing->cold.count);
      number_field(csv, wb_median(&timing->cold));
      number_field(csv, wb_minimum(&timing->cold));
      wb_text_add(csv, ",%.3g", 100 * wb_noise(&timing->cold));
      number_field(csv, wb_median(&timing->hot));
      number_field(csv, wb_median(&timing->wall));
      number_field(csv, timing->gb_per_s);
      number_field(csv, timing->gflop_per_s);
      number_field(csv, timing->percent_of_ceiling);
      text_field(csv, timing->ceiling);
      wb_text_add(csv, ",,,\n");
    } else {
      wb_text_add(csv, ",,,,,,,,,,,,,\n");
    }
    for (size_t y = 0; result->timed && y < result->baseline_count; y++) {
      const wb_baseline_result *base = &result->baselines[y];
      front(run, result, base->baseline->name, csv);
      wb_text_add(csv, ",%zu", base->time.count);
      number_field(csv, wb_median(&base->time));
      number_field(csv, wb_minimum(&base->time));
      wb_text_add(csv, ",%.3g,,,,,,", 100 * wb_noise(&base->time));
      number_field(csv, base->ratio.value);
      number_field(csv, base->ratio.low);
      number_field(csv, base->ratio.high);
      wb_text_add(csv, "\n");
    }
  }
}
