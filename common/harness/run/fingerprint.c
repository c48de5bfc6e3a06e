/* run/fingerprint.c: see run/fingerprint.h. */
#include "run/fingerprint.h"
#include "base/progress.h"
#include "model/check.h"
#include "model/random.h"
#include "worker/channel.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES  ((size_t)1 << 18) /* of the arrays of a case */
#define MOST_S      2                 /* seconds for a call; code that takes longer has no fingerprint */
#define MOST_VALUES 64                /* wrong values of an array that count; of the others only the places */

enum { NAN_CODE = 1, INFINITE_CODE, UNWRITTEN_CODE, FIRST_VALUE_CODE };

static void add(uint64_t *hash, uint64_t value) { *hash = wb_random_key(*hash, value); }

/* A value to 11 bits: what remains of rounding errors does not count. */
static uint64_t code_of(double value) {
  if (isnan(value)) return NAN_CODE;
  int exponent;
  if (isinf(value)) return INFINITE_CODE;
  const int64_t rounded = llround(ldexp(frexp(value, &exponent), 11));
  return FIRST_VALUE_CODE + (uint64_t)(rounded * 4096 + exponent + 2048);
}

/* Hashes the places of an array's wrong elements and their values. */
static void add_array(const wb_runner *runner, int a, wb_print *print) {
  const wb_type type = runner->task->arrays[a].type;
  const size_t bytes = wb_type_bytes(type);
  static const unsigned char poison[8] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
  size_t wrong = 0;
  for (size_t i = 0; i < runner->layout.count[a]; i++) {
    const wb_expected want = runner->task->expect(&runner->inputs, a, i);
    const double got = wb_element(type, runner->got[a], i);
    const double error = wb_error(type, runner->got[a], i, want);
    if (error == 0 || error <= want.tolerance) continue;
    const char *place = (const char *)runner->got[a] + i * bytes, *before = runner->inputs.array[a];
    const bool unwritten = memcmp(place, poison, bytes) == 0;
    const bool unchanged = before && memcmp(place, before + i * bytes, bytes) == 0;
    if (!unwritten && !unchanged && isfinite(got)) print->written++;
    add(&print->values, (uint64_t)a << 60 | i);
    if (wrong++ < MOST_VALUES) add(&print->values, unwritten ? UNWRITTEN_CODE : code_of(got));
  }
  print->wrong += wrong;
}

static void add_answer(const wb_runner *runner, const wb_reply *reply, wb_print *print) {
  const wb_call_figures *f = &reply->figures;
  size_t index;
  print->must_fail = runner->task->must_fail && runner->task->must_fail(&runner->inputs);
  print->status = f->status;
  print->device_error = f->wait_error;
  print->pending_error = f->pending_error;
  print->late = reply->late;
  snprintf(print->left, sizeof print->left, "%s", f->left);
  if (print->must_fail)
    print->wrong = wb_check_untouched(runner->task, &runner->inputs, runner->got, &index) >= 0;
  else
    for (int a = 0; a < runner->layout.arrays; a++)
      if (runner->task->arrays[a].role != WB_IN) add_array(runner, a, print);
}

static bool is_right(const wb_print *print) {
  return print->end == WB_NOT_RUN && print->wrong == 0 && !print->device_error && !print->pending_error &&
         !print->late && (print->status != 0) == print->must_fail;
}

/* One call in a new worker. Its inputs depend on `key` alone. */
static void take(wb_runner *runner, wb_print *print, uint64_t key, int call_flags) {
  wb_reply reply;
  wb_task_result apart = {.task = runner->task};
  runner->result = &apart;
  print->values = 1;
  print->end = WB_TIMEOUT;
  if (wb_runner_open(runner, WB_STEADY)) {
    runner->worker.limit_s = MOST_S;
    if (wb_runner_fill(runner, &print->size, key) &&
        wb_runner_call(runner, -1, WB_FILL, call_flags, WB_RELEASE, &reply, NULL))
      add_answer(runner, &reply, print);
    print->end = apart.state;
    print->findings = wb_channel_findings(runner->worker.channel);
    print->counters = wb_channel_counters(runner->worker.channel);
    wb_worker_stop(&runner->worker);
    wb_worker_free(&runner->worker);
  }
  wb_text_free(&apart.message);
  wb_text_free(&apart.detail);
  wb_text_free(&apart.cause);
}

/* The size at which the task was found to be wrong, if it is a declared one: its place; -1: none. */
static int wrong_size(const wb_runner *runner) {
  const wb_task_result *result = runner->result;
  for (size_t i = 0; i < result->case_count && i < runner->task->size_count; i++)
    if (result->cases[i].state != WB_RIGHT && result->cases[i].state != WB_NOT_RUN &&
        memcmp(&result->cases[i].size, &runner->task->sizes[i], sizeof(wb_size)) == 0)
      return (int)i;
  return -1;
}

void wb_fingerprint_run(wb_runner *runner) {
  const wb_task *task = runner->task;
  wb_task_result *result = runner->result;
  const int wrong = wrong_size(runner);
  bool right = true, in_time = true;
  size_t most = 0;
  wb_print *largest = NULL; /* the only one whose counters are kept */
  result->prints = calloc(task->size_count + 1, sizeof *result->prints);
  wb_progress("%s: fingerprint", task->name);
  runner->coarse = true;
  for (size_t i = 0; result->prints && in_time && i < task->size_count; i++) {
    const wb_case probe = {.size = task->sizes[i]};
    const size_t bytes = wb_case_bytes(&probe);
    const bool small = bytes <= MOST_BYTES;
    /* A larger size counts only where no small one shows anything. */
    if (!small && !(right && (int)i == wrong)) continue;
    wb_print *print = &result->prints[result->print_count++];
    print->size = probe.size;
    take(runner, print, i + 1, small ? WB_TRACE : 0);
    if (!small && is_right(print)) { /* it is wrong with other inputs, and in another run maybe not */
      free(print->findings);
      free(print->counters);
      memset(print, 0, sizeof *print);
      result->print_count--;
      continue;
    }
    right = right && is_right(print);
    wb_print *smaller = print;
    if (bytes >= most) {
      smaller = largest;
      largest = print;
      most = bytes;
    }
    if (smaller) free(smaller->counters), smaller->counters = NULL;
    in_time = print->end != WB_TIMEOUT;
  }
  runner->coarse = false;
  runner->result = result;
  if (!in_time) wb_prints_free(result);
}
