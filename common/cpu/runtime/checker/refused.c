/*
 * Launches that the device refuses (too many threads, an empty grid): the kernel does not run, and only the
 * last error says so. A program that asks for the last error is right, whatever it does then; one that never
 * asks gets a finding at its end, because everything that it printed may be wrong. Launches by address return
 * the error; the program is trusted to check it. A time that is asked for too early is kept in the same way:
 * no program can go on without it.
 */
#include "checker/refused.h"
#if CUCC_CHECKED
#include <stdio.h>

#include "base/options.h"
#include "checker/findings.h"

#define KEPT_MAX 16 /* several places of a program; more would not help */

static struct finding kept[KEPT_MAX];
static int kept_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void check_bad_launch(const char *kernel, const char *reason, const char *cause, const char *file, int line) {
  pthread_mutex_lock(&lock);
  if (kept_count < KEPT_MAX) {
    struct finding *f = &kept[kept_count++];
    *f = (struct finding){.tool = TOOL_MEM, .at.line = line, .cause = cause};
    snprintf(f->at.file, sizeof f->at.file, "%s", file);
    snprintf(
        f->sentence, sizeof f->sentence,
        "kernel %.60s was not launched: %.120s (the error is pending, but nothing calls cudaGetLastError)",
        kernel, reason);
  }
  pthread_mutex_unlock(&lock);
}

void check_bad_argument(const char *kernel, int number, const char *what, const char *file, int line) {
  if (!checking(TOOL_MEM)) return;
  struct finding f = {.tool = TOOL_MEM, .at.line = line};
  snprintf(f.at.file, sizeof f.at.file, "%s", file);
  snprintf(f.sentence, sizeof f.sentence,
           "kernel %.60s was not launched: entry %d of its array of arguments is %s, not a pointer to the "
           "argument",
           kernel, number, what);
  f.cause = "the value in the place of its address: void *arguments[] = {&d_x, &n}, for pointers, too";
  finding_add(&f);
}

void check_time(uintptr_t site, bool known) {
  pthread_mutex_lock(&lock);
  int others = 0;
  for (int i = 0; i < kept_count; i++)
    if (kept[i].site != site) kept[others++] = kept[i];
  kept_count = others;
  if (!known && kept_count < KEPT_MAX) {
    struct finding *f = &kept[kept_count++];
    *f = (struct finding){.tool = TOOL_MEM, .site = site};
    snprintf(f->sentence, sizeof f->sentence,
             "cudaEventElapsedTime is called before the device has reached the event, so it gives no time "
             "(the error is pending, but nothing calls cudaGetLastError)");
    f->cause = "a missing cudaEventSynchronize(stop) before it: cudaEventRecord does not wait";
  }
  pthread_mutex_unlock(&lock);
}

void check_error_seen(void) {
  pthread_mutex_lock(&lock);
  kept_count = 0;
  pthread_mutex_unlock(&lock);
}

void check_program_ends(void) {
  for (int i = 0; checking(TOOL_MEM) && i < kept_count; i++) finding_add(&kept[i]);
}

#endif
