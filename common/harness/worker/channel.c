/* worker/channel.c: see worker/channel.h. */
#include "worker/channel.h"
#include "base/json_valid.h"
#include "base/text.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool wb_channel_device(const wb_channel *channel, wb_device_info *info, wb_refusal *refusal) {
  *info = channel->info;
  *refusal = channel->refusal;
  wb_text_tidy(info->name, sizeof info->name);
  wb_text_tidy(info->kind, sizeof info->kind);
  wb_text_tidy(info->compute_capability, sizeof info->compute_capability);
  wb_text_tidy(info->driver, sizeof info->driver);
  wb_text_tidy(info->runtime, sizeof info->runtime);
  wb_text_tidy(info->cpu_name, sizeof info->cpu_name);
  wb_text_tidy(refusal->reason, sizeof refusal->reason);
  wb_text_tidy(refusal->message, sizeof refusal->message);
  return channel->opened != 0;
}

int wb_channel_ceilings(const wb_channel *channel, wb_ceiling *list) {
  const int count = channel->ceiling_count;
  if (count < 0 || count > WB_MAX_CEILINGS) return 0;
  memcpy(list, channel->ceilings, (size_t)count * sizeof *list);
  for (int i = 0; i < count; i++) {
    wb_text_tidy(list[i].name, sizeof list[i].name);
    wb_text_tidy(list[i].what, sizeof list[i].what);
    wb_text_tidy(list[i].unit, sizeof list[i].unit);
  }
  return count;
}

static char *json(const char *shared, size_t size, char first, const char *otherwise) {
  char *text = malloc(size + 1);
  if (!text) return NULL;
  memcpy(text, shared, size);
  text[size] = '\0';
  if (text[0] == first && wb_json_valid(text)) return text;
  free(text);
  return strdup(otherwise);
}

/* Findings that can't be read, or that are too long, count as a finding of each tool. */
#define SOMETHING(tool)                                                                                      \
  "{\"tool\":\"" tool "\",\"severity\":\"error\",\"sentence\":\"too many findings to report (over 512 "      \
  "KiB)\"}"
static const char something[] = "[" SOMETHING("memcheck") "," SOMETHING("racecheck") "," SOMETHING(
    "initcheck") "," SOMETHING("synccheck") "," SOMETHING("leakcheck") "]";

char *wb_channel_findings(const wb_channel *channel) {
  return json(channel->findings, sizeof channel->findings, '[', channel->findings[0] ? something : "[]");
}
char *wb_channel_counters(const wb_channel *channel) {
  return json(channel->counters, sizeof channel->counters, '{', "{}");
}

static bool sensible(const wb_activity *a) {
  return (unsigned)a->kind < WB_KINDS && a->stream >= 0 && a->stream < 4096 && a->device >= 0 &&
         a->device < WB_MOST_DEVICES && a->to_device >= -1 && a->to_device < WB_MOST_DEVICES &&
         isfinite(a->start_us) && isfinite(a->end_us) && fabs(a->start_us) < 1e15 && fabs(a->end_us) < 1e15;
}

void wb_channel_timeline(const wb_channel *channel, wb_timeline *timeline) {
  *timeline = (wb_timeline){0};
  if (channel->source == WB_MODELLED || channel->source == WB_MEASURED) timeline->source = channel->source;
  memcpy(timeline->reason, channel->reason, sizeof timeline->reason);
  wb_text_tidy(timeline->reason, sizeof timeline->reason);
  size_t count = channel->activity_count;
  timeline->truncated = count > WB_MAX_ACTIVITIES;
  if (timeline->truncated) count = WB_MAX_ACTIVITIES;
  if (timeline->source == WB_NO_TIMELINE || count == 0) return;
  timeline->list = malloc(count * sizeof *timeline->list);
  for (size_t i = 0; timeline->list && i < count; i++) {
    wb_activity a = channel->activities[i];
    if (!sensible(&a)) continue;
    wb_text_tidy(a.name, sizeof a.name);
    wb_text_tidy(a.file, sizeof a.file);
    timeline->list[timeline->count++] = a;
  }
  wb_timeline_figures(timeline);
}
