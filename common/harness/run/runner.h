/* run/runner.h: one task while it runs: the case at hand, its worker, one call, and what went wrong. */
#ifndef WB_RUNNER_H
#define WB_RUNNER_H

#include "model/arena.h"
#include "model/results.h"
#include "worker/worker.h"

typedef struct wb_runner {
  const wb_results *run;
  const wb_task *task;
  wb_task_result *result;
  wb_arena arena;
  wb_worker worker;
  /* Runs the baselines and none of the learner's code, where a second process may have the device. */
  wb_worker bench;
  /* The current case. */
  wb_layout layout;
  wb_case inputs;           /* array: the parent's own copies */
  void *got[WB_MAX_ARRAYS]; /* the shared ones */
  int fail;                 /* which call of the next call shall fail; 0: none (run/failures.h) */
  bool fail_later;          /* and later waits of the same thread */
  int capability;           /* of the device in the next call, in tenths; 0: the usual one */
  bool keeps;               /* the arrays of the next case stay where they are, for a case of the same size */
  int special;    /* which turn of a case with special numbers (wb_task.special), from 1; 0: there are none */
  int64_t leaked; /* device bytes that the last call left allocated */
  uint64_t windows;     /* which windows of a large case the last call brought back */
  bool outside;         /* the last call accessed what is outside of an array of the host */
  bool refused;         /* the arrays of a large case could not be put in place; the worker goes on */
  bool coarse;          /* inputs are made of few bits (run/fingerprint.h) */
  wb_request request;   /* the call that wb_runner_begin has begun */
  uint64_t used_before; /* bytes of device memory before it */
} wb_runner;

/* Starts a worker for the task and lets it open the device; flags: WB_STEADY. If that fails, sets the
 * result's state and message and returns false. */
bool wb_runner_open(wb_runner *runner, int flags);

/* Makes the arrays of a case: inputs from `key`, outputs poisoned, guards written. Returns false, with the
 * result's message set, when they don't fit the arena. */
bool wb_runner_fill(wb_runner *runner, const wb_size *size, uint64_t key);

/* Poisons the outputs and refills the inout arrays of the current case. */
void wb_runner_refill(wb_runner *runner);

/*
 * One call for the current case: prepare, call, finish. prepare_flags: WB_FILL, WB_FLUSH; call_flags:
 * WB_TRACE; finish_flags: WB_RELEASE, WB_NO_COPY. callee as in wb_request. If anything fails outside the
 * learner's own status, sets the result's state and message and returns false.
 */
bool wb_runner_call(wb_runner *runner, int callee, int prepare_flags, int call_flags, int finish_flags,
                    wb_reply *reply, double *seen_ms);

/* The same in two steps: until the function is called, and from there to the end. So several workers can be
 * in a call at the same time. */
bool wb_runner_begin(wb_runner *runner, int callee, int prepare_flags, int call_flags);
bool wb_runner_end(wb_runner *runner, int finish_flags, wb_reply *reply, double *seen_ms);

/* Judges what a call returned where an answer was due: status, pending error, error while waiting. */
bool wb_runner_accept(wb_runner *runner, const wb_reply *reply);

/* Checks the outputs of the current case after a call that returned status 0; sample as in wb_check. If
 * they are wrong, sets state and message and returns false. `when` names the call: " in a timed call". */
bool wb_runner_verify(wb_runner *runner, size_t sample, uint64_t key, const char *when, wb_verdict *verdict);

/* What the task's own function says of the first wrong value, or NULL. */
const char *wb_runner_cause(const wb_runner *runner, const wb_verdict *verdict);

/* Sets state and message, unless an earlier failure has: "vector_add, n = 1021: ..." and the formatted
 * rest. */
void wb_runner_fail(wb_runner *runner, wb_state state, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
