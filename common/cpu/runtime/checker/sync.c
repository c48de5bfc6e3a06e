/*
 * Barriers: do all live threads of the block wait at the same one, and can every waiting thread go on at some
 * point?
 *
 * Threads that have returned are not waited for, as on the hardware. The compiler may copy a barrier
 * (unrolled loops), so different addresses count as the same barrier when they are of the same source line.
 */
#include "checker/sync.h"
#if CUCC_CHECKED
#include <stdio.h>
#include <string.h>

#include "base/options.h"
#include "base/places.h"
#include "state/worker.h"
#include "checker/describe.h"
#include "checker/epochs.h"
#include "checker/findings.h"
#include "checker/profile.h"
#include "checker/thread_state.h"

/* Are two waiting places different in the source? Asked rarely, answered by addr2line: remembered. */
static bool lines_differ(uintptr_t a, uintptr_t b) {
  static struct {
    uintptr_t a, b;
    bool answer;
  } known[64];
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  const size_t i = (a * 31 + b) % 64;
  pthread_mutex_lock(&lock);
  if (known[i].a != a || known[i].b != b) {
    const struct place p = place_of(a), q = place_of(b);
    known[i].a = a;
    known[i].b = b;
    known[i].answer = p.line != q.line || strcmp(p.file, q.file);
  }
  const bool answer = known[i].answer;
  pthread_mutex_unlock(&lock);
  return answer;
}

/* Do two threads wait at different barriers? Those that the rewriter saw have numbers. */
static bool barriers_differ(const struct thread *a, const struct thread *b) {
  if (a->barrier && b->barrier) return a->barrier != b->barrier;
  return a->site != b->site && lines_differ(a->site, b->site);
}

static void report_as(bool warning, struct worker *w, int one, int other, const char *sentence,
                      const char *other_does, const char *cause) {
  const uintptr_t site = w->threads[one].site;
  if (!checking(TOOL_SYNC) || finding_repeats(TOOL_SYNC, warning, site, w->launch)) return;
  struct finding f = {.tool = TOOL_SYNC,
                      .warning = warning,
                      .launch = w->launch,
                      .in_thread = true,
                      .block = cucc_self.block_idx,
                      .thread = w->index_of[one],
                      .site = site,
                      .other_site = w->threads[other].site,
                      .cause = cause};
  const uint3 u = w->index_of[other];
  snprintf(f.sentence, sizeof f.sentence, "%s", sentence);
  if (other != one)
    snprintf(f.other, sizeof f.other, "where thread (%u,%u,%u) %s", u.x, u.y, u.z, other_does);
  else
    f.other_site = 0;
  finding_add(&f);
}

static void report(struct worker *w, int one, int other, const char *sentence, const char *other_does,
                   const char *cause) {
  report_as(false, w, one, other, sentence, other_does, cause);
}

#define BRANCH_CAUSE                                                                                         \
  "__syncthreads in a branch or loop that not all threads of the block take; move it out of the branch"

/* Threads that came to the kernel's end have passed by the barrier at which others wait; those that returned
 * early have not. */
static void check_skipped(struct worker *w, int waiting) {
  char sentence[240];
  int skipped = 0;
  for (int t = 0; t < w->count; t++)
    skipped += w->threads[t].wait == ENDED && w->threads[t].at_end && !w->threads[t].left;
  if (!skipped) return;
  snprintf(
      sentence, sizeof sentence,
      "%d of the %d threads of block (%u,%u,%u) skip this barrier: they have come to the end of the kernel",
      skipped, w->count, cucc_self.block_idx.x, cucc_self.block_idx.y, cucc_self.block_idx.z);
  report(w, waiting, waiting, sentence, "is", BRANCH_CAUSE);
}

void check_barrier(struct worker *w) {
  if (UNLIKELY(thread_state.profile)) profile_barrier(w);
  const int first = w->arrived[0];
  for (int i = 1; i < w->arrived_count; i++) {
    const int t = w->arrived[i];
    if (UNLIKELY(barriers_differ(&w->threads[first], &w->threads[t]))) {
      char sentence[160];
      snprintf(sentence, sizeof sentence, "the threads of block (%u,%u,%u) wait at different barriers",
               cucc_self.block_idx.x, cucc_self.block_idx.y, cucc_self.block_idx.z);
      report(w, first, t, sentence, "waits at another __syncthreads", BRANCH_CAUSE);
      w->mixed = true;
      break;
    }
  }
  if (UNLIKELY(w->ended) && !w->mixed) check_skipped(w, first);
  epochs_barrier(w);
}

void check_absent_lane(struct worker *w, int thread, int source, bool named) {
  char sentence[160];
  const uint3 t = w->index_of[thread];
  snprintf(sentence, sizeof sentence,
           "thread (%u,%u,%u) shuffles from lane %d, which does not take part: the value is undefined", t.x,
           t.y, t.z, source);
  report_as(
      !named, w, thread, thread, sentence, "is",
      named ? "a guard that keeps lanes out of the shuffle, or a block that is no multiple of 32: let all "
              "lanes take part, the idle ones with a neutral value"
            : "the mask does not name that lane: do not use the value, here NaN or -1");
}

void check_unnamed_lane(struct worker *w, int thread, uint32_t mask) {
  char sentence[160];
  const uint3 t = w->index_of[thread];
  snprintf(sentence, sizeof sentence,
           "thread (%u,%u,%u), lane %d, calls a warp function with mask 0x%08x, %s", t.x, t.y, t.z,
           thread % 32, mask, "which does not name it");
  report(
      w, thread, thread, sentence, "is",
      "a mask computed for other lanes, or a constant one that is too small: a lane's own bit must be set");
}

void check_partial_tile(struct worker *w, int thread, uint32_t group) {
  char sentence[160];
  const int there = __builtin_popcount(group);
  snprintf(sentence, sizeof sentence,
           "%d lane%s of a warp call%s a function of nvcuda::wmma, which all 32 lanes have to call together",
           there, plural_s((size_t)there), there == 1 ? "s" : "");
  report(w, thread, thread, sentence, "is",
         "a guard by threadIdx.x around the call, or a block that is no multiple of 32: let whole warps take "
         "part, and choose each warp's tile by threadIdx.x / 32");
}

void check_warp_met(struct worker *w, int warp, uint32_t group) {
  if (UNLIKELY(thread_state.profile)) profile_warp_met(w, warp, group);
  const int first = warp * 32 + __builtin_ctz(group);
  for (int lane_index = 0; lane_index < 32; lane_index++) {
    const int t = warp * 32 + lane_index;
    if (!(group >> lane_index & 1) || w->threads[t].site == w->threads[first].site) continue;
    if (!lines_differ(w->threads[first].site, w->threads[t].site)) continue;
    report(w, first, t, "lanes of one warp meet in different warp functions", "is in another one",
           "a __shfl_sync, __ballot_sync or __syncwarp in a branch, with a mask that names lanes of the "
           "other branch");
    return;
  }
}

/* A synchronisation of the grid that some threads of this block, or a whole block, never reach. */
static void report_grid_stuck(struct worker *w, int at_barrier) {
  char sentence[240];
  int other = at_barrier;
  for (int t = 0; t < w->count; t++)
    if (w->threads[t].wait != ENDED && w->threads[t].site != w->threads[at_barrier].site) other = t;
  if (w->at_grid < w->count)
    snprintf(sentence, sizeof sentence,
             "block (%u,%u,%u) can never go on: %d of its %d threads synchronise the grid, the others do not",
             cucc_self.block_idx.x, cucc_self.block_idx.y, cucc_self.block_idx.z, w->at_grid, w->count);
  else
    snprintf(sentence, sizeof sentence,
             "block (%u,%u,%u) can never go on: it synchronises the grid, but another block has ended",
             cucc_self.block_idx.x, cucc_self.block_idx.y, cucc_self.block_idx.z);
  report(w, at_barrier, other, sentence, "waits elsewhere",
         "a return or a branch before grid.sync(): every thread of every block must reach it (a GPU hangs "
         "here)");
}

void check_grid_absent(struct worker *w, uintptr_t site) {
  w->threads[w->current].site = site;
  report(w, w->current, w->current,
         "a kernel synchronises its grid, but its blocks were not launched to run at the same time", "is",
         "a launch with <<< >>> where grid.sync() needs cudaLaunchCooperativeKernel");
}

/* ---- barriers in memory -------------------------------------------------------------------------------- */

static void report_of_thread(struct worker *w, uintptr_t site, const char *does, const char *cause) {
  char sentence[200];
  const uint3 t = w->index_of[w->current];
  w->threads[w->current].site = site;
  snprintf(sentence, sizeof sentence, "thread (%u,%u,%u) %s", t.x, t.y, t.z, does);
  report(w, w->current, w->current, sentence, "is", cause);
}

void check_barrier_before_init(struct worker *w, uintptr_t site) {
  report_of_thread(
      w, site, "uses a cuda::barrier or cuda::pipeline before its init()",
      "no init(&barrier, count) by one thread, or no __syncthreads() between that and its use by "
      "the others");
}

void check_too_many_arrivals(struct worker *w, uintptr_t site, uint32_t count, uint32_t missing) {
  char does[120];
  snprintf(does, sizeof does,
           "arrives at a cuda::barrier with a count of %u, but its phase expects only %u more", count,
           missing);
  report_of_thread(
      w, site, does,
      "an init() with a count smaller than the number of arrivals, or arrive_and_drop() by all threads");
}

/* What is missing in the phase that a thread waits for. */
static void describe_phase(const struct worker *w, int waits, char *text, size_t size) {
  static const char *const name[] = {"wait for a phase of a cuda::barrier",
                                     "wait in producer_acquire() of a cuda::pipeline",
                                     "wait in consumer_wait() of a cuda::pipeline"};
  const struct phased *p = &w->phased[waits];
  int threads = 0;
  for (int t = 0; t < w->count; t++)
    threads += w->threads[t].wait == AT_PHASE && w->phased[t].object == p->object;
  snprintf(text, size, "block (%u,%u,%u) can never go on: %d threads %s; %u of its %u arrivals are missing",
           cucc_self.block_idx.x, cucc_self.block_idx.y, cucc_self.block_idx.z, threads, name[p->use],
           phase_missing(*p->object), phase_expected(*p->object));
}

static void report_phase_stuck(struct worker *w, int waits) {
  char sentence[240];
  int other = waits;
  for (int t = 0; t < w->count; t++)
    if (w->threads[t].wait != ENDED && w->threads[t].site != w->threads[waits].site) other = t;
  describe_phase(w, waits, sentence, sizeof sentence);
  report(
      w, waits, other, sentence, "waits",
      w->phased[waits].use == OF_BARRIER
          ? "a branch or return without arrive() or arrive_and_drop(), or an init() with more arrivals than "
            "there are (a GPU hangs here)"
          : "a stage that not every producer commits or not every consumer releases, or a thread that is "
            "counted and takes no part (a GPU hangs here)");
}

void check_deadlock(struct worker *w) {
  int at_barrier = -1, at_warp = -1, at_phase = -1, barriers = 0, warps = 0;
  for (int t = 0; t < w->count; t++) {
    if (w->threads[t].wait == AT_BARRIER && barriers++ == 0) at_barrier = t;
    if (w->threads[t].wait == AT_WARP && warps++ == 0) at_warp = t;
    if (w->threads[t].wait == AT_PHASE && at_phase < 0) at_phase = t;
  }
  char sentence[240];
  if (w->at_grid) {
    report_grid_stuck(w, at_barrier);
    return;
  }
  if (at_phase >= 0) {
    report_phase_stuck(w, at_phase);
    return;
  }
  if (at_barrier >= 0) {
    snprintf(sentence, sizeof sentence,
             "block (%u,%u,%u) can never go on: %d threads wait at __syncthreads, %d in a warp function for "
             "lanes that wait there",
             cucc_self.block_idx.x, cucc_self.block_idx.y, cucc_self.block_idx.z, barriers, warps);
    report(w, at_barrier, at_warp, sentence, "waits for other lanes of its warp",
           "a barrier or warp function in a branch that not all threads take (a GPU hangs here)");
    return;
  }
  int other = at_warp;
  for (int t = 0; t < w->count; t++)
    if (w->threads[t].wait == AT_WARP && w->threads[t].site != w->threads[at_warp].site) other = t;
  snprintf(sentence, sizeof sentence,
           "block (%u,%u,%u) can never go on: %d threads wait in warp functions whose masks name lanes that "
           "never come",
           cucc_self.block_idx.x, cucc_self.block_idx.y, cucc_self.block_idx.z, warps);
  report(w, at_warp, other, sentence, "waits",
         "a __shfl_sync, __ballot_sync or __syncwarp whose mask names lanes that take another branch");
}

#endif
