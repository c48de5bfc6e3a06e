/* run/idle.c: see run/idle.h. */
#include "run/idle.h"
#include "base/progress.h"
#include "device/device.h"
#include "model/check.h"
#include "model/sizes.h"
#include <string.h>

static bool is_right_without(wb_runner *runner, uint64_t key) {
  wb_reply reply;
  wb_verdict verdict;
  return wb_runner_fill(runner, &runner->task->trace, key) &&
         wb_runner_call(runner, -1, WB_FILL, WB_IDLE, WB_RELEASE, &reply, NULL) &&
         reply.figures.status == 0 && wb_check(runner->task, &runner->inputs, runner->got, 0, 0, &verdict) &&
         verdict.wrong == 0;
}

void wb_idle_run(wb_runner *runner, uint64_t key) {
  wb_task_result *result = runner->result;
  if (!runner->task->in_kernels || result->sized || strcmp(wb_device_backend(), "cpu") != 0) return;
  if (!wb_runner_open(runner, 0)) return;
  wb_progress("%s: kernels that do nothing", runner->task->name);
  runner->worker.limit_s = wb_worker_limit() / 20;
  const bool right = is_right_without(runner, key);
  wb_worker_stop(&runner->worker);
  wb_worker_free(&runner->worker);
  result->state = WB_RIGHT;
  wb_text_free(&result->message);
  wb_text_free(&result->detail);
  wb_text_free(&result->cause);
  if (right)
    wb_runner_fail(
        runner, WB_WRONG,
        "its answer is right although none of its kernels ran: the host computes it. Let the kernels do the "
        "work");
}
