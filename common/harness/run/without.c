/* run/without.c: see run/without.h. */
#include "run/without.h"
#include "base/progress.h"
#include "device/device.h"
#include "model/check.h"
#include "model/random.h"
#include "model/sizes.h"
#include "run/asked.h"
#include <string.h>

/* `asked` is for words that only a check about the way to the answer reads. */
typedef struct attempt {
  wb_without part;
  bool (*concerns)(const wb_runner *runner);
  const char *asked, *wrong;
} attempt;

static bool in_kernels(const wb_runner *runner) { return runner->task->in_kernels; }
static bool in_library(const wb_runner *runner) { return runner->task->in_library; }
static bool beside_copies(const wb_runner *runner) { return runner->task->beside_copies; }

static const attempt attempts[] = {
    {WB_KERNELS, in_kernels,
     .wrong =
         "its answer is right although none of its kernels ran: the host computes it. Let the kernels do "
         "the work"},
    {WB_PRODUCTS, in_library,
     .asked = "the answer is right although cuBLAS multiplied nothing: it comes from elsewhere."},
    {WB_BESIDE_COPIES, beside_copies,
     .asked = "the answer is right although the kernels that run while rows travel did nothing: they do no "
              "part of the work."},
};

typedef enum answer { RIGHT, WRONG, NONE } answer;

/* One call without the part. A call that crashes or does not end is wrong; one that could not be made says
 * nothing. */
static answer answer_without(wb_runner *runner, wb_without part) {
  wb_reply reply;
  wb_verdict verdict;
  wb_task_result *result = runner->result;
  const bool called = wb_runner_call(runner, -1, WB_FILL, (int)part * WB_WITHOUT, WB_RELEASE, &reply, NULL);
  const bool began = called || result->state == WB_CRASHED || result->state == WB_TIMEOUT;
  const bool right = called && reply.figures.status == 0 &&
                     wb_check(runner->task, &runner->inputs, runner->got, 0, 0, &verdict) &&
                     verdict.wrong == 0;
  return right ? RIGHT : began ? WRONG : NONE;
}

/* The call has said what it had to say, whatever has become of it. */
static void close_worker(wb_runner *runner) {
  runner->result->state = WB_RIGHT;
  wb_result_forget(runner->result);
  wb_worker_stop(&runner->worker);
  wb_worker_free(&runner->worker);
}

static const attempt of_a_device = {
    .asked = "the answer is right although no kernel ran on one of the devices: others do its work."};

static void judge(wb_runner *runner, const attempt *a, wb_without part, uint64_t key) {
  if (!wb_runner_open(runner, 0)) return;
  runner->worker.limit_s = wb_worker_limit() / 20;
  const answer got = wb_runner_fill(runner, &runner->task->trace, key) ? answer_without(runner, part) : NONE;
  close_worker(runner);
  if (got != RIGHT) return;
  if (a->wrong)
    wb_runner_fail(runner, WB_WRONG, "%s", a->wrong);
  else
    wb_asked_note(runner, a->asked);
}

/* One call in which the numbers of a window count as 0. False: the task names no further window. */
static bool judge_zeros(wb_runner *runner, int which, uint64_t key) {
  const wb_task *task = runner->task;
  wb_window *zeros = &runner->inputs.zeros;
  if (!wb_runner_open(runner, 0)) return false;
  const bool filled = wb_runner_fill(runner, &task->trace, wb_random_key(key, (uint64_t)which)),
             named = filled && task->zeros(&runner->inputs, which, zeros);
  zeros->number = which;
  const answer got = named ? answer_without(runner, 0) : NONE;
  close_worker(runner);
  if (got == WRONG)
    wb_asked_note(runner,
                  task->given_calls
                      ? "some values of the function that the header gives counted as 0 in one call, and "
                        "the answer did not follow them: a result comes from elsewhere."
                      : "some factors of cuBLAS's products counted as 0 in one call, and the answer did "
                        "not follow: it is not made of these products alone.");
  return named;
}

void wb_without_host_access(wb_runner *runner) {
  wb_reply reply;
  wb_task_result *result = runner->result;
  if (strcmp(wb_device_backend(), "cpu") != 0) return;
  wb_worker_stop(&runner->worker);
  wb_worker_free(&runner->worker);
  if (!wb_runner_open(runner, 0) || !wb_runner_call(runner, -1, WB_FILL, WB_TRACE, WB_RELEASE, &reply, NULL))
    return;
  wb_result_forget(result);
  wb_runner_fail(
      runner, WB_WRONG,
      "the host reads or writes memory of the device, by a function or a structure whose accesses are "
      "not seen: on a GPU that is a fault. Let kernels and copies do it");
}

void wb_without_run(wb_runner *runner, uint64_t key) {
  const wb_task_result *result = runner->result;
  const wb_case probe = {.size = runner->task->trace};
  if (result->sized || !wb_size_given(&probe.size) || strcmp(wb_device_backend(), "cpu") != 0) return;
  const int devices = runner->task->devices ? runner->task->devices(&probe) : 1;
  if (devices > runner->run->device.devices) return;
  wb_progress("%s: without a part of the device", runner->task->name);
  for (size_t i = 0; i < WB_COUNT(attempts) && result->state == WB_RIGHT; i++)
    if (attempts[i].concerns(runner)) judge(runner, &attempts[i], attempts[i].part, key);
  for (int which = 0; runner->task->zeros && result->state == WB_RIGHT; which++)
    if (!judge_zeros(runner, which, key)) break;
  for (int d = 0; d < devices && devices > 1 && result->state == WB_RIGHT; d++)
    judge(runner, &of_a_device, WB_DEVICE_0 << d, key);
}
