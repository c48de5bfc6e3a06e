/* run/failures.c: see run/failures.h. */
#include "run/failures.h"
#include "base/progress.h"
#include "model/random.h"
#include "model/sizes.h"
#include "device/device.h"
#include "worker/channel.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SMALL_BYTES 65536 /* of all arrays */
#define FEW_CALLS   64    /* that may fail */
#define MOST        24    /* of a task's calls fail in turn */
#define OTHER_WAYS  3     /* further cases, of which another number of calls may fail */
#define OTHER_CALLS 16    /* that may fail in one of these */
#define QUIET_CALLS 40    /* without a failure: many, since a backend keeps records that it uses again */
#define SAME_CALLS  8     /* with the same failure, for the same reason */

/* If all need many calls, the one with the fewest; where a work area makes all cases large: of the smallest, the one
 * with the most calls. */
wb_case_result *wb_failures_case(const wb_runner *runner) {
  const wb_task_result *result = runner->result;
  wb_case_result *best = NULL, *least = NULL;
  size_t most = 0, least_bytes = SIZE_MAX;
  for (size_t i = 0; i < result->case_count && i < runner->task->size_count; i++) {
    wb_case_result *c = &result->cases[i];
    const wb_case probe = {.size = c->size};
    if (c->state == WB_RIGHT && wb_size_given(&runner->task->failing) &&
        memcmp(&c->size, &runner->task->failing, sizeof c->size) == 0)
      return c;
    const size_t bytes = c->state == WB_RIGHT && !c->must_fail ? wb_case_bytes(&probe) : 0;
    const bool more = least && bytes == least_bytes && c->may_fail > least->may_fail;
    if (bytes > 0 && c->may_fail > 0 && c->may_fail <= FEW_CALLS && (bytes < least_bytes || more)) {
      least = c;
      least_bytes = bytes;
    }
    if (bytes == 0 || bytes > SMALL_BYTES) continue;
    const bool few = c->may_fail <= FEW_CALLS, found = best && best->may_fail <= FEW_CALLS;
    if (best && (few ? found && bytes < most : found || c->may_fail >= best->may_fail)) continue;
    most = bytes;
    best = c;
  }
  return best ? best : least;
}

/* Bytes that are a leak if every call keeps them. A driver, and the CPU backend, keep some for each operation;
 * sanitizers count exactly. */
static int64_t least_leak(void) { return strcmp(wb_device_backend(), "host") == 0 ? 1 : 1024; }

static bool call(wb_runner *runner, const wb_size *size, uint64_t key, wb_reply *reply) {
  return wb_runner_fill(runner, size, key) && wb_runner_call(runner, -1, WB_FILL, 0, WB_RELEASE, reply, NULL);
}

/* "its 2nd cudaMalloc" */
static void name_call(const wb_channel *channel, int number, wb_text *text) {
  static const char *const endings[] = {"th", "st", "nd", "rd"};
  if (number > WB_MOST_FAILING) {
    wb_text_add(text, "call number %d", number);
    return;
  }
  char name[32];
  snprintf(name, sizeof name, "%s", channel->failing[number - 1]);
  wb_text_tidy(name, sizeof name);
  int which = 0;
  for (int i = 0; i < number; i++) which += strncmp(channel->failing[i], name, sizeof name - 1) == 0;
  const int last = which % 100 / 10 != 1 && which % 10 < 4 ? which % 10 : 0;
  wb_text_add(text, "its %d%s %s", which, endings[last], name);
}

/* What a program does to things that are not there, by the call that a finding names; NULL: nothing. */
static const char *released_too_much(const char *findings) {
  static const struct {
    const char *call, *words;
  } kinds[] = {{"cudaFree", "freed what was not allocated"},
               {"cudaFreeHost", "freed what was not allocated"},
               {"cudaFreeAsync", "freed what was not allocated"},
               {"cudaStreamDestroy", "destroyed a stream that was not created"},
               {"cudaEventDestroy", "destroyed an event that was not created"},
               {"cudaStreamSynchronize", "waited for a stream that was not created"},
               {"cudaEventSynchronize", "waited for an event that was not created"},
               {"cudaGraphDestroy", "destroyed a graph that was not created"},
               {"cudaGraphExecDestroy", "destroyed a graph that was not created"}};
  char named[64];
  for (size_t k = 0; k < WB_COUNT(kinds); k++) {
    snprintf(named, sizeof named, "\"call\":\"%s\"", kinds[k].call);
    if (strstr(findings, named)) return kinds[k].words;
  }
  return NULL;
}

/* What a call does in which nothing fails. */
typedef struct usual {
  bool leaks; /* it leaves something, which another check reports */
  size_t launches;
} usual;

/* Adds that fewer launches than usual were made: then the error may well have been seen. */
static void fail_unchecked(wb_runner *runner, const char *what, int error, const wb_launched *launched,
                           const usual *usual) {
  wb_text words = {0};
  const bool launch = strstr(what, "cudaLaunchKernel") != NULL; /* the one that failed was not made */
  if (launched->known && launched->launches + launch < usual->launches)
    wb_text_add(&words,
                " after %zu of %zu launches: the error was not checked, or the result of a later call "
                "took its place",
                launched->launches, usual->launches);
  else
    wb_text_add(&words, ": the error was not checked");
  wb_runner_fail(runner, WB_WRONG, "when %s failed with %d %s, it returned success with a wrong answer%s",
                 what, error, wb_device_error_name(error), wb_text_get(&words));
  wb_text_free(&words);
}

/* Judges a call in which one of its calls failed with an error. The function must return that error and leave
 * nothing, and the device as it was, or have found another way to the right answer, as its caller asks for
 * it. */
static void judge(wb_runner *runner, const wb_reply *reply, uint64_t key, const char *what,
                  const char *findings, const usual *usual) {
  const wb_call_figures *f = &reply->figures;
  const int error = f->injected;
  const char *name = wb_device_error_name(error);
  const int touched = runner->task->keeps_outputs && f->status
                          ? wb_check_untouched(runner->task, &runner->inputs, runner->got, &(size_t){0})
                          : -1;
  wb_verdict verdict;
  if (f->status != 0 && f->status != error)
    wb_runner_fail(runner, WB_WRONG,
                   "when %s failed with %d %s, it returned %d %s: return the error as it was", what, error,
                   name, f->status, reply->name);
  else if (f->status == 0 && f->final)
    wb_runner_fail(runner, WB_WRONG,
                   "when %s failed with %d %s, it returned success: the error was not checked", what, error,
                   name);
  else if (f->status == 0 && !f->wait_error && !wb_runner_verify(runner, 0, key, "", &verdict)) {
    wb_text_free(&runner->result->message);
    fail_unchecked(runner, what, error, &f->launched, usual);
  } else if (f->status == 0 && !f->wait_error && reply->not_as_asked[0])
    wb_runner_fail(runner, WB_WRONG,
                   "when %s failed with %d %s, it returned success, but %s: return the error", what, error,
                   name, reply->not_as_asked);
  else if (f->wait_error)
    wb_runner_fail(runner, WB_WRONG, "when %s failed, it went on: its work on the device ended with %d %s",
                   what, f->wait_error, wb_device_error_name(f->wait_error));
  else if (released_too_much(findings))
    wb_runner_fail(runner, WB_WRONG, "when %s failed with %d %s, it %s", what, error, name,
                   released_too_much(findings));
  else if (f->status && reply->complaint[0])
    wb_runner_fail(runner, WB_WRONG, "when %s failed with %d %s, it %s", what, error, name, reply->complaint);
  else if (f->left[0] && runner->task->releases && !usual->leaks)
    wb_runner_fail(runner, WB_WRONG, "when %s failed with %d %s, it returned without releasing %s", what,
                   error, name, f->left);
  else if (touched >= 0)
    wb_runner_fail(runner, WB_WRONG, "when %s failed with %d %s, it returned the error, but had changed %s",
                   what, error, name, runner->task->arrays[touched].name);
  else if (f->device >= 0)
    wb_runner_fail(runner, WB_WRONG,
                   "when %s failed with %d %s, it returned with device %d as the current one: set the device "
                   "again that was current before",
                   what, error, name, f->device);
}

/* Bytes of host memory that a call keeps each time when the same one of its calls fails. A leak is the same in
 * nearly every call; records of the backend, which it uses again, are not. */
static int64_t kept_by_failures(wb_runner *runner, const wb_size *size, uint64_t key, int64_t first) {
  int64_t least = first;
  int same = 0;
  wb_reply reply;
  for (int i = 0; i < SAME_CALLS && least >= least_leak(); i++) {
    if (!call(runner, size, key, &reply)) return 0;
    same = reply.figures.heap < least ? 1 : same + (reply.figures.heap == least);
    if (reply.figures.heap < least) least = reply.figures.heap;
  }
  return least < least_leak() || same < SAME_CALLS - 2 ? 0 : least;
}

/* Lets that call fail again, and later waits of the same thread with another error: the first must come
 * back. */
static void try_later(wb_runner *runner, const wb_size *size, uint64_t key, const char *what, int error) {
  wb_reply reply;
  runner->fail_later = true;
  const bool answered = call(runner, size, key, &reply);
  const wb_call_figures *f = &reply.figures;
  if (answered && f->injected == error && f->status != error)
    wb_runner_fail(runner, WB_WRONG,
                   "when %s failed with %d %s, and later waits failed, too, it returned %d %s: return the "
                   "first error",
                   what, error, wb_device_error_name(error), f->status, reply.name);
  else if (!answered)
    wb_text_add(&runner->result->failures.message, "when %s and later waits failed: ", what);
  runner->fail_later = false;
}

/* Lets call number `number` fail. Returns false when something was wrong. */
static bool try_failure(wb_runner *runner, const wb_size *size, uint64_t key, int number,
                        const usual *usual) {
  wb_text what = {0};
  wb_reply reply;
  wb_failures *failures = &runner->result->failures;
  name_call(runner->worker.channel, number, &what);
  runner->fail = number;
  const bool answered = call(runner, size, key, &reply);
  char *findings = wb_channel_findings(runner->worker.channel);
  if (answered && reply.figures.injected) {
    if (reply.origin.place[0]) wb_text_add(&what, " (%s)", reply.origin.place);
    judge(runner, &reply, key, wb_text_get(&what), findings ? findings : "", usual);
    if (runner->result->message.size == 0 && runner->task->releases && !usual->leaks) {
      const int64_t kept = kept_by_failures(runner, size, key, reply.figures.heap);
      if (kept)
        wb_runner_fail(runner, WB_WRONG,
                       "when %s failed with %d %s, it returned without releasing %lld bytes of host memory",
                       wb_text_get(&what), reply.figures.injected,
                       wb_device_error_name(reply.figures.injected), (long long)kept);
    }
    if (runner->result->message.size == 0 && reply.figures.status)
      try_later(runner, size, key, wb_text_get(&what), reply.figures.injected);
    failures->tried++;
  } else if (!answered) {
    wb_text_add(&failures->message, "when %s failed: ", wb_text_get(&what));
    failures->tried++;
  }
  runner->fail = 0;
  const bool right = runner->result->message.size == 0;
  if (!right && findings) {
    free(failures->findings);
    failures->findings = strdup(findings);
  }
  free(findings);
  wb_text_free(&what);
  return right;
}

/* Calls it until one call keeps no memory; returns how many of its calls may fail, -1 after an error. *lost:
 * the least that any call kept; 0: nothing to speak of. usual->leaks: it left something on the device. */
static int quiet_calls(wb_runner *runner, const wb_size *size, uint64_t key, int64_t *lost, usual *usual) {
  wb_reply reply;
  *lost = INT64_MAX;
  for (int i = 0; i < QUIET_CALLS && *lost >= least_leak(); i++) {
    if (!call(runner, size, wb_random_key(key, (uint64_t)i), &reply)) return -1;
    if (reply.figures.heap < *lost) *lost = reply.figures.heap;
    if (reply.figures.left[0]) usual->leaks = true;
    usual->launches = reply.figures.launched.launches;
  }
  if (*lost < least_leak()) *lost = 0;
  return reply.figures.may_fail;
}

/* Lets each call of the case fail in turn. Returns false when something was wrong. */
static bool try_calls(wb_runner *runner, const wb_size *size, uint64_t key, int count, const usual *usual) {
  bool right = true;
  for (int k = 0; right && k < MOST && k < count; k++) {
    /* The first half of them one after the other, the others spread up to the last. */
    const int number = count <= MOST || k < MOST / 2
                           ? k + 1
                           : MOST / 2 + (k - MOST / 2 + 1) * (count - MOST / 2) / (MOST / 2);
    right = try_failure(runner, size, wb_random_key(key, (uint64_t)(100 + k)), number, usual);
  }
  return right;
}

static int devices_of(const wb_task *task, const wb_case *c) { return task->devices ? task->devices(c) : 1; }

/* The smallest case of which another number of calls may fail than of those in `tried`: it goes another way through
 * the function. NULL: none, nor where the task returns errors at some sizes: its driver may take an error for an
 * answer. */
static const wb_case_result *another_way(const wb_task_result *result, int devices, const int *tried,
                                         int tried_count) {
  const wb_task *task = result->task;
  if (task->must_fail) return NULL;
  const wb_case_result *best = NULL;
  size_t least = SMALL_BYTES + 1;
  for (size_t i = 0; i < result->case_count && i < task->size_count; i++) {
    const wb_case_result *c = &result->cases[i];
    const wb_case probe = {.size = c->size};
    if (c->state != WB_RIGHT || c->must_fail || c->may_fail < 1 || c->may_fail > OTHER_CALLS) continue;
    if (devices_of(task, &probe) > devices) continue; /* where one fails, others may wait for it */
    bool known = false;
    for (int k = 0; k < tried_count; k++) known |= tried[k] == c->may_fail;
    const size_t bytes = known ? SIZE_MAX : wb_case_bytes(&probe);
    if (bytes >= least) continue;
    least = bytes;
    best = c;
  }
  return best;
}

void wb_failures_run(wb_runner *runner, uint64_t key) {
  wb_task_result *result = runner->result;
  const wb_case_result *chosen = wb_failures_case(runner);
  if (!chosen) return;
  wb_progress("%s: failures", runner->task->name);
  const wb_size size = chosen->size;
  /* What goes wrong here is no failure of the task: it has a result of its own. */
  wb_task_result apart = {.task = result->task};
  runner->result = &apart;
  usual usual = {0};
  const int count = quiet_calls(runner, &size, key, &result->leaked_host_bytes, &usual);
  if (count < 0) result->leaked_host_bytes = 0;
  if (result->leaked_host_bytes) usual.leaks = true;
  bool right = try_calls(runner, &size, key, count, &usual);
  const wb_case same = {.size = size};
  int tried[OTHER_WAYS + 1] = {chosen->may_fail};
  for (int ways = 1; right && count > 0 && ways <= OTHER_WAYS; ways++) {
    wb_reply reply;
    const wb_case_result *other = another_way(result, devices_of(result->task, &same), tried, ways);
    if (!other || !call(runner, &other->size, key, &reply)) break;
    tried[ways] = other->may_fail;
    usual.launches = reply.figures.launched.launches;
    right = try_calls(runner, &other->size, key, reply.figures.may_fail, &usual);
  }
  runner->result = result;
  result->failures = apart.failures;
  result->failures.wrong = apart.message.size > 0;
  wb_text_add(&result->failures.message, "%s", wb_text_get(&apart.message));
  wb_text_free(&apart.message);
  wb_text_free(&apart.detail);
  wb_text_free(&apart.cause);
}
