/* run/probe.c: see run/probe.h. */
#include "run/probe.h"
#include "device/device.h"
#include "model/cause.h"
#include "model/cause_facts.h"
#include "model/random.h"
#include "model/sizes.h"
#include "run/dependence.h"
#include "worker/channel.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES    ((size_t)1 << 23) /* of the arrays of a case */
#define MOST_S        1                 /* seconds for a call */
#define MOST_ALL      ((size_t)1 << 23) /* bytes of all cases that are tried */
#define FEW_INPUTS    16                /* of fewer a dependence says little */
#define ENOUGH_INPUTS 64                /* elements of the inputs that can tell one from another */

/* One more call of the case. Returns whether the answer could be checked: *verdict. */
static bool again(wb_runner *runner, int prepare_flags, int call_flags, wb_verdict *verdict) {
  wb_reply reply;
  if (!wb_runner_call(runner, -1, WB_FILL | prepare_flags, call_flags, WB_RELEASE, &reply, NULL))
    return false;
  if (call_flags & WB_TRACE) runner->result->failing = wb_channel_counters(runner->worker.channel);
  const bool must_fail = runner->task->must_fail && runner->task->must_fail(&runner->inputs);
  return !must_fail && reply.figures.status == 0 && reply.figures.wait_error == 0 &&
         reply.figures.pending_error == 0 &&
         wb_check(runner->task, &runner->inputs, runner->got, 0, 0, verdict);
}

/* The outputs are 0 before the call: is the answer right then? */
static bool right_from_zero(wb_runner *runner) {
  wb_verdict verdict;
  wb_runner_refill(runner);
  for (int a = 0; a < runner->layout.arrays; a++)
    if (runner->task->arrays[a].role == WB_OUT) memset(runner->got[a], 0, runner->layout.bytes[a]);
  return again(runner, WB_GIVEN_OUTPUTS, 0, &verdict) && verdict.array < 0;
}

/* "With n = 1021: ". */
static void add_size(const wb_runner *runner, wb_text *text) {
  wb_text_add(text, "With ");
  for (const char *p = runner->task->dims; *p; p++) wb_text_add(text, *p == ' ' ? " x " : "%c", *p);
  wb_text_add(text, " = %s: ", wb_text_size(runner->inputs.size.n, wb_dims(runner->task)));
}

/* Puts the array's first number in the place of each NaN among its `count` elements. Returns how many there are. */
static size_t replace_nans(wb_type type, char *values, size_t count) {
  const size_t bytes = wb_type_bytes(type);
  size_t nans = 0, number = 0;
  if (type != WB_F32 && type != WB_F64) return 0;
  while (number < count && isnan(wb_element(type, values, number))) number++;
  for (size_t i = 0; i < count && number < count; i++)
    if (isnan(wb_element(type, values, i))) {
      memcpy(values + i * bytes, values + number * bytes, bytes);
      nans++;
    }
  return nans;
}

/* Without the NaN among the inputs: is the answer right then? It changes the case's inputs. */
static bool right_without_nan(wb_runner *runner) {
  wb_verdict verdict;
  size_t nans = 0;
  for (int a = 0; a < runner->layout.arrays; a++) {
    const wb_array *array = &runner->task->arrays[a];
    if (array->role == WB_OUT) continue;
    nans += replace_nans(array->type, runner->inputs.array[a], runner->layout.count[a]);
    memcpy(runner->got[a], runner->inputs.array[a], runner->layout.bytes[a]);
  }
  if (nans == 0) return false;
  runner->inputs.param[0] *= 1 + DBL_EPSILON; /* an oracle knows other inputs by it (wb_task.expect) */
  wb_runner_refill(runner);
  return again(runner, 0, 0, &verdict) && verdict.array < 0;
}

/* Whether the CPU backend saw that a kernel read memory that nothing had written. */
static bool read_unwritten(wb_runner *runner) {
  wb_request request = {.verb = WB_DO_FINDINGS};
  wb_reply reply;
  if (wb_worker_ask(&runner->worker, &request, &reply, NULL) != WB_ANSWERED) return false;
  char *findings = wb_channel_findings(runner->worker.channel);
  bool read = false;
  for (const char *at = findings; at && !read && (at = strstr(at, "\"tool\":\"initcheck\"")); at++) {
    const char *kernel = strstr(at, "\"kernel\":");
    read = kernel && kernel[strlen("\"kernel\":")] == '"'; /* and not null */
  }
  free(findings);
  return read;
}

/* Opens a worker in the place of the runner's own. */
static bool reopen(wb_runner *runner) {
  wb_worker_stop(&runner->worker);
  wb_worker_free(&runner->worker);
  if (!wb_runner_open(runner, WB_STEADY)) return false;
  runner->worker.limit_s = MOST_S;
  return true;
}

/* Whether the case is wrong in a new process after calls with the sizes of the cases before it. */
static bool wrong_after_others(wb_runner *runner, const wb_case_result *wrong, const wb_case_result *cases,
                               uint64_t key) {
  wb_verdict verdict;
  if (!reopen(runner)) return false;
  for (const wb_case_result *c = cases; c < wrong; c++) {
    const wb_case before = {.size = c->size};
    wb_reply reply;
    if (wb_case_bytes(&before) > MOST_BYTES) continue;
    if (!wb_runner_fill(runner, &c->size, key + 1) ||
        !wb_runner_call(runner, -1, WB_FILL, 0, WB_RELEASE, &reply, NULL))
      return false;
  }
  return wb_runner_fill(runner, &wrong->size, key) && again(runner, 0, 0, &verdict) && verdict.array >= 0;
}

/* The case is right as the first call of a process: is the second one wrong, or one after other sizes? In a race
 * that is chance, so it must be so twice. */
static void look_at_calls_before(wb_runner *runner, const wb_case_result *wrong, const wb_case_result *cases,
                                 uint64_t key, wb_text *cause) {
  wb_verdict verdict;
  bool second_wrong = true, after_wrong = true;
  for (int turn = 0; turn < 2 && (second_wrong || after_wrong); turn++) {
    if (turn > 0 && (!reopen(runner) || !wb_runner_fill(runner, &wrong->size, key) ||
                     !again(runner, 0, 0, &verdict) || verdict.array >= 0))
      return;
    wb_runner_refill(runner);
    if (!again(runner, 0, 0, &verdict)) return;
    second_wrong = second_wrong && verdict.array >= 0;
    after_wrong = after_wrong && !second_wrong && wrong_after_others(runner, wrong, cases, key);
  }
  if (!second_wrong && !after_wrong) return;
  wb_text_add(cause, "The first call in a process is right, %s: %s.\n",
              second_wrong ? "the second one is not" : "but not after calls with other sizes",
              read_unwritten(runner)
                  ? "memory is read that nothing wrote in this call"
                  : "something is kept from one call to the next, as in a static or global "
                    "variable");
}

/* The case that was wrong, alone in its process: its launches, and whether it is wrong at all. Returns
 * whether there is more to look for. */
static bool look_alone(wb_runner *runner, const wb_case_result *wrong, const wb_case_result *cases,
                       uint64_t key, wb_text *cause) {
  const wb_size *size = &wrong->size;
  wb_verdict first;
  if (!wb_runner_fill(runner, size, key)) return false;
  if (!again(runner, 0, WB_TRACE, &first)) return false;
  if (first.array < 0) {
    look_at_calls_before(runner, wrong, cases, key, cause);
    return false;
  }
  if (wrong->verdict.cause) return false;
  if (runner->task->arrays[first.array].role == WB_OUT && right_from_zero(runner)) {
    const char *name = runner->task->arrays[first.array].name;
    for (int d = 0; d < wb_dims(runner->task); d++)
      if (size->n[d] == 0) {
        add_size(runner, cause);
        wb_text_add(cause, "nothing sets %s, which must be 0.\n", name);
        return true;
      }
    wb_text_add(cause,
                "If %s is 0 before the call, the answer is right: the function adds to what %s held, and "
                "never sets it.\n",
                name, name);
    return false;
  }
  return true;
}

static size_t inputs_of(const wb_runner *runner) {
  size_t inputs = 0;
  for (int a = 0; a < runner->layout.arrays; a++)
    if (runner->task->arrays[a].role != WB_OUT) inputs += runner->layout.count[a];
  return inputs;
}

/* What the task's own function says of the first wrong value, if it was written. At the smallest sizes it is of
 * a few numbers, which agree with much by chance. */
static bool what_the_task_says(wb_runner *runner, const wb_verdict *verdict, wb_text *line) {
  const wb_task *task = runner->task;
  const wb_pattern *p = &verdict->pattern;
  if (inputs_of(runner) < ENOUGH_INPUTS ||
      (task->arrays[verdict->array].role == WB_OUT && p->never_written == p->wrong))
    return false;
  const char *words = wb_runner_cause(runner, verdict);
  if (words) wb_text_add(line, "%s.\n", words);
  return words != NULL;
}

/*
 * A result of a few numbers shows little at the smallest sizes: at a larger one, on which inputs it depends.
 * That takes many calls: only at *left sizes.
 */
static void look_at_few(wb_runner *runner, const wb_verdict *verdict, int *left, wb_text *line) {
  if (inputs_of(runner) < ENOUGH_INPUTS || *left == 0) return;
  (*left)--;
  wb_runner_refill(runner);
  wb_dependence(runner, verdict, line);
}

/* Another declared size, at which the form of the error shows more; or, with *left, on which inputs the answer
 * depends there. *left: at how many sizes a result of a few numbers may be looked at. */
static void look_at(wb_runner *runner, const wb_size *size, uint64_t key, int *left, wb_text *cause) {
  wb_verdict verdict;
  wb_text line = {0};
  const wb_case probe = {.size = *size};
  runner->outside = false;
  if (wb_case_bytes(&probe) > MOST_BYTES || !wb_runner_fill(runner, size, key)) return;
  const bool answered = again(runner, 0, 0, &verdict);
  if (runner->outside) reopen(runner); /* such an access may have ended the process */
  if (!answered || verdict.array < 0) return;
  const bool few = verdict.count <= 8;
  if (!left) {
    if ((!few || inputs_of(runner) >= ENOUGH_INPUTS) &&
        !wb_cause(runner->task, &runner->inputs, runner->got, &verdict, &line))
      what_the_task_says(runner, &verdict, &line);
  } else if (few) {
    look_at_few(runner, &verdict, left, &line);
  } else if (inputs_of(runner) >= FEW_INPUTS) {
    wb_cause_of_rest(runner->task, &runner->inputs, runner->got, &verdict, &line);
    wb_runner_refill(runner);
    wb_dependence(runner, &verdict, &line);
  }
  if (line.size > 0) {
    add_size(runner, cause);
    wb_text_add(cause, "%s", wb_text_get(&line));
  }
  wb_text_free(&line);
}

/* The declared sizes in turn, until one shows something. */
static void look_at_others(wb_runner *runner, int *left, wb_text *cause) {
  const size_t known = cause->size;
  size_t bytes = 0;
  for (size_t i = 0; i < runner->task->size_count && cause->size == known; i++) {
    const wb_case other = {.size = runner->task->sizes[i]};
    bytes += wb_case_bytes(&other);
    if (bytes < MOST_ALL) look_at(runner, &other.size, i + 1, left, cause);
  }
}

/* Whether the answer is right with these two numbers of the size, in a new process. */
static bool right_with(wb_runner *runner, wb_size size, const int place[2], size_t first, size_t second) {
  wb_verdict verdict;
  size.n[place[0]] = first;
  size.n[place[1]] = second;
  const wb_case probe = {.size = size};
  return wb_case_bytes(&probe) <= MOST_BYTES && reopen(runner) && wb_runner_fill(runner, &size, first) &&
         again(runner, 0, 0, &verdict) && verdict.array < 0;
}

/* The call of a case ended with an error on the device: does it with as many rows as columns, too? */
static void look_at_squares(wb_runner *runner, const wb_size *size, wb_text *cause) {
  const wb_task *task = runner->task;
  int output = 0, place[2] = {-1, -1};
  while (task->arrays[output].role == WB_IN) output++;
  const size_t count = task->arrays[output].count(&(wb_case){.size = *size});
  for (int r = 0; r < wb_dims(task); r++)
    for (int c = r + 1; c < wb_dims(task); c++)
      if (place[0] < 0 && size->n[r] * size->n[c] == count) place[0] = r, place[1] = c;
  if (place[0] < 0) return;
  const size_t a = size->n[place[0]], b = size->n[place[1]];
  char rows[32], columns[32];
  if (a == b || a < 2 || b < 2 || right_with(runner, *size, place, b, a)) return;
  if (!right_with(runner, *size, place, a, a) || !right_with(runner, *size, place, b, b)) return;
  wb_text_add(cause,
              "With as many %s as %s, %zu or %zu, the answer is right: are the two exchanged, as among the "
              "arguments of a launch?\n",
              wb_cause_dimension(task, place[0], rows, sizeof rows),
              wb_cause_dimension(task, place[1], columns, sizeof columns), a, b);
}

static void look(wb_runner *runner, const wb_case_result *wrong, const wb_case_result *cases, uint64_t key,
                 wb_text *cause) {
  const wb_size *size = &wrong->size;
  int left = 2;
  runner->outside = false;
  if (!look_alone(runner, wrong, cases, key, cause)) {
    if (runner->outside && reopen(runner))
      look_at_others(runner, NULL, cause);
    else if (wrong->verdict.count == 0 && !wrong->must_fail) /* it ended with an error */
      look_at_squares(runner, size, cause);
    return;
  }
  if (right_without_nan(runner)) {
    wb_text_add(cause,
                "With numbers in the place of each NaN among the inputs the answer is right. Every "
                "comparison with a NaN is false, so that `a > b ? a : b` is b; fmaxf takes the number.\n");
    return;
  }
  const size_t known = cause->size;
  look_at_others(runner, NULL, cause);
  /* One of the calls may have ended the process. */
  if (cause->size == known && reopen(runner)) look_at_others(runner, &left, cause);
  if (cause->size > 0 || !wb_runner_fill(runner, size, key)) return;
  wb_verdict verdict;
  if (!again(runner, 0, 0, &verdict) || verdict.array < 0) return;
  wb_runner_refill(runner);
  wb_dependence(runner, &verdict, cause);
}

void wb_probe_run(wb_runner *runner, wb_case_result *wrong, uint64_t key) {
  wb_task_result *result = runner->result;
  const wb_case probe = {.size = wrong->size};
  if (wb_case_bytes(&probe) > MOST_BYTES) return;
  wb_task_result apart = {.task = runner->task};
  wb_text cause = {0};
  runner->result = &apart;
  if (wb_runner_open(runner, WB_STEADY)) {
    runner->worker.limit_s = MOST_S;
    look(runner, wrong, result->cases, key, &cause);
    wb_worker_stop(&runner->worker);
    wb_worker_free(&runner->worker);
  }
  runner->result = result;
  if (wrong->verdict.cause)
    free(apart.failing);
  else
    result->failing = apart.failing;
  if (cause.size > 0 && (wrong->verdict.cause || result->cause.size == 0)) {
    wb_text_free(&result->cause);
    wb_text_add(&result->cause, "%s", wb_text_get(&cause));
    wrong->verdict.cause = true;
  }
  wb_text_free(&cause);
  wb_text_free(&apart.message);
  wb_text_free(&apart.cause);
  wb_text_free(&apart.detail);
}
