/*
 * run/host_baseline.c: see run/host_baseline.h. The loop runs after everything else, in a worker of its
 * own that never calls the learner's function. This worker serves a copy of the task with all arrays in
 * host memory. The copy's baselines are the driver's loop on one core and on all.
 */
#include "run/host_baseline.h"
#include "base/threads.h"
#include "model/random.h"
#include "model/sizes.h"
#include "device/device.h"
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALLS    3   /* that count, after one that doesn't: it starts the threads and touches the memory */
#define LONG_MS  200 /* if the first call took this long, it is the only one */
#define ELEMENTS 100000

enum { ONE_CORE, ALL_CORES, KINDS };

static int with_threads(const wb_case *c, int threads) {
  omp_set_num_threads(threads);
  wb_task_at_hand->cpu(c);
  return 0;
}

static int one_core(const wb_case *c) { return with_threads(c, 1); }
static int all_cores(const wb_case *c) { return with_threads(c, wb_cores()); }

static const wb_baseline kinds[KINDS] = {{"one-core", "", one_core, NULL},
                                         {"all-cores", "", all_cores, NULL}};

/* The copy of the task that the worker serves. */
static wb_task on_host(const wb_task *task) {
  wb_task copy = *task;
  for (int a = 0; a < WB_MAX_ARRAYS; a++) copy.arrays[a].memory = WB_HOST;
  copy.baselines = kinds;
  copy.baseline_count = KINDS;
  return copy;
}

static double work(const wb_task *task, const wb_size *size) {
  const wb_case c = {.size = *size};
  return task->bytes ? task->bytes(&c) : task->flops ? task->flops(&c) : 1;
}

/* The baseline's size: the timed size, or the driver's smaller substitute. False: there is none. */
static bool choose_size(const wb_task *task, const wb_task_result *result, wb_size *size) {
  *size = result->timed ? result->timing.size : result->sized ? result->size : task->trace;
  if (!result->timed) return wb_size_given(size);
  if (!task->bytes && !task->flops) return !result->sized; /* its duration can't be predicted */
  if (wb_size_given(&task->cpu_size) && work(task, &task->cpu_size) < work(task, size))
    *size = task->cpu_size;
  return true;
}

static bool take_times(wb_runner *runner, int kind, uint64_t key, wb_samples *times) {
  wb_reply reply;
  wb_verdict verdict;
  for (int i = 0; i <= CALLS; i++) {
    wb_runner_refill(runner);
    if (!wb_runner_call(runner, kind, WB_FLUSH_HOST, 0, 0, &reply, NULL)) return false;
    if (i > 0 || reply.figures.wall_ms > LONG_MS) wb_samples_add(times, reply.figures.wall_ms);
    if (i == 0 && !wb_runner_verify(runner, ELEMENTS, key, "", &verdict)) return false;
    if (i == 0 && times->count > 0) break;
  }
  return true;
}

/* Adds the measured times to the result's baselines. */
static void compare(wb_task_result *r, int kind, const wb_size *size, wb_samples times) {
  const wb_task *task = r->task;
  wb_text what = {0};
  if (!r->timed || r->baseline_count >= WB_MAX_BASELINES) {
    wb_samples_free(&times);
    return;
  }
  if (kind == ONE_CORE)
    wb_text_add(&what, "one core of the host, a plain loop");
  else
    wb_text_add(&what, "all %d cores of the host, the same loop", wb_cores());
  if (memcmp(size, &r->timing.size, sizeof *size) != 0)
    wb_text_add(&what, ", at %s and compared by work", wb_text_size(size->n, wb_dims(task)));
  snprintf(r->cores_what[kind], sizeof r->cores_what[kind], "%s", wb_text_get(&what));
  wb_text_free(&what);
  r->cores[kind] = (wb_baseline){.name = kinds[kind].name, .what = r->cores_what[kind]};
  r->baselines[r->baseline_count++] = (wb_baseline_result){
      .baseline = &r->cores[kind],
      .time = times,
      .ratio = wb_speed_ratio(&r->timing.cold, work(task, &r->timing.size), &times, work(task, size))};
}

static void run_baseline(wb_runner *runner, uint64_t key) {
  const wb_task *learners = runner->task, copy = on_host(learners);
  wb_size size;
  if (!choose_size(learners, runner->result, &size)) return;
  runner->task = &copy;
  if (wb_runner_fill(runner, &size, key) &&
      wb_worker_start(&runner->worker, &copy, &runner->arena, wb_worker_limit())) {
    for (int kind = 0; kind < KINDS; kind++) {
      wb_samples times = {0};
      if (!take_times(runner, kind, key, &times)) {
        wb_samples_free(&times);
        break;
      }
      compare(runner->result, kind, &size, times);
      runner->result->cores_right++;
    }
    wb_worker_stop(&runner->worker);
    wb_worker_free(&runner->worker);
  }
  runner->task = learners;
}

void wb_baseline_run(wb_runner *runner, uint64_t key) {
  const char *wish = getenv("WB_BASELINE");
  wb_task_result *result = runner->result;
  if (!runner->task->cpu || (wish ? strcmp(wish, "0") == 0 : !result->timed)) return;
  run_baseline(runner, key);
  /* A failure here says nothing about the answer, which has been judged. */
  if (result->message.size == 0) return;
  snprintf(result->no_cores, sizeof result->no_cores, "%s", wb_text_get(&result->message));
  result->state = WB_RIGHT;
  wb_result_forget(result);
}
