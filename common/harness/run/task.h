/*
 * run/task.h: testing and timing one task in a worker of its own. run/task.c goes through the steps, run/case.c
 * does one correctness case, run/timing.c takes the times.
 */
#ifndef WB_TASK_H
#define WB_TASK_H

#include "model/results.h"
#include "model/sizes.h"
#include "worker/worker.h"

/* One task while it runs. */
typedef struct wb_runner {
  const wb_run *run;
  const wb_task *task;
  wb_task_result *result;
  wb_arena arena;
  wb_worker worker;
  wb_worker bench; /* runs the baselines and none of the learner's code, where a second process may have the
                      device */
  /* The case at hand. */
  wb_layout layout;
  wb_case inputs;           /* array: the parent's own copies */
  void *got[WB_MAX_ARRAYS]; /* the shared ones */
  int64_t leaked;           /* device bytes that the last call left allocated */
} wb_runner;

/* Runs a task: its correctness cases, then the trace call, then timing. Fills in *result (zeroed by the
 * caller but for `task`). Its random numbers come from run->secret->key. */
void wb_task_run(const wb_run *run, wb_task_result *result);

/*
 * Makes new content for a case: inputs from `key`, outputs poisoned, guards written. Returns false, with the
 * result's message set, when it doesn't fit the arena.
 */
bool wb_runner_fill(wb_runner *runner, const wb_size *size, uint64_t key);

/* Poisons the outputs and refills the inout arrays of the case at hand. */
void wb_runner_refill(wb_runner *runner);

/*
 * One call at the case at hand: prepare, call, finish. prepare_flags: WB_FILL, WB_FLUSH; call_flags:
 * WB_TRACE; finish_flags: WB_RELEASE, WB_NO_COPY. callee as in wb_request. Anything that goes wrong outside
 * the learner's own status is put into the result (state, message) and returns false.
 */
bool wb_runner_call(wb_runner *runner, int callee, int prepare_flags, int call_flags, int finish_flags,
                    wb_reply *reply, double *seen_ms);

/* Judges the case at hand after a call: an error where one is due, else the right answer. */
bool wb_case_judge(wb_runner *runner, wb_case_result *result, const wb_reply *reply, uint64_t key);

/* Runs one correctness case. Returns whether it was right; otherwise state and message are set. */
bool wb_case_run(wb_runner *runner, wb_case_result *result, uint64_t key);

/* Checks the outputs of the case at hand after a call that returned status 0, sample as in wb_check. When
 * they are wrong, sets state and message, `when` telling which call it was ("in a timed call"), and returns
 * false. */
bool wb_runner_verify(wb_runner *runner, size_t sample, uint64_t key, const char *when, wb_verdict *verdict);

/* Judges what a call returned where an answer was due: status, error left behind, error while waiting. */
bool wb_runner_accept(wb_runner *runner, const wb_reply *reply);

/* Sets state and message once: "vector_add, n = 1021: ..." and the formatted rest. */
void wb_runner_fail(wb_runner *runner, wb_state state, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Times a right task. Returns false when a timed call failed: state and message are set. */
bool wb_timing_run(wb_runner *runner, uint64_t key);
/* Ends the process of the baselines; after the learner's has ended. */
void wb_timing_close(wb_runner *runner);

/*
 * Runs the driver's loop for the host (wb_task.cpu), on one core and on all, checks its answer, and adds both
 * to the baselines of a task that was timed. WB_BASELINE=0: never; =1: also where no time is taken, to see
 * that the loop is right. Call it when the task is judged and its worker stopped: no failure here touches the
 * verdict.
 */
void wb_baseline_run(wb_runner *runner, uint64_t key);

/* Whether the task's answers are wanted in host memory: then the link to the device bounds it, not its
 * memory. */
bool wb_answers_on_host(const wb_task *task);

/* Works out rates, percentages and ratios from the samples. */
void wb_timing_figures(const wb_run *run, wb_task_result *result, const wb_case *c);

/* An error's usual cause in plain words: "a kernel touched ...", "" for unknown names. A final %s stands for:
 * and something else can name the line. (base/explain.c) */
const char *wb_explain(const char *error_name);

/* Adds findings for the reports of sanitizers in a worker's output to the result (worker/sanitizers.c). */
void wb_sanitizer_findings(wb_task_result *result);

#endif
