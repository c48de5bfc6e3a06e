/*
 * run/timing.c: see run/timing.h. A round has new inputs; it calls the learner's function with cold
 * caches, then with warm caches; then each baseline with cold caches. They are measured in turn, so a
 * machine that becomes slower becomes slower for all of them. Outputs are poisoned before every call and
 * verified after it. Rounds go on until the figures settle; a baseline that is far slower is left out of later ones.
 */
#include "run/timing.h"
#include "base/clock.h"
#include "base/process_tree.h"
#include "base/progress.h"
#include "model/random.h"
#include "device/device.h"
#include "run/figures.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* So many elements are checked after a timed call, and fewer where that takes longer than SAMPLE_MS: an element
 * of a large product is a sum of thousands of terms. */
#define SAMPLE_ELEMENTS 100000
#define SAMPLE_FEWEST   2000
#define SAMPLE_MS       20
#define WARM_UP_CALLS   2
#define LONG_MS         200
#define SCATTERED       20 /* how many times as long an element takes here and there as in turn, at most */
#define FAR_SLOWER      20 /* times: no threshold asks for so much */

typedef struct session {
  wb_runner *runner;
  wb_timing *timing;
  wb_samples event, wall, seen, hot_event, hot_wall, cores;
  wb_samples baseline_event[WB_MAX_BASELINES], baseline_wall[WB_MAX_BASELINES], baseline_extra;
  bool device_answers; /* the outputs stay on the device: events give the time */
  size_t sample;       /* the elements that are checked after the next call, unless all are */
  double full_ms;      /* how long it takes to verify every element; INFINITY: too long to try */
} session;

/* How long it would take to verify all elements, if each took as long as those of the sample did. */
static double all_ms(const session *s, double sample_ms) {
  size_t most = 0;
  const wb_runner *runner = s->runner;
  for (int a = 0; a < runner->layout.arrays; a++)
    if (runner->task->arrays[a].role != WB_IN && runner->layout.count[a] > most)
      most = runner->layout.count[a];
  return sample_ms * (double)most / (double)s->sample;
}

static bool verify(session *s, bool full, uint64_t key, const char *when) {
  wb_verdict verdict;
  const double start = wb_now_ms();
  if (!wb_runner_verify(s->runner, full ? 0 : s->sample, key, when, &verdict)) return false;
  const double took_ms = wb_now_ms() - start;
  if (full) {
    s->full_ms = took_ms;
  } else {
    if (took_ms > SAMPLE_MS || all_ms(s, took_ms) > SCATTERED * LONG_MS) s->full_ms = INFINITY;
    if (took_ms > SAMPLE_MS) s->sample = (size_t)fmax(SAMPLE_FEWEST, (double)s->sample * SAMPLE_MS / took_ms);
  }
  return true;
}

/* One timed call of the learner's function. `full`: verify every element. */
static bool call_learner(session *s, bool cold, bool full, uint64_t key, const char *when) {
  wb_runner *runner = s->runner;
  wb_reply reply;
  double seen_ms;
  /* "Warm" means the device's caches. Where arrays in host memory are cached depends on the core that
   * touched them last, so with a GPU they are cold in every timed call. */
  const bool host = strcmp(wb_device_backend(), "host") == 0;
  const int flags = cold ? WB_FILL | WB_FLUSH | WB_FLUSH_HOST : host ? 0 : WB_FLUSH_HOST;
  if (!wb_runner_call(runner, -1, flags, 0, 0, &reply, &seen_ms) || !wb_runner_accept(runner, &reply))
    return false;
  if (!verify(s, full, key, when)) return false;
  const wb_call_figures *f = &reply.figures;
  if (!(f->wall_ms > 0) || f->wall_ms > seen_ms || f->event_ms > seen_ms) {
    wb_runner_fail(runner, WB_ERROR,
                   "its process reports %g ms (events: %g ms) for a call that took %g ms in all", f->wall_ms,
                   f->event_ms, seen_ms);
    return false;
  }
  wb_samples_add(cold ? &s->event : &s->hot_event, f->event_ms);
  /* On a processor the parent's clock gives the figure: the learner's code could forge the worker's own
   * numbers. */
  const double wall_ms = host ? seen_ms : f->wall_ms;
  wb_samples_add(cold ? &s->wall : &s->hot_wall, wall_ms);
  if (cold) {
    wb_samples_add(&s->seen, seen_ms);
    wb_samples_add(&s->cores, f->cpu_ms / wall_ms);
    if (f->threads > s->timing->threads_used) s->timing->threads_used = f->threads;
  }
  return true;
}

/* The learner's process is stopped while a baseline is timed. */
static bool in_bench(session *s, int number, wb_reply *reply, double *seen_ms) {
  const bool apart = s->runner->bench.pid != 0;
  const wb_worker learner = s->runner->worker;
  if (apart) s->runner->worker = s->runner->bench;
  const bool done =
      wb_runner_call(s->runner, number, WB_FILL | WB_FLUSH | WB_FLUSH_HOST, 0, WB_NO_COPY, reply, seen_ms);
  if (apart) {
    s->runner->bench = s->runner->worker;
    s->runner->worker = learner;
  }
  return done;
}

static bool call_baseline(session *s, int number, bool keep) {
  wb_reply reply;
  double seen_ms;
  wb_runner_refill(s->runner);
  if (!in_bench(s, number, &reply, &seen_ms)) return false;
  if (reply.figures.status || reply.figures.wait_error) {
    wb_runner_fail(s->runner, WB_ERROR, "the baseline %s failed: %s", s->runner->task->baselines[number].name,
                   reply.name);
    return false;
  }
  if (keep) {
    wb_samples_add(&s->baseline_event[number], reply.figures.event_ms);
    wb_samples_add(&s->baseline_wall[number], s->runner->bench.pid ? seen_ms : reply.figures.wall_ms);
    wb_samples_add(&s->baseline_extra, seen_ms - reply.figures.wall_ms);
  }
  return true;
}

static size_t baselines(const session *s) {
  const size_t count = s->runner->task->baseline_count;
  return count < WB_MAX_BASELINES ? count : WB_MAX_BASELINES;
}

/* The first calls load code, fill caches of all kinds and wake the device up. They aren't timed, but show how
 * long it takes to verify some elements and, unless that is long, all. */
static bool warm_up(session *s, uint64_t key) {
  bool right = wb_runner_fill(s->runner, &s->timing->size, wb_random_key(key, UINT64_MAX));
  for (int i = 0; right && i < WARM_UP_CALLS; i++) {
    wb_reply reply;
    wb_runner_refill(s->runner);
    right = wb_runner_call(s->runner, -1, WB_FILL, 0, 0, &reply, NULL) &&
            wb_runner_accept(s->runner, &reply) &&
            verify(s, i > 0 && s->full_ms < INFINITY, key, " (at the size that is timed)");
    for (size_t y = 0; right && y < baselines(s); y++) right = call_baseline(s, (int)y, false);
  }
  return right;
}

/* Whether a baseline is far slower, by three rounds or more. It is not called again: its calls would take the time
 * that the figures near a threshold need. */
static bool far_slower(const session *s, size_t baseline) {
  const wb_runner *runner = s->runner;
  return wb_ratio_to(runner->task, &runner->inputs, &s->wall, baseline, &s->baseline_wall[baseline]).low >
         FAR_SLOWER;
}

/* The first and the last round are verified in full: both calls, but only the last cold one where that takes
 * long. */
static bool one_round(session *s, uint64_t key, bool first, bool last) {
  const bool quick = s->full_ms < LONG_MS;
  if (!wb_runner_fill(s->runner, &s->timing->size, key)) return false;
  if (!call_learner(s, true, last || (first && quick), wb_random_key(key, 300), " (in a timed call)"))
    return false;
  wb_runner_refill(s->runner);
  if (!call_learner(s, false, quick && (first || last), wb_random_key(key, 301),
                    " (in a timed call with warm caches)"))
    return false;
  for (size_t y = 0; y < baselines(s); y++)
    if (!far_slower(s, y) && !call_baseline(s, (int)y, true)) return false;
  return true;
}

/*
 * Chooses the clock of the figure. Events see only the default stream and the streams that wait for it. If
 * the wall clock shows clearly more (60 us, the cost of a launch, and 30 %), work ran in other streams,
 * and the wall clock counts.
 */
static void choose_clock(session *s) {
  wb_timing *timing = s->timing;
  const double event = wb_median(&s->event), wall = wb_median(&s->wall), seen = wb_median(&s->seen);
  timing->events = s->device_answers && event > 0;
  if (timing->events && wall > event * 1.3 + 0.06) {
    timing->events = false;
    snprintf(timing->warning, sizeof timing->warning,
             "work ran outside the timed stream (events %.4g ms, wall clock %.4g ms): the wall clock counts",
             event, wall);
  }
  /* The cost of a request besides the call is known from the baselines' calls. */
  const double extra = s->baseline_extra.count ? 3 * wb_median(&s->baseline_extra) + 0.5 : 2 + wall / 2;
  if (seen > wall + extra) {
    timing->events = false;
    snprintf(timing->warning, sizeof timing->warning,
             "the harness measured %.4g ms for calls that reported %.4g ms: the harness's time counts", seen,
             wall);
    const wb_samples saved = s->wall;
    s->wall = s->seen;
    s->seen = saved;
  }
}

static double largest_error(const session *s) {
  const bool events = s->device_answers && wb_median(&s->event) > 0;
  double error = wb_standard_error(events ? &s->event : &s->wall);
  for (size_t y = 0; y < baselines(s); y++)
    if (!far_slower(s, y))
      error = fmax(error, wb_standard_error(events ? &s->baseline_event[y] : &s->baseline_wall[y]));
  return error;
}

static double sum_s(const wb_samples *samples) {
  double sum = 0;
  for (size_t i = 0; i < samples->count; i++) sum += samples->value[i];
  return sum / 1e3;
}

static double budget_s(void) {
  const char *text = getenv("WB_TIME_BUDGET");
  const double budget = text ? strtod(text, NULL) : 0;
  return budget > 0 ? budget : wb_device_time_budget();
}

static bool take_rounds(session *s, uint64_t key) {
  const int reps = s->runner->run->options->reps;
  /* One less than requested: the round after them, whose outputs are checked in full, counts too. */
  wb_stopping rule = {.least = 9, .most = 199, .error = 0.005, .budget_seconds = budget_s()};
  if (reps)
    rule = (wb_stopping){
        .least = (size_t)reps - 1, .most = (size_t)reps - 1, .error = INFINITY, .budget_seconds = INFINITY};
  const double start = wb_now_ms();
  size_t rounds = 0;
  while (!wb_stop(&rule, rounds, largest_error(s), sum_s(&s->wall), (wb_now_ms() - start) / 1e3)) {
    wb_progress("%s: timing, round %zu", s->runner->task->name, rounds + 1);
    if (!one_round(s, wb_random_key(key, rounds), rounds == 0, false)) return false;
    rounds++;
  }
  return one_round(s, wb_random_key(key, rounds), false, true);
}

static void warn_noise(session *s) {
  wb_timing *timing = s->timing;
  const double error = largest_error(s);
  if (!timing->warning[0] && error > 0.02)
    snprintf(timing->warning, sizeof timing->warning,
             "noisy: the median is only known to %.2g %%; is something else running here?", 200 * error);
}

/* Moves the samples of the chosen clock into the result and frees the others. */
static void keep_samples(session *s) {
  wb_timing *timing = s->timing;
  timing->cold = timing->events ? s->event : s->wall;
  timing->hot = timing->events ? s->hot_event : s->hot_wall;
  if (timing->events) {
    timing->wall = s->wall;
  } else {
    for (size_t i = 0; i < s->wall.count; i++) wb_samples_add(&timing->wall, s->wall.value[i]);
    wb_samples_free(&s->event);
  }
  wb_samples_free(timing->events ? &s->hot_wall : &s->hot_event);
  wb_task_result *result = s->runner->result;
  for (size_t y = 0; y < baselines(s); y++) {
    wb_baseline_result *base = &result->baselines[result->baseline_count++];
    base->baseline = &s->runner->task->baselines[y];
    base->time = timing->events ? s->baseline_event[y] : s->baseline_wall[y];
    wb_samples_free(timing->events ? &s->baseline_wall[y] : &s->baseline_event[y]);
  }
  timing->cores_used = wb_median(&s->cores);
  wb_samples_free(&s->seen);
  wb_samples_free(&s->baseline_extra);
  wb_samples_free(&s->cores);
}

/* The baselines' worker is forked from a process that never ran the learner's code. On a GPU it would need
 * a second context, which takes time to make and is not available in exclusive mode. */
static bool open_bench(wb_runner *runner) {
  wb_request request = {.verb = WB_DO_OPEN};
  wb_reply reply;
  if (wb_worker_start(&runner->bench, runner->task, &runner->arena, wb_worker_limit()) &&
      wb_worker_ask(&runner->bench, &request, &reply, NULL) == WB_ANSWERED) {
    wb_process_tree_spare(runner->bench.pid);
    return true;
  }
  wb_runner_fail(runner, WB_ERROR, "no process could be started for the baselines");
  return false;
}

void wb_timing_close(wb_runner *runner) {
  wb_process_tree_spare(0);
  if (runner->bench.pid) wb_worker_stop(&runner->bench);
  wb_worker_free(&runner->bench);
}

bool wb_timing_run(wb_runner *runner, uint64_t key) {
  session s = {.runner = runner, .timing = &runner->result->timing, .sample = SAMPLE_ELEMENTS};
  const wb_task *task = runner->task;
  s.timing->size = runner->result->sized ? runner->result->size : task->timed;
  s.device_answers = !wb_answers_on_host(task);

  const bool host = strcmp(wb_device_backend(), "host") == 0;
  bool right = !host || open_bench(runner);
  right = right && warm_up(&s, key) && take_rounds(&s, key);
  choose_clock(&s);
  warn_noise(&s);
  keep_samples(&s);
  if (right) {
    runner->result->timed = true;
    wb_timing_figures(runner->run, runner->result, &runner->inputs);
  }
  return right;
}
