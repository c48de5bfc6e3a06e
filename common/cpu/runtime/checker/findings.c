/*
 * Findings: one block on standard error each, kept for cucc_findings_json, repeats counted.
 *
 *     memcheck: thread (232,0,0) of block (3,0,0) writes 4 bytes, immediately past the end of its array
 *         kernel      add<<<(4,1,1), (256,1,1)>>>, launched at add.cu:41
 *         at          add.cu:12
 *         allocation  4000 bytes of device memory, cudaMalloc at add.cu:33
 *         index       element 1000 of 1000 (of 4 bytes)
 *         usually     no guard: …
 */
#include "checker/findings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/needed.h"
#include "base/options.h"
#include "base/places.h"
#include "state/failed.h"
#include "state/launch_record.h"
#include "state/sample.h"
#include "state/worker.h"
#include "cucc.h"

#define KEPT_MAX 1000 /* distinct findings that are kept; a thousand lines with faults need no more */

struct kept {
  enum tool tool;
  bool warning, in_thread;
  uint3 block, thread;
  char *sentence, *kernel, *allocation, *text;
  const char *cause, *call;
  struct place at, other;
  uint64_t repeats;
};

static const char *const tool_names[TOOL_COUNT] = {"memcheck", "racecheck", "initcheck", "synccheck",
                                                   "leakcheck"};
static struct kept *kept;
static size_t kept_count;
static bool any_error;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct finding finding_here(enum tool tool, uintptr_t site) {
  struct finding f = {.tool = tool, .site = site};
  const struct worker *w = cucc_worker;
  if (w) {
    f.launch = w->launch;
    f.in_thread = true;
    f.block = cucc_self.block_idx;
    f.thread = cucc_self.thread_idx;
  }
  return f;
}

static void add_place(wb_text *t, const char *label, struct place p, const char *note) {
  if (p.line)
    wb_text_add(t, "    %-11s %s:%d%s%s\n", label, p.file, p.line, *note ? ", " : "", note);
  else if (*note)
    wb_text_add(t, "    %-11s %s\n", label, note);
}

static char *describe(const struct finding *f, struct place at, struct place other) {
  wb_text t = {0};
  wb_text_add(&t, "%s: %s%s\n", tool_names[f->tool], f->warning ? "warning: " : "", f->sentence);
  if (f->launch) {
    const uint3 g = f->launch->grid, b = f->launch->block;
    wb_text_add(&t, "    %-11s %s<<<(%u,%u,%u), (%u,%u,%u)>>>, launched at %s:%d\n", "kernel",
                f->launch->name, g.x, g.y, g.z, b.x, b.y, b.z, f->launch->file, f->launch->line);
  }
  add_place(&t, "at", at, "");
  if (f->other_site || *f->other) add_place(&t, "other", other, f->other);
  if (*f->allocation) wb_text_add(&t, "    %-11s %s\n", "allocation", f->allocation);
  if (*f->index) wb_text_add(&t, "    %-11s %s\n", "index", f->index);
  if (f->cause) wb_text_add(&t, "    %-11s %s\n", "usually", f->cause);
  return t.data;
}

/* Faults by the address of their instruction: a faulty kernel may have the same one in ten million threads,
 * so a repeat must cost nanoseconds. Entries are only added (under the lock), never moved. */
#define SEEN_MAX 512
static struct {
  uintptr_t pc;
  enum tool tool;
  bool warning;
  uint64_t repeats;
  char kernel[64];
} seen[SEEN_MAX];

static bool same_place(struct place a, struct place b) { return a.line == b.line && !strcmp(a.file, b.file); }

bool finding_repeats(enum tool tool, bool warning, uintptr_t pc, const struct launch *launch) {
  const char *kernel = launch ? launch->name : "";
  for (size_t tries = 0, i = pc % SEEN_MAX; tries < SEEN_MAX; tries++, i = (i + 1) % SEEN_MAX) {
    if (!__atomic_load_n(&seen[i].pc, __ATOMIC_ACQUIRE)) {
      pthread_mutex_lock(&lock);
      const bool free_still = !seen[i].pc;
      if (free_still) {
        seen[i].tool = tool;
        seen[i].warning = warning;
        seen[i].repeats = 0;
        snprintf(seen[i].kernel, sizeof seen[i].kernel, "%s", kernel);
        __atomic_store_n(&seen[i].pc, pc, __ATOMIC_RELEASE);
      }
      pthread_mutex_unlock(&lock);
      if (free_still) return false;
    }
    if (seen[i].pc == pc && seen[i].tool == tool && seen[i].warning == warning &&
        !strncmp(seen[i].kernel, kernel, sizeof seen[i].kernel - 1)) {
      __atomic_add_fetch(&seen[i].repeats, 1, __ATOMIC_RELAXED);
      return true;
    }
  }
  return false;
}

/* All further occurrences of a kept finding: those of its first instruction and of others on its line. */
static uint64_t repeats_of(const struct kept *k) {
  uint64_t sum = k->repeats;
  for (size_t i = 0; i < SEEN_MAX; i++)
    if (seen[i].pc && seen[i].tool == k->tool && seen[i].warning == k->warning &&
        !strncmp(seen[i].kernel, k->kernel ? k->kernel : "", sizeof seen[i].kernel - 1) &&
        same_place(place_of(seen[i].pc), k->at))
      sum += seen[i].repeats;
  return sum;
}

/* While a few blocks run at a size that is too large for all of them, one thing is looked for. */
static bool adapt(struct finding *f) {
  if (f->tool != TOOL_MEM || (!f->in_thread && !f->of_library)) return false;
  char said[sizeof f->sentence];
  snprintf(said, sizeof said, "%s", f->sentence);
  snprintf(f->sentence, sizeof f->sentence, "at a size of gigabytes, %.130s: %.300s", sample_words, said);
  f->warning = true;
  f->cause =
      f->of_library
          ? "a stride, or an index, that is computed in int and passes 2147483647: compute it in size_t"
          : "an index that is computed in int and passes 2147483647: compute it in size_t, as in "
            "(size_t)row * columns + column";
  return true;
}

void finding_add(const struct finding *given) {
  struct finding adapted = *given;
  const struct finding *f = &adapted;
  if (sampling() && !adapt(&adapted)) return;
  const char *kernel = f->launch ? f->launch->name : NULL;
  const struct place at = f->site ? place_of(f->site) : f->at;
  if (!f->in_thread)
    failed_because(f->sentence, NULL);
  else if (!f->warning && (f->tool == TOOL_MEM || f->tool == TOOL_SYNC))
    failed_in_kernel(f->launch, f->sentence, at);
  pthread_mutex_lock(&lock);
  any_error |= !f->warning;
  for (size_t i = 0; i < kept_count; i++) {
    struct kept *k = &kept[i];
    if (k->tool == f->tool && (k->warning == f->warning || f->warning) && same_place(k->at, at) &&
        (kernel && k->kernel ? !strcmp(kernel, k->kernel) : !kernel == !k->kernel) &&
        ((at.line && f->tool != TOOL_LEAK) || !strcmp(k->sentence, f->sentence))) {
      k->repeats++;
      pthread_mutex_unlock(&lock);
      return;
    }
  }
  if (kept_count < KEPT_MAX) {
    const struct place other = f->other_site ? place_of(f->other_site) : (struct place){{0}, 0};
    kept = needed(realloc(kept, (kept_count + 1) * sizeof *kept));
    struct kept *k = &kept[kept_count++];
    *k = (struct kept){.tool = f->tool,
                       .warning = f->warning,
                       .in_thread = f->in_thread,
                       .block = f->block,
                       .thread = f->thread,
                       .sentence = needed(strdup(f->sentence)),
                       .kernel = kernel ? needed(strdup(kernel)) : NULL,
                       .allocation = *f->allocation ? needed(strdup(f->allocation)) : NULL,
                       .cause = f->cause,
                       .call = f->call,
                       .at = at,
                       .other = other,
                       .text = describe(f, at, other)};
    fflush(stdout); /* so that both streams stay in order where they go to one file */
    fputs(k->text, stderr);
  }
  pthread_mutex_unlock(&lock);
}

void findings_reset(void) {
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < kept_count; i++) {
    free(kept[i].sentence);
    free(kept[i].kernel);
    free(kept[i].allocation);
    free(kept[i].text);
  }
  kept_count = 0;
  any_error = false;
  memset(seen, 0, sizeof seen);
  pthread_mutex_unlock(&lock);
}

/* Ends a process with findings with status 86, unless all are warnings. */
void findings_at_exit(void) {
  if (!kept_count) return;
  uint64_t repeats = 0;
  size_t warnings = 0;
  for (size_t i = 0; i < kept_count; i++) repeats += repeats_of(&kept[i]);
  for (size_t i = 0; i < kept_count; i++) warnings += kept[i].warning;
  fflush(NULL);
  fprintf(stderr, "cucc: %zu finding%s", kept_count, kept_count == 1 ? "" : "s");
  if (repeats) fprintf(stderr, ", and %llu more of the same", (unsigned long long)repeats);
  if (warnings == kept_count) fputs(", only warnings", stderr);
  if (warnings && warnings < kept_count)
    fprintf(stderr, "; %zu of them %s", warnings, warnings == 1 ? "is a warning" : "are warnings");
  fputs("\n", stderr);
  if (any_error) _exit(86);
}

static void add_vector(wb_text *t, const char *name, bool known, uint3 v) {
  if (known)
    wb_text_add(t, ",\"%s\":[%u,%u,%u]", name, v.x, v.y, v.z);
  else
    wb_text_add(t, ",\"%s\":null", name);
}

size_t cucc_findings_json(char *buffer, size_t size) {
  wb_text t = {0};
  wb_text_add(&t, "[");
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < kept_count; i++) {
    const struct kept *k = &kept[i];
    wb_text_add(&t, "%s{\"tool\":\"%s\",\"severity\":\"%s\",\"sentence\":", i ? "," : "", tool_names[k->tool],
                k->warning ? "warning" : "error");
    json_string(&t, k->sentence);
    wb_text_add(&t, ",\"kernel\":");
    json_string(&t, k->kernel);
    add_vector(&t, "block", k->in_thread, k->block);
    add_vector(&t, "thread", k->in_thread, k->thread);
    wb_text_add(&t, ",\"file\":");
    json_string(&t, k->at.line ? k->at.file : NULL);
    wb_text_add(&t, ",\"line\":%d,\"other_file\":", k->at.line);
    json_string(&t, k->other.line ? k->other.file : NULL);
    wb_text_add(&t, ",\"other_line\":%d,\"allocation\":", k->other.line);
    json_string(&t, k->allocation);
    wb_text_add(&t, ",\"cause\":");
    json_string(&t, k->cause);
    wb_text_add(&t, ",\"call\":");
    json_string(&t, k->call);
    wb_text_add(&t, ",\"repeats\":%llu,\"text\":", (unsigned long long)repeats_of(k));
    json_string(&t, k->text);
    wb_text_add(&t, "}");
  }
  pthread_mutex_unlock(&lock);
  wb_text_add(&t, "]");
  return json_give(&t, buffer, size);
}
