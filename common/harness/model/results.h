/* model/results.h: all results of a run, from which the reports are written. */
#ifndef WB_RESULTS_H
#define WB_RESULTS_H

#include "base/text.h"
#include "model/check.h"
#include "model/device_info.h"
#include "model/options.h"
#include "model/stats.h"
#include "model/timeline.h"

typedef enum { WB_NOT_RUN, WB_RIGHT, WB_WRONG, WB_CRASHED, WB_TIMEOUT, WB_ERROR } wb_state;

typedef struct wb_case_result {
  wb_size size;
  wb_state state;
  bool must_fail;  /* the right answer is an error */
  int status;      /* what the call returned */
  bool lost_error; /* the right answer is an error; one of its calls failed, and it returned success */
  char status_name[64];
  bool varied;    /* with threads in reverse order, with special numbers, or of a size that no list has */
  bool fills_y;   /* a launch has as many blocks in y as a grid may have, or more */
  unsigned block; /* threads of a block, if all launches have as many; 0: no, or not known */
  int may_fail;   /* how many calls it made that may fail (run/failures.h) */
  wb_verdict verdict;
  double seconds; /* wall time of the whole case */
  char note[200]; /* why it wasn't run */
} wb_case_result;

typedef struct wb_timing {
  wb_size size;
  bool events;          /* the clock of `cold`: device events, else wall */
  wb_samples cold, hot; /* ms: the figures' clock, with cold and with warm caches */
  wb_samples wall;      /* ms: call and wait by the worker's wall clock, cold */
  double bytes, flops;  /* of one call; 0 where the task has no such formula */
  double gb_per_s, gflop_per_s, cores_used;
  int threads_used;          /* that did its work, the most of any timed call */
  double percent_of_ceiling; /* 0: no ceiling fits */
  char ceiling[16];
  char warning[240];
  char too_fast[320]; /* why the time cannot be true; empty: it can */
} wb_timing;

typedef struct wb_baseline_result {
  const wb_baseline *baseline;
  wb_samples time; /* ms, by the same clock as the task's */
  wb_ratio ratio;
} wb_baseline_result;

#define WB_MAX_BASELINES 8

/* The largest errors of a task and of a baseline, with the same inputs, as parts of what is allowed (run/errors.h). */
typedef struct wb_errors {
  const wb_baseline *baseline; /* NULL: not compared */
  double of_task, of_baseline;
} wb_errors;

/* Seconds of wall time of each part of a task: opening device and memory, cases, search for leaks, timing,
 * timeline, failing calls, the host's own loop. */
typedef struct wb_task_seconds {
  double start, cases, leaks, timing, timeline, failures, baseline;
} wb_task_seconds;

/* What a task did when calls that it made failed, one after the other (run/failures.h). */
typedef struct wb_failures {
  int tried;       /* 0: none was tried */
  bool wrong;      /* it stopped at one that was answered wrongly: */
  wb_text message; /* one sentence */
  char *findings;  /* JSON, of the calls up to that one; NULL: none */
} wb_failures;

/* What a wrong function did at one size, with inputs that never change (run/fingerprint.h). */
typedef struct wb_print {
  wb_size size;
  wb_state end;                            /* WB_NOT_RUN: the call returned; else as of a task */
  bool must_fail;                          /* the right answer is an error */
  int status, device_error, pending_error; /* as in wb_call_figures */
  int late;                                /* as in wb_reply */
  char left[64];                           /* as in wb_call_figures */
  size_t wrong;                            /* elements */
  size_t written;                          /* of these: with a number that was not there before */
  uint64_t values;                         /* a hash of their places and values */
  char *findings, *counters;               /* JSON */
} wb_print;

typedef struct wb_task_result {
  const wb_task *task;
  bool sized; /* --size or --sweep gave one size, which replaces the task's own: */
  wb_size size;
  wb_state state;
  wb_text message; /* one sentence about the first failure */
  wb_text detail;  /* further lines */
  wb_text asked;   /* of a case with other launches than its caller asked for (run/asked.h): a line */
  wb_text cause;   /* why its values are wrong, where that shows: a line */
  char *failing;   /* JSON: the counters of the call that was wrong (run/probe.h) */
  wb_case_result *cases;
  size_t case_count;
  char *output; /* what the learner's code printed, cleaned */
  bool output_truncated;
  char *findings, *counters; /* JSON: an array, an object */
  char *longer;              /* JSON: the counters of the call of wb_task.longer; NULL: none */
  wb_text compiled;          /* the text that the traced call compiled */
  bool leak_known;
  int64_t leaked_device_bytes; /* left allocated by a call */
  int64_t leaked_host_bytes;   /* at each call */
  wb_failures failures;
  wb_print *prints; /* of a task whose answer is wrong */
  size_t print_count;
  wb_timeline timeline;
  bool timed;
  char not_timed[160]; /* why not */
  wb_timing timing;
  wb_baseline_result baselines[WB_MAX_BASELINES];
  size_t baseline_count;
  wb_errors errors;
  wb_task_seconds seconds;
  /* The last two baselines: the host's loop (run/host_baseline.c) on one core and on all. */
  wb_baseline cores[2];
  char cores_what[2][120];
  int cores_right;    /* how many of the two gave the right answer */
  char no_cores[400]; /* why not both of them */
} wb_task_result;

/* Random numbers that the learner's code must not know in advance. They are in a page that is empty in a
 * forked process. */
typedef struct wb_secret {
  uint64_t seed; /* of the run */
  uint64_t key;  /* of the current task */
} wb_secret;

typedef struct wb_results {
  const wb_lesson *lesson;
  const wb_options *options;
  wb_secret *secret;
  char date[32]; /* UTC, ISO 8601 */
  wb_device_info device;
  bool isolated;             /* workers' system calls are filtered: worker/sandbox.h */
  const char *timing_reason; /* why no time is measured; NULL: it is */
  wb_ceiling ceilings[WB_MAX_CEILINGS];
  int ceiling_count;
  wb_task_result *tasks;
  size_t task_count;
} wb_results;

/* Takes back what was said of a failure: message, detail and cause. */
void wb_result_forget(wb_task_result *result);

/* "not_run", "right", "wrong", "crashed", "timeout", "error" */
const char *wb_state_name(wb_state state);

/* right when every task that ran is right, not_run when none ran, else wrong. */
wb_state wb_results_verdict(const wb_results *run);

/* Forgets the prints of a task. */
void wb_prints_free(wb_task_result *result);

/* Frees what the results own. */
void wb_results_free(wb_results *run);

#endif
