/* run/runner.c: see run/runner.h. */
#include "run/runner.h"
#include "base/exit_status.h"
#include "base/explain.h"
#include "model/cause.h"
#include "model/large.h"
#include "model/picture.h"
#include "model/random.h"
#include "model/sizes.h"
#include "device/device.h"
#include "worker/channel.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_REFILLED ((size_t)1 << 21) /* bytes of a result */

/* "n = 1021" or "m x n = 33x65" */
static void add_size(wb_text *text, const wb_task *task, const wb_size *size) {
  for (const char *p = task->dims; *p; p++) wb_text_add(text, *p == ' ' ? " x " : "%c", *p);
  wb_text_add(text, " = %s", wb_text_size(size->n, wb_dims(task)));
}

void wb_runner_fail(wb_runner *runner, wb_state state, const char *format, ...) {
  if (runner->result->message.size > 0) return; /* only the first failure is reported */
  runner->result->state = state;
  char sentence[900];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(sentence, sizeof sentence, format, arguments);
  va_end(arguments);
  wb_text *message = &runner->result->message;
  wb_text_add(message, "%s, ", runner->task->name);
  add_size(message, runner->task, &runner->inputs.size);
  wb_text_add(message, ": %s", sentence);
}

/* Copies an array of the parent to the shared one. */
static void copy_content(wb_runner *runner, int a, const char *own) {
  wb_span span[2];
  const int spans = wb_large_spans(&runner->layout, a, span);
  for (int s = 0; s < spans; s++)
    memcpy((char *)runner->got[a] + span[s].first, own + span[s].first, span[s].last - span[s].first);
}

bool wb_runner_open(wb_runner *runner, int flags) {
  if (!wb_worker_start(&runner->worker, runner->task, &runner->arena, wb_worker_limit())) {
    wb_runner_fail(runner, WB_ERROR, "no process could be started for it: %s", strerror(errno));
    return false;
  }
  wb_request request = {.verb = WB_DO_OPEN, .flags = flags};
  wb_reply reply;
  runner->worker.limit_s = wb_worker_limit() + 60; /* making a context takes long on a busy node */
  const wb_outcome outcome = wb_worker_ask(&runner->worker, &request, &reply, NULL);
  runner->worker.limit_s = wb_worker_limit();
  wb_device_info info;
  wb_refusal refusal;
  if (outcome == WB_ANSWERED && wb_channel_device(runner->worker.channel, &info, &refusal)) return true;
  if (outcome == WB_INTERRUPTED)
    wb_runner_fail(runner, WB_NOT_RUN, "interrupted");
  else if (outcome == WB_ANSWERED)
    wb_runner_fail(runner, WB_ERROR, "the device can't be used (%s): %s", refusal.reason, refusal.message);
  else {
    wb_text end = {0};
    wb_exit_status(runner->worker.status, &end);
    wb_runner_fail(runner, WB_ERROR, "before the first call the process %s",
                   outcome == WB_DIED ? wb_text_get(&end) : "didn't answer");
    wb_text_free(&end);
  }
  return false;
}

bool wb_runner_fill(wb_runner *runner, const wb_size *size, uint64_t key) {
  const wb_task *task = runner->task;
  runner->inputs = (wb_case){.size = *size};
  if (!wb_arena_layout(task, size, &runner->layout) || runner->layout.end > runner->arena.bytes) {
    wb_runner_fail(runner, WB_ERROR, "this size needs more memory than there is");
    return false;
  }
  for (int p = 0; p < WB_MAX_PARAMS; p++)
    runner->inputs.param[p] = wb_random_factor(wb_random_key(key, 100), (uint64_t)p);
  /* A factor of 0 or 1 tempts to leave out work: with NaN and infinities that shows. */
  for (int p = 0; p < WB_MAX_PARAMS && task->special == WB_ANY && runner->special > 1; p++)
    runner->inputs.param[p] = runner->special == 2 ? 0 : 1;
  if (runner->coarse) wb_random_coarsen(WB_F64, runner->inputs.param, WB_MAX_PARAMS);
  wb_arena_guard(&runner->arena, &runner->layout);
  for (int a = 0; a < runner->layout.arrays; a++) {
    char *own = runner->arena.own + runner->layout.offset[a],
         *shared = runner->arena.shared + runner->layout.offset[a];
    runner->got[a] = shared;
    const wb_array *array = &task->arrays[a];
    wb_span span[2];
    const int spans = wb_large_spans(&runner->layout, a, span);
    for (int s = 0; s < spans; s++) {
      const size_t first = span[s].first, bytes = span[s].last - first;
      if (array->role == WB_OUT)
        wb_poison(shared + first, bytes);
      else
        wb_random_fill(own + first, shared + first, array->type, bytes / wb_type_bytes(array->type),
                       wb_random_key(key, (uint64_t)(a + s * WB_MAX_ARRAYS)));
    }
    if (array->role == WB_OUT) continue;
    if (runner->coarse) {
      wb_random_coarsen(array->type, own, runner->layout.count[a]);
      copy_content(runner, a, own);
    }
    if (task->shape && task->shape(&runner->inputs, a, own)) copy_content(runner, a, own);
    if (runner->special) {
      wb_random_special(own, array->type, runner->layout.count[a], size->n[0], task->special, a,
                        runner->special - 1, key);
      copy_content(runner, a, own);
    }
    runner->inputs.array[a] = own;
  }
  return true;
}

void wb_runner_refill(wb_runner *runner) {
  for (int a = 0; a < runner->layout.arrays; a++) {
    const wb_role role = runner->task->arrays[a].role;
    if (role == WB_INOUT) copy_content(runner, a, runner->inputs.array[a]);
    wb_span span[2];
    const int spans = role == WB_OUT ? wb_large_spans(&runner->layout, a, span) : 0;
    for (int s = 0; s < spans; s++)
      wb_poison((char *)runner->got[a] + span[s].first, span[s].last - span[s].first);
  }
}

static void fail_outside(wb_runner *runner, const wb_overrun *overrun) {
  wb_text words = {0};
  wb_arena_add_overrun(runner->task, &runner->layout, overrun, &words);
  wb_runner_fail(runner, WB_WRONG, "it %s", wb_text_get(&words));
  wb_text_free(&words);
  runner->outside = true;
}

/* Whether the worker died of an access to the pages around the arrays. */
static bool fail_overrun(wb_runner *runner, const wb_fault *fault) {
  wb_overrun overrun;
  if (!fault->seen || !wb_arena_overrun(&runner->layout, fault->offset, &overrun)) return false;
  overrun.writes = fault->writes;
  fail_outside(runner, &overrun);
  return true;
}

/* A processor names no page where an address is none that memory can have, or is none for this instruction. */
static const char no_address[] =
    ". This time the address was no multiple of 16, 32 or 64 in an instruction that needs one (does the code "
    "promise an alignment, by __builtin_assume_aligned, `aligned` or a vector type?), or no address at all";

static const char shared_statics[] =
    ". Several ranks call it at once, each in a thread: they share every static and global variable";

/* After the end of which memory the worker died, and what the driver says of that part of the call. */
static void add_dying(const wb_channel *channel, wb_text *text) {
  char words[sizeof channel->dying], past[sizeof channel->past];
  snprintf(past, sizeof past, "%.*s", (int)sizeof past - 1, channel->past);
  snprintf(words, sizeof words, "%.*s", (int)sizeof words - 1, channel->dying);
  wb_text_tidy(past, sizeof past);
  wb_text_tidy(words, sizeof words);
  if (*past) wb_text_add(text, ". It %s past %s", channel->fault.writes ? "wrote" : "read", past);
  if (*words) wb_text_add(text, ". %s", words);
}

/* Sets the result's state and message: how the worker ended. */
static void fail_worker(wb_runner *runner, wb_outcome outcome) {
  wb_text end = {0};
  switch (outcome) {
  case WB_DIED:
    if (fail_overrun(runner, &runner->worker.channel->fault)) break;
    wb_exit_status(runner->worker.status, &end);
    if (runner->worker.channel->fault.no_address) wb_text_add(&end, "%s", no_address);
    if (runner->task->in_threads) wb_text_add(&end, "%s", shared_statics);
    add_dying(runner->worker.channel, &end);
    wb_runner_fail(runner, WB_CRASHED, "it %s", wb_text_get(&end));
    break;
  case WB_TOO_SLOW:
    wb_runner_fail(runner, WB_TIMEOUT,
                   "no answer after %g s, so it was killed: an endless loop, or far too slow? "
                   "(WB_TIME_LIMIT=%g would wait longer)",
                   runner->worker.limit_s, 4 * runner->worker.limit_s);
    break;
  case WB_INTERRUPTED:
    wb_runner_fail(runner, WB_NOT_RUN, "interrupted");
    break;
  default:
    wb_runner_fail(runner, WB_ERROR,
                   "the connection between the learner's process and the harness was closed or "
                   "written to: does the function close or use files that it didn't open?");
  }
  wb_text_free(&end);
}

static bool answered(wb_runner *runner, wb_outcome outcome, const wb_reply *reply, const char *what) {
  if (outcome != WB_ANSWERED) {
    fail_worker(runner, outcome);
    return false;
  }
  if (reply->error) {
    wb_runner_fail(runner, WB_ERROR, "%s failed: %d %s: %s", what, reply->error, reply->name, reply->text);
    return false;
  }
  return true;
}

/* The learner's function may only read inputs in host memory. Changed inputs could slow down the
 * baselines. */
static bool inputs_whole(wb_runner *runner) {
  size_t byte;
  const int array = wb_check_inputs(runner->task, &runner->inputs, runner->got, &byte);
  if (array < 0) return true;
  const wb_array *changed = &runner->task->arrays[array];
  wb_runner_fail(runner, WB_WRONG, "it wrote to its input %s: %s[%zu] was changed", changed->name,
                 changed->name, byte / wb_type_bytes(changed->type));
  return false;
}

/* Puts the arrays in place. A device or driver may refuse those of a large case: see runner->refused. */
static bool place(wb_runner *runner, wb_request *request, wb_reply *reply) {
  const wb_outcome outcome = wb_worker_ask(&runner->worker, request, reply, NULL);
  runner->refused = runner->layout.large && outcome == WB_ANSWERED && reply->error;
  if (!runner->refused) return answered(runner, outcome, reply, "putting the arrays in place");
  wb_request release = {.verb = WB_DO_FINISH, .flags = WB_RELEASE | WB_NO_COPY};
  wb_reply other;
  wb_worker_ask(&runner->worker, &release, &other, NULL);
  return false;
}

bool wb_runner_begin(wb_runner *runner, int callee, int prepare_flags, int call_flags) {
  wb_request *request = &runner->request;
  *request = (wb_request){
      .verb = WB_DO_PREPARE, .flags = prepare_flags, .callee = callee, .size = runner->inputs.size};
  memcpy(request->param, runner->inputs.param, sizeof request->param);
  request->zeros = runner->inputs.zeros;
  wb_reply reply;
  if (!place(runner, request, &reply)) return false;
  runner->used_before = reply.used_bytes;

  request->verb = WB_DO_CALL;
  request->flags = call_flags;
  request->fail = runner->fail;
  request->fail_later = runner->fail_later;
  request->capability = runner->capability;
  const wb_outcome outcome = wb_worker_send(&runner->worker, request);
  if (outcome != WB_ANSWERED) fail_worker(runner, outcome);
  return outcome == WB_ANSWERED;
}

bool wb_runner_end(wb_runner *runner, int finish_flags, wb_reply *reply, double *seen_ms) {
  wb_request request = runner->request;
  wb_reply other;
  if (!answered(runner, wb_worker_receive(&runner->worker, &request, reply, seen_ms), reply, "the call"))
    return false;
  /* After a sticky error every further call to the device fails: the first error is the one to report. */
  if (reply->figures.wait_error) finish_flags |= WB_NO_COPY;

  request.verb = WB_DO_FINISH;
  request.flags = finish_flags;
  request.key = runner->windows = wb_random_seed();
  const wb_outcome outcome = wb_worker_ask(&runner->worker, &request, &other, NULL);
  if (outcome != WB_ANSWERED) {
    fail_worker(runner, outcome);
    return false;
  }
  wb_worker_freeze(&runner->worker);
  runner->leaked = (int64_t)(other.used_bytes - runner->used_before);
  if (other.error && !reply->figures.wait_error) {
    wb_runner_fail(runner, WB_ERROR, "after the call the device no longer works: %d %s: %s", other.error,
                   other.name, other.text);
    return false;
  }
  wb_overrun overrun;
  if (!wb_arena_guards_whole(&runner->arena, &runner->layout, &overrun)) {
    fail_outside(runner, &overrun);
    return false;
  }
  return request.callee >= 0 || inputs_whole(runner);
}

bool wb_runner_call(wb_runner *runner, int callee, int prepare_flags, int call_flags, int finish_flags,
                    wb_reply *reply, double *seen_ms) {
  return wb_runner_begin(runner, callee, prepare_flags, call_flags) &&
         wb_runner_end(runner, finish_flags, reply, seen_ms);
}

static bool on_cpu_backend(void) { return strcmp(wb_device_backend(), "cpu") == 0; }

/* On a GPU only the error is known. Adds ". Usual cause: ..."; a trailing %s becomes the tool that names the
 * source line. */
/* What wb_explain says of an error; where it can, with the command that names the line. */
static void add_cause(const wb_runner *runner, const char *cause, wb_text *text) {
  const char *hole = strstr(cause, "%s");
  wb_text_add(text, "%.*s", hole ? (int)(hole - cause) : (int)strlen(cause), cause);
  if (hole && !on_cpu_backend())
    wb_text_add(text, "; `make sanitize LESSON=%s` names the line", runner->run->lesson->name);
}

static void add_usual_cause(const wb_runner *runner, const char *name, wb_text *text) {
  const char *cause = wb_explain(name);
  if (!*cause) return;
  wb_text_add(text, ". Usual cause: ");
  add_cause(runner, cause, text);
}

/* Adds which call or kernel failed, ", from cudaMemcpy at add.cu:41", and to the detail why. */
static void add_origin(wb_runner *runner, const wb_reply *reply, wb_text *text) {
  const wb_origin *origin = &reply->origin;
  if (!origin->known) {
    if (!on_cpu_backend()) add_usual_cause(runner, reply->name, text);
    return;
  }
  wb_text_add(text, ", from %s", origin->call);
  const bool vague = strcmp(reply->name, "cudaErrorInvalidValue") == 0;
  const char *reason = origin->reason[0] || vague ? origin->reason : wb_explain(reply->name);
  if (!*reason || runner->result->detail.size > 0) return;
  add_cause(runner, reason, &runner->result->detail);
  wb_text_add(&runner->result->detail, "\n");
}

/* Whether no output changed after the function had returned, but by work that the contract allows. */
static bool in_time(wb_runner *runner, const wb_reply *reply) {
  if (reply->late < 1 || reply->late > runner->layout.arrays) return true;
  const char *name = runner->task->arrays[reply->late - 1].name;
  if (runner->task->done == WB_COMPLETE)
    wb_runner_fail(
        runner, WB_WRONG,
        "%s was not complete when the function returned: %zu operation%s still queued in a stream. "
        "Wait for them first",
        name, reply->undone, reply->undone == 1 ? " was" : "s were");
  else
    wb_runner_fail(runner, WB_WRONG,
                   "%s was not complete when %s was done: %zu operation%s left in a stream of its own, for "
                   "which nothing waits",
                   name,
                   runner->task->done == WB_QUEUED ? "the next operation in the default stream"
                                                   : "the work in the default stream",
                   reply->undone, reply->undone == 1 ? " was" : "s were");
  return false;
}

/* "1 cudaErrorInvalidValue (invalid argument)" */
static void add_error(const wb_reply *reply, int error, wb_text *text) {
  wb_text_add(text, "%d %s", error, reply->name);
  if (reply->text[0] && strcmp(reply->text, reply->name) != 0) wb_text_add(text, " (%s)", reply->text);
}

/* The words for a status that is not 0. */
static void add_status(wb_runner *runner, const wb_reply *reply, wb_text *text) {
  const int status = reply->figures.status;
  wb_text_add(text, "it returned ");
  if (strcmp(wb_device_backend(), "host") == 0)
    wb_text_add(text, "%d", status);
  else if (strncmp(reply->name, "cuda", 4) != 0)
    wb_text_add(text, "%d, which is no CUDA error: this value comes from its own `return`", status);
  else if (strcmp(reply->name, "cudaErrorNotReady") == 0)
    wb_text_add(text,
                "%d %s, the answer of a query while the device still works. It is no error: wait for the "
                "work, or ask again",
                status, reply->name);
  else {
    add_error(reply, status, text);
    if (on_cpu_backend() && !reply->origin.known)
      wb_text_add(text, ", but no CUDA call failed with it: this value comes from its own `return`");
    if (!reply->origin.known && reply->other.known)
      wb_text_add(text, "\nbefore that %s failed%s%s", reply->other.call, reply->other.reason[0] ? ": " : "",
                  reply->other.reason);
    add_origin(runner, reply, text);
  }
}

bool wb_runner_accept(wb_runner *runner, const wb_reply *reply) {
  const wb_call_figures *f = &reply->figures;
  const bool without_error = f->status == 0 && f->wait_error == 0 && f->pending_error == 0;
  if (without_error && !reply->complaint[0]) return in_time(runner, reply);
  if (without_error) return wb_runner_fail(runner, WB_WRONG, "it %s", reply->complaint), false;
  wb_text text = {0};
  if (f->status) {
    add_status(runner, reply, &text);
  } else if (f->wait_error) {
    wb_text_add(&text, "it returned success, but its work on the device ended with ");
    add_error(reply, f->wait_error, &text);
    add_origin(runner, reply, &text);
  } else {
    wb_text_add(&text, "it returned success and did not check the error ");
    add_error(reply, f->pending_error, &text);
    add_origin(runner, reply, &text);
  }
  wb_runner_fail(runner, WB_WRONG, "%s", wb_text_get(&text));
  wb_text_free(&text);
  return false;
}

/* Bytes of 0xff in the result do not come from the call, unless it sets them by cudaMemset, as the CPU backend
 * counts in one more call of the case. */
static bool sets_poison(wb_runner *runner, const wb_verdict *verdict) {
  static const char key[] = "\"fills_of_ones\":";
  wb_task_result apart = {.task = runner->task}, *result = runner->result;
  const int a = verdict->array;
  wb_reply reply;
  if (runner->task->arrays[a].role != WB_OUT || verdict->pattern.never_written < verdict->pattern.wrong ||
      runner->fail || runner->layout.large || runner->layout.bytes[a] > MOST_REFILLED || !on_cpu_backend())
    return false;
  wb_runner_refill(runner);
  for (int k = 0; k < runner->layout.arrays; k++)
    if (runner->task->arrays[k].role == WB_OUT) memset(runner->got[k], 0, runner->layout.bytes[k]);
  runner->result = &apart;
  const bool called =
      wb_runner_call(runner, -1, WB_FILL | WB_GIVEN_OUTPUTS, WB_TRACE, WB_RELEASE, &reply, NULL);
  char *counters = called ? wb_channel_counters(runner->worker.channel) : NULL;
  runner->result = result;
  const char *fills = counters ? strstr(counters, key) : NULL;
  const size_t element = wb_type_bytes(runner->task->arrays[a].type);
  bool sets = fills && fills[strlen(key)] != '0';
  const unsigned char *first = (const unsigned char *)runner->got[a] + verdict->pattern.first * element;
  for (size_t b = 0; b < element; b++) sets = sets && first[b] == 0xFF;
  free(counters);
  wb_text_free(&apart.message);
  wb_text_free(&apart.cause);
  wb_text_free(&apart.detail);
  return sets;
}

const char *wb_runner_cause(const wb_runner *runner, const wb_verdict *verdict) {
  const wb_task *task = runner->task;
  wb_case seen = runner->inputs;
  for (int a = 0; a < runner->layout.arrays; a++)
    if (task->arrays[a].role == WB_OUT) seen.array[a] = runner->got[a];
  return task->cause ? task->cause(&seen, verdict->array, verdict->pattern.first, verdict->got) : NULL;
}

static const char *cause_of(const wb_runner *runner, const wb_verdict *verdict, bool written) {
  const wb_task *t = runner->task;
  if (written) return wb_runner_cause(runner, verdict);
  return t->cause_of_none ? t->cause_of_none(&runner->inputs, verdict->array, verdict->pattern.first) : NULL;
}

bool wb_runner_verify(wb_runner *runner, size_t sample, uint64_t key, const char *when, wb_verdict *verdict) {
  if (!wb_check(runner->task, &runner->inputs, runner->got, sample,
                runner->layout.large ? runner->windows : key, verdict)) {
    wb_runner_fail(runner, WB_ERROR, "no memory left to check the answer");
    return false;
  }
  if (verdict->array < 0) return true;
  wb_text text = {0}, shape = {0};
  const bool first = runner->result->detail.size == 0;
  const bool named = first && wb_cause(runner->task, &runner->inputs, runner->got, verdict, &shape);
  const bool filled = first && sets_poison(runner, verdict);
  if (filled) verdict->pattern.never_written = 0;
  wb_describe(runner->task, verdict, &text);
  /* What was there before the call is no poison: that comes from memory without a value. */
  const bool written = runner->task->arrays[verdict->array].role == WB_INOUT ||
                       verdict->pattern.never_written < verdict->pattern.wrong;
  const char *cause = filled ? NULL : cause_of(runner, verdict, written);
  verdict->cause = cause != NULL;
  wb_runner_fail(runner, WB_WRONG, "%s%s%s%s", wb_text_get(&text), when, cause ? ": " : "",
                 cause ? cause : "");
  if (first) {
    if (!cause) {
      verdict->cause = named;
      wb_text_add(&runner->result->cause, "%s", wb_text_get(&shape));
    }
    if (filled)
      wb_text_add(&runner->result->cause,
                  "These are bytes of 0xff from a cudaMemset: it sets bytes, not numbers.\n");
    if (!verdict->cause)
      wb_bands(runner->task, &runner->inputs, runner->got, verdict, &runner->result->detail);
    wb_picture(runner->task, verdict, &runner->result->detail);
  }
  wb_text_free(&shape);
  wb_text_free(&text);
  return false;
}
