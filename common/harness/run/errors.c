/* run/errors.c: see run/errors.h. */
#include "run/errors.h"
#include "base/progress.h"
#include "model/sizes.h"
#include "device/device.h"
#include <string.h>

/* The largest error of what lies in the outputs, as a part of what is allowed. */
static bool largest(wb_runner *runner, uint64_t key, double *error) {
  wb_verdict verdict;
  if (!wb_check(runner->task, &runner->inputs, runner->got, 0, key, &verdict)) return false;
  *error = verdict.max_share;
  return true;
}

static bool call_and_look(wb_runner *runner, int callee, uint64_t key, double *error) {
  wb_reply reply;
  wb_runner_refill(runner);
  return wb_runner_call(runner, callee, WB_FILL, 0, 0, &reply, NULL) && wb_runner_accept(runner, &reply) &&
         largest(runner, key, error);
}

bool wb_errors_run(wb_runner *runner, uint64_t key) {
  const wb_task *task = runner->task;
  wb_errors *errors = &runner->result->errors;
  const int last = (int)task->baseline_count - 1;
  if (!wb_size_given(&task->compared) || last < 0 || runner->result->sized) return true;
  wb_progress("%s: errors", task->name);
  if (!wb_runner_fill(runner, &task->compared, key) || !call_and_look(runner, -1, key, &errors->of_task) ||
      !call_and_look(runner, last, key, &errors->of_baseline))
    return false;
  errors->baseline = &task->baselines[last];
  return true;
}
