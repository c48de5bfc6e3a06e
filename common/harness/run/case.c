/* run/case.c: see run/case.h. */
#include "run/case.h"
#include "run/asked.h"
#include "run/short_launch.h"
#include "device/device.h"
#include "model/random.h"
#include <stdio.h>
#include <string.h>

/* It returned success. */
static void fail_unchecked(wb_runner *runner, const wb_reply *reply) {
  const char *missed = "it returned success where it must return an error";
  const wb_origin *origin = &reply->origin;
  if (reply->figures.pending_error)
    wb_runner_fail(runner, WB_WRONG, "%s: %s was not checked%s%s", missed, reply->name,
                   origin->known ? ", from " : "", origin->call);
  else if (origin->known)
    wb_runner_fail(runner, WB_WRONG, "%s: it lost the error of %s", missed, origin->call);
  else if (strcmp(wb_device_backend(), "cpu") == 0)
    wb_runner_fail(runner, WB_WRONG,
                   "%s: no CUDA call in it failed, so it did not do what the caller asks for", missed);
  else
    wb_runner_fail(runner, WB_WRONG, "%s", missed);
}

/* Judges a call that must report an error: whether it did, and whether it left the outputs unchanged. */
static bool judge_failure(wb_runner *runner, wb_case_result *result, const wb_reply *reply) {
  const wb_call_figures *f = &reply->figures;
  size_t index;
  result->lost_error = f->status == 0 && (f->pending_error || reply->origin.known);
  const bool own = f->status && !reply->origin.known && strcmp(wb_device_backend(), "cpu") == 0;
  if (own && runner->task->launch_fails)
    wb_asked_note(runner, "the error that it returned is its own: no CUDA call in it failed. The launch's is "
                          "asked for.");
  if (f->status == 0)
    fail_unchecked(runner, reply);
  else if (runner->task->must_fail_with && f->status != runner->task->must_fail_with)
    wb_runner_fail(runner, WB_WRONG, "it returned %d %s, and the header asks for %d %s here", f->status,
                   reply->name, runner->task->must_fail_with,
                   wb_device_error_name(runner->task->must_fail_with));
  else if (f->wait_error)
    wb_runner_fail(runner, WB_WRONG,
                   "it correctly returned an error, but left the device in an error state: %d %s",
                   f->wait_error, reply->name);
  else {
    const int touched = wb_check_untouched(runner->task, &runner->inputs, runner->got, &index);
    if (touched < 0) return true;
    wb_runner_fail(runner, WB_WRONG, "it correctly returned an error, but wrote to %s[%zu]",
                   runner->task->arrays[touched].name, index);
  }
  return false;
}

static unsigned threads_of_block(const wb_launched *launched) {
  unsigned threads = 0;
  for (size_t i = 0; launched->known && i < launched->shapes && i < WB_MOST_SHAPES; i++) {
    const unsigned *block = launched->shape[i].block, own = block[0] * block[1] * block[2];
    if (threads && own != threads) return 0;
    threads = own;
  }
  return threads;
}

static bool fills_y(const wb_launched *launched) {
  bool fills = false;
  for (size_t i = 0; launched->known && i < launched->shapes && i < WB_MOST_SHAPES; i++)
    fills |= launched->shape[i].grid[1] >= WB_MOST_IN_Y;
  return fills;
}

/* A rest is left out: where no thread is left for it, that is why. */
static void rest_by_launch(wb_runner *runner, const wb_verdict *verdict, const wb_launched *launched) {
  wb_text *cause = &runner->result->cause, line = {0};
  if (cause->size > 0 && wb_short_launch(runner->task, verdict, launched, &line) == 1) {
    wb_text_free(cause);
    wb_text_add(cause, "%s", wb_text_get(&line));
  }
  wb_text_free(&line);
}

bool wb_case_judge(wb_runner *runner, wb_case_result *result, const wb_reply *reply, uint64_t key) {
  result->must_fail = runner->task->must_fail && runner->task->must_fail(&runner->inputs);
  result->status = reply->figures.status;
  result->may_fail = reply->figures.may_fail;
  result->block = threads_of_block(&reply->figures.launched);
  result->fills_y = fills_y(&reply->figures.launched);
  snprintf(result->status_name, sizeof result->status_name, "%s", reply->name);
  if (result->must_fail) return judge_failure(runner, result, reply);
  if (!reply->figures.status && !reply->figures.wait_error) wb_asked_judge(runner, reply);
  if (!wb_runner_accept(runner, reply)) return false;
  if (wb_runner_verify(runner, 0, key, "", &result->verdict)) return true;
  if (result->verdict.rest) rest_by_launch(runner, &result->verdict, &reply->figures.launched);
  if (result->verdict.array >= 0 && !result->verdict.cause && runner->result->cause.size == 0)
    result->verdict.cause =
        wb_short_launch(runner->task, &result->verdict, &reply->figures.launched, &runner->result->cause) ||
        wb_no_copy_back(runner->task, &result->verdict, &reply->figures.launched, &runner->result->cause);
  return false;
}

bool wb_case_run(wb_runner *runner, wb_case_result *result, uint64_t key, int call_flags) {
  wb_reply reply;
  const bool right =
      wb_runner_fill(runner, &result->size, key) &&
      wb_runner_call(runner, -1, WB_FILL, call_flags, runner->keeps ? 0 : WB_RELEASE, &reply, NULL) &&
      wb_case_judge(runner, result, &reply, wb_random_key(key, 200));
  result->state = right ? WB_RIGHT : runner->result->state;
  return right;
}
