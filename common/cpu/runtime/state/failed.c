/*
 * Calls that failed: the first KEPT since cucc_forget_failures, each with its name, its place and its reason.
 *
 * The place is not known where an error arises, deep in the runtime, so the return addresses on the stack are
 * kept. Only when it is asked for, the first of them that lies in the program's own source is looked for.
 */
#include "state/failed.h"

#include <execinfo.h>
#include <stdio.h>
#include <string.h>

#include "base/code.h"
#include "state/launch_record.h"
#include "state/op.h"
#include "cucc.h"

#define KEPT   32
#define FRAMES 24

struct failed {
  cudaError_t error;
  bool seen;            /* the program has asked for the last error since */
  bool later;           /* it was an operation on the device, after its call had returned */
  char call[200];       /* "cudaMemcpy", "the launch of add<<<(1,1,1), (256,1,1)>>>" */
  struct place at;      /* line 0: */
  void *frames[FRAMES]; /* return addresses, innermost first */
  int frame_count;
  char reason[640];
};

static struct failed kept[KEPT];
static size_t kept_count;
static struct {
  const struct launch *launch;
  char reason[600];
} in_kernel;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread struct failed now; /* the call that runs */

void failed_enter(const char *call) {
  now.at.line = 0;
  now.reason[0] = 0;
  snprintf(now.call, sizeof now.call, "%s", call);
}

static void name_kernel(char *out, size_t size, const char *before, const char *name, uint3 g, uint3 b) {
  snprintf(out, size, "%s%.90s<<<(%u,%u,%u), (%u,%u,%u)>>>", before, name, g.x, g.y, g.z, b.x, b.y, b.z);
}

static struct place place_at(const char *file, int line) {
  struct place at = {.line = line};
  snprintf(at.file, sizeof at.file, "%s", file);
  return at;
}

void failed_launching(const char *kernel, uint3 grid, uint3 block, const char *file, int line) {
  name_kernel(now.call, sizeof now.call, "the launch of ", kernel, grid, block);
  now.at = place_at(file, line);
}

void failed_because(const char *sentence, const char *advice) {
  snprintf(now.reason, sizeof now.reason, "%s%s%s", sentence, advice ? "\n" : "", advice ? advice : "");
}
void failed_in_kernel(const struct launch *launch, const char *sentence, struct place at) {
  pthread_mutex_lock(&lock);
  in_kernel.launch = launch;
  if (at.line)
    snprintf(in_kernel.reason, sizeof in_kernel.reason, "%s:%d: %s", at.file, at.line, sentence);
  else
    snprintf(in_kernel.reason, sizeof in_kernel.reason, "%s", sentence);
  pthread_mutex_unlock(&lock);
}

static void keep(const struct failed *f) {
  pthread_mutex_lock(&lock);
  if (kept_count < KEPT) kept[kept_count++] = *f;
  pthread_mutex_unlock(&lock);
}

void failed_note(cudaError_t error) {
  if (error == cudaErrorNotReady || __atomic_load_n(&kept_count, __ATOMIC_RELAXED) >= KEPT) return;
  now.error = error;
  now.frame_count = now.at.line ? 0 : backtrace(now.frames, FRAMES);
  keep(&now);
}

void failed_operation(cudaError_t error, const struct op *op) {
  struct failed f = {.error = error, .later = true};
  const struct launch *l = op ? op->launch : NULL;
  if (l) {
    name_kernel(f.call, sizeof f.call, "kernel ", l->name, l->grid, l->block);
    f.at = place_at(l->file, l->line);
  } else if (op) {
    snprintf(f.call, sizeof f.call, "%s", op->call);
    f.frames[0] = (void *)op->site;
    f.frame_count = 1;
  } else { /* nothing can run (work_stalled) */
    snprintf(f.call, sizeof f.call, "a call of a library that waits for ever");
    snprintf(f.reason, sizeof f.reason, "the finding of synccheck names the call, and what it waits for");
  }
  pthread_mutex_lock(&lock);
  if (l && in_kernel.launch == l) snprintf(f.reason, sizeof f.reason, "%s", in_kernel.reason);
  pthread_mutex_unlock(&lock);
  keep(&f);
}

void failed_seen(void) {
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < kept_count; i++) kept[i].seen = true;
  pthread_mutex_unlock(&lock);
}

void cucc_forget_failures(void) {
  pthread_mutex_lock(&lock);
  kept_count = 0;
  in_kernel.launch = NULL;
  pthread_mutex_unlock(&lock);
}

/* The one that an answer of `error` speaks of. After a kernel's fault every call fails with its error, so the
 * kernel comes first; else the first that the program has not asked for; else the last. 0 speaks of any error. */
static const struct failed *find(cudaError_t error) {
  const struct failed *last = NULL, *unseen = NULL;
  for (size_t i = 0; i < kept_count; i++) {
    const struct failed *f = &kept[i];
    if (error && f->error != error) continue;
    if (f->later) return f;
    if (!f->seen && !unseen) unseen = f;
    last = f;
  }
  return unseen ? unseen : last;
}

int cucc_failed_with(int error, cucc_origin *origin) {
  struct failed copy = {.frame_count = 0};
  pthread_mutex_lock(&lock);
  const struct failed *f = find((cudaError_t)error);
  if (f) copy = *f;
  pthread_mutex_unlock(&lock);
  if (!f) return 0;
  for (int i = 0; i < copy.frame_count && !copy.at.line; i++)
    if (!code_in_runtime((uintptr_t)copy.frames[i])) copy.at = place_of((uintptr_t)copy.frames[i]);
  *origin = (cucc_origin){.place = ""};
  if (copy.at.line) snprintf(origin->place, sizeof origin->place, "%s:%d", copy.at.file, copy.at.line);
  snprintf(origin->call, sizeof origin->call, "%s%s%s", copy.call,
           !copy.at.line ? ""
           : copy.later  ? ", launched at "
                         : " at ",
           origin->place);
  snprintf(origin->reason, sizeof origin->reason, "%s", copy.reason);
  return 1;
}
