/* run/task.c: see run/task.h. */
#include "run/task.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/progress.h"
#include "model/large.h"
#include "model/random.h"
#include "model/sizes.h"
#include "device/device.h"
#include "device/host_info.h"
#include "worker/channel.h"
#include "worker/sanitizers.h"
#include "run/capabilities.h"
#include "run/case.h"
#include "run/errors.h"
#include "run/failures.h"
#include "run/fingerprint.h"
#include "run/host_baseline.h"
#include "run/least.h"
#include "run/own_blocks.h"
#include "run/probe.h"
#include "run/processes.h"
#include "run/reach.h"
#include "run/same_bits.h"
#include "run/timing.h"
#include "run/without.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GIGABYTES ((size_t)1 << 30) /* a larger case is a task's .large one */
#define SMALL     ((size_t)1 << 17) /* bytes of a case that takes little time on the CPU backend */
#define REVERSED  3                 /* cases of a task that run in reverse order, too */
#define FEW_CALLS 256 /* of CUDA: what more of them show, as of a long loop's, fewer show, too */

enum {
  KEY_SIZES = 1,
  KEY_CASES,
  KEY_TRACE,
  KEY_TIMING,
  KEY_LEAK,
  KEY_WARM,
  KEY_BASELINE,
  KEY_FAILURES,
  KEY_BLOCKS,
  KEY_REACH,
  KEY_SAME_BITS,
  KEY_ERRORS,
  KEY_PROCESSES,
  KEY_WITHOUT,
  KEY_IN_PLACE,
  KEY_CAPABILITIES
};

static bool on_gpu(void) { return strcmp(wb_device_backend(), "cuda") == 0; }

static bool wants_time(const wb_runner *runner) {
  return !runner->run->timing_reason && wb_size_given(&runner->task->timed);
}

static wb_size size_or_option(const wb_runner *runner, const wb_size *declared) {
  return runner->result->sized ? runner->result->size : *declared;
}

static int devices_for(const wb_runner *runner, const wb_size *size) {
  const wb_case probe = {.size = *size};
  return runner->task->devices ? runner->task->devices(&probe) : 1;
}

static bool enough_devices(const wb_runner *runner, const wb_size *size) {
  const int needed = devices_for(runner, size);
  return needed <= 1 || (!runner->task->one_device && needed <= runner->run->device.devices);
}

/* What a case lacks that has not enough of them, and how to get it. */
static void explain_devices(const wb_runner *runner, const wb_size *size, char *note, size_t note_size) {
  const int devices = runner->run->device.devices, needed = devices_for(runner, size);
  if (runner->task->one_device)
    snprintf(note, note_size, "needs %d devices. %s", needed, runner->task->one_device);
  else
    snprintf(note, note_size, "needs %d devices, and there %s %d: %s", needed, devices == 1 ? "is" : "are",
             devices,
             on_gpu() ? "jobs/README.md says how a job gets more"
                      : "unset CUCC_DEVICES for four virtual ones");
}

/* Whether a size fits into host memory (shared and the parent's own) and into the device's. */
static bool fits(const wb_runner *runner, const wb_size *size, char *note, size_t note_size) {
  wb_layout layout;
  const uint64_t host = wb_host_free_bytes(), device = runner->run->device.free_bytes;
  const bool known = wb_arena_layout(runner->task, size, &layout);
  if (runner->task->missing) {
    snprintf(note, note_size, "%s", runner->task->missing);
    return false;
  }
  if (!enough_devices(runner, size)) {
    explain_devices(runner, size, note, note_size);
    return false;
  }
  const double gib = 1.0 / (1 << 30);
  if (!known || layout.memory > host / 2) {
    snprintf(note, note_size, "needs %.3g GiB of host memory, %.3g GiB are free",
             known ? 2 * (double)layout.memory * gib : 1e9, (double)host * gib);
    return false;
  }
  /* The learner's function may allocate all arrays once more on the device; 256 MiB are for the context. */
  double bytes = 0;
  for (int a = 0; a < layout.arrays; a++) bytes += (double)layout.bytes[a];
  if (on_gpu() && bytes * 1.05 + (1 << 28) > (double)device) {
    snprintf(note, note_size, "needs %.3g GiB of device memory, %.3g GiB are free", bytes * gib,
             (double)device * gib);
    return false;
  }
  return true;
}

/* Fills in the result's list of cases. */
static bool list_cases(wb_runner *runner) {
  wb_task_result *result = runner->result;
  wb_size_list sizes = {0};
  if (result->sized) {
    sizes.list = malloc(sizeof(wb_size));
    sizes.count = sizes.list ? 1 : 0;
    if (sizes.list) sizes.list[0] = result->size;
  } else {
    char note[128];
    sizes = wb_sizes(runner->task, wb_random_key(runner->run->secret->key, KEY_SIZES), on_gpu());
    if (sizes.has_large && wb_size_given(&runner->task->huge) &&
        fits(runner, &runner->task->huge, note, sizeof note))
      sizes.list[sizes.count - 1] = runner->task->huge;
  }
  result->cases = calloc(sizes.count + 1, sizeof *result->cases);
  for (size_t i = 0; result->cases && i < sizes.count; i++) {
    wb_case_result *c = &result->cases[result->case_count++];
    c->size = sizes.list[i];
    c->verdict.array = -1;
    fits(runner, &c->size, c->note, sizeof c->note);
  }
  wb_sizes_free(&sizes);
  return result->case_count > 0;
}

/* Makes the arena large enough for every case of the task. */
static bool make_room(wb_runner *runner) {
  size_t bytes = 4096;
  wb_layout layout, large = {0};
  wb_task_result *result = runner->result;
  for (size_t i = 0; i < result->case_count; i++)
    if (!result->cases[i].note[0] && wb_arena_layout(runner->task, &result->cases[i].size, &layout)) {
      if (layout.end > bytes) bytes = layout.end;
      if (layout.large) large = layout;
    }
  const wb_size others[] = {size_or_option(runner, &runner->task->timed),
                            size_or_option(runner, &runner->task->trace),
                            runner->task->cpu_size,
                            runner->task->same_bits,
                            runner->task->compared,
                            wb_reach_whole(runner->task),
                            on_gpu() ? (wb_size){{0}} : wb_reach_past(runner->task)};
  for (size_t i = 0; i < WB_COUNT(others); i++)
    if (fits(runner, &others[i], result->not_timed, sizeof result->not_timed) &&
        wb_arena_layout(runner->task, &others[i], &layout) && layout.end > bytes)
      bytes = layout.end;
  result->not_timed[0] = '\0';
  return wb_arena_open(&runner->arena, bytes) && wb_large_map(&runner->arena, runner->task, &large);
}

static bool start(wb_runner *runner) {
  if (list_cases(runner)) runner->inputs.size = runner->result->cases[0].size;
  if (runner->result->case_count == 0 || !make_room(runner)) {
    wb_runner_fail(runner, WB_ERROR, "not enough memory");
    return false;
  }
  return wb_runner_open(runner, 0);
}

static uint64_t case_key(const wb_runner *runner, size_t i) {
  return wb_random_key(wb_random_key(runner->run->secret->key, KEY_CASES), i);
}

/* The largest case of fewer than `below` bytes that ran, one of few calls if there is any; its size in
 * *bytes. NULL: none. */
static wb_case_result *case_below(const wb_runner *runner, size_t below, size_t *bytes) {
  wb_case_result *found = NULL;
  bool short_found = false;
  *bytes = 0;
  for (size_t i = 0; i < runner->result->case_count; i++) {
    wb_case_result *c = &runner->result->cases[i];
    wb_layout layout;
    if (c->note[0] || !wb_arena_layout(runner->task, &c->size, &layout)) continue;
    size_t sum = 0;
    for (int array = 0; array < layout.arrays; array++) sum += layout.bytes[array];
    const bool is_short = c->may_fail <= FEW_CALLS;
    if (sum >= below || is_short < short_found || (is_short == short_found && sum <= *bytes)) continue;
    *bytes = sum;
    short_found = is_short;
    found = c;
  }
  return found;
}

/*
 * Runs some cases again, with the same inputs, but threads, blocks and streams in reverse order: a race may
 * show in one order only, as a finding or as a wrong answer. Small cases have several blocks, too, and take
 * little time.
 */
static bool try_reversed(wb_runner *runner) {
  wb_task_result *result = runner->result;
  size_t bytes = SMALL;
  for (int turn = 0; turn < REVERSED; turn++) {
    wb_case_result *c = case_below(runner, bytes, &bytes);
    if (!c) break;
    wb_case_result again = {.size = c->size};
    wb_progress("%s: %s, reversed", runner->task->name, wb_text_size(c->size.n, wb_dims(runner->task)));
    runner->keeps = true;
    const bool right = wb_case_run(runner, &again, case_key(runner, (size_t)(c - result->cases)), WB_REVERSE);
    runner->keeps = false;
    if (right) continue;
    wb_text_add(&result->message, " (with the threads in reverse order)");
    *c = again;
    c->varied = true;
    return false;
  }
  return true;
}

/* Calls the function twice in the same memory, with other inputs the second time: what it has kept of the
 * first ones is wrong then. The case is that of the failures, which goes the longest way through the
 * function. */
static bool try_in_place(wb_runner *runner, uint64_t key) {
  wb_task_result *result = runner->result;
  wb_case_result *c = wb_failures_case(runner);
  if (!c || result->task->measures) return true;
  wb_case_result first = {.size = c->size}, second = first;
  wb_progress("%s: %s, in place", runner->task->name, wb_text_size(c->size.n, wb_dims(runner->task)));
  runner->keeps = true;
  const bool right = wb_case_run(runner, &first, wb_random_key(key, 0), 0);
  runner->keeps = false;
  if (right && wb_case_run(runner, &second, wb_random_key(key, 1), 0)) return true;
  if (right) wb_text_add(&result->message, " (in the memory of the call before, which held other numbers)");
  *c = right ? second : first;
  c->varied = true;
  return false;
}

/* With blocks of its own choice, in another order, and in the same memory. */
static bool try_again(wb_runner *runner) {
  const uint64_t key = runner->run->secret->key;
  if (!runner->result->sized && !wb_own_blocks_run(runner, wb_random_key(key, KEY_BLOCKS))) return false;
  return !wb_device_used_is_exact() ||
         (try_reversed(runner) && try_in_place(runner, wb_random_key(key, KEY_IN_PLACE)));
}

/* Seconds since *since, to the millisecond. Sets *since to now. */
static double lap(double *since) {
  const double before = *since;
  *since = wb_now_ms();
  return 1e-3 * (double)(int64_t)(*since - before + 0.5);
}

/* A case of the tall ones has filled y: those after it show nothing else. */
static void leave_taller(wb_task_result *result, size_t i) {
  const size_t count = result->task->size_count, first = count - result->task->tall;
  if (result->sized || i < first || i + 1 >= count || !result->cases[i].fills_y) return;
  memmove(&result->cases[i + 1], &result->cases[count], (result->case_count - count) * sizeof *result->cases);
  result->case_count -= count - i - 1;
}

/* Runs all cases until one is wrong. */
static bool try_cases(wb_runner *runner) {
  wb_task_result *result = runner->result;
  const bool exact = wb_device_used_is_exact();
  bool ran = false;
  for (size_t i = 0; i < result->case_count; i++) {
    wb_case_result *c = &result->cases[i];
    if (c->note[0]) continue;
    wb_progress("%s: %s", runner->task->name, wb_text_size(c->size.n, wb_dims(runner->task)));
    double since = wb_now_ms();
    const bool right = wb_case_run(runner, c, case_key(runner, i), 0);
    c->seconds = lap(&since);
    if (runner->refused) {
      c->state = WB_NOT_RUN;
      snprintf(c->note, sizeof c->note, "the device or its driver refused arrays of this size");
      continue;
    }
    if (!right) return false;
    ran = true;
    if (exact) {
      result->leak_known = true;
      if (runner->leaked > result->leaked_device_bytes) result->leaked_device_bytes = runner->leaked;
    }
    leave_taller(result, i);
  }
  if (!ran) {
    wb_runner_fail(runner, WB_NOT_RUN, "%s", result->cases[0].note);
  }
  return ran;
}

/* Runs small cases that have an answer again, the largest first, one in each of the turns `first` to `last`, with
 * special numbers among the inputs. */
static bool try_turns(wb_runner *runner, int first, int last, const char *numbers) {
  wb_task_result *result = runner->result;
  size_t bytes = SMALL;
  for (int turn = first; turn <= last;) {
    wb_case_result *c = case_below(runner, bytes, &bytes);
    if (!c) break;
    if (c->must_fail) continue;
    wb_case_result again = {.size = c->size};
    wb_progress("%s: %s, special numbers", runner->task->name,
                wb_text_size(c->size.n, wb_dims(runner->task)));
    /* Keys of their own: an oracle may keep what it made of the content of a key. */
    const uint64_t key = case_key(runner, (size_t)(c - result->cases));
    runner->special = ++turn;
    const bool right = wb_case_run(runner, &again, wb_random_key(key, (uint64_t)(400 + first)), 0);
    runner->special = 0;
    if (right) continue;
    wb_text_add(&result->message, " (with %s among the inputs)", numbers);
    *c = again;
    c->varied = true;
    return false;
  }
  return true;
}

static bool try_special(wb_runner *runner) {
  switch (runner->task->special) {
  case WB_ANY:
    return try_turns(runner, 0, 3, "NaN, infinities, -0 and denormal numbers");
  case WB_INFINITY:
    return try_turns(runner, 0, 3, "NaN") && try_turns(runner, 4, 5, "an infinity");
  case WB_NAN:
    return try_turns(runner, 0, 3, "NaN");
  default:
    return true;
  }
}

/* The largest case, in bytes, that ran and has an answer; without the one of gigabytes, which takes
 * seconds. */
static const wb_case_result *largest_case(const wb_runner *runner) {
  const wb_task_result *result = runner->result;
  const wb_case_result *largest = NULL;
  size_t most = 0;
  for (size_t i = 0; i < result->case_count; i++) {
    const wb_case_result *c = &result->cases[i];
    wb_layout layout;
    if (c->note[0] || c->must_fail || !wb_arena_layout(runner->task, &c->size, &layout)) continue;
    if (layout.end < most || layout.end > GIGABYTES) continue;
    most = layout.end;
    largest = c;
  }
  return largest;
}

/*
 * A GPU's driver reports used memory in pages and at first takes some for itself. So the same case is
 * called three times, and a leak is memory that each call after the first loses. Finds leaks from 2 MiB
 * per call; common/cpu finds every byte.
 */
static bool look_for_leaks(wb_runner *runner) {
  wb_task_result *result = runner->result;
  const wb_case_result *largest = largest_case(runner);
  if (!on_gpu() || !largest) return true;
  int64_t least = INT64_MAX;
  for (int call = 0; call < 3; call++) {
    wb_case_result again = {.size = largest->size};
    if (!wb_case_run(runner, &again,
                     wb_random_key(wb_random_key(runner->run->secret->key, KEY_LEAK), (uint64_t)call), 0))
      return false;
    if (call > 0 && runner->leaked < least) least = runner->leaked;
  }
  result->leak_known = true;
  result->leaked_device_bytes = least > 0 ? least : 0;
  return true;
}

/* A call whose counters are kept. On the CPU backend the host cannot reach memory of the device meanwhile. */
static bool traced(wb_runner *runner, const wb_size *size) {
  const uint64_t key = wb_random_key(runner->run->secret->key, KEY_TRACE);
  wb_reply reply;
  wb_verdict verdict;
  const bool called =
      wb_runner_fill(runner, size, key) &&
      wb_runner_call(runner, -1, WB_FILL, WB_TRACE | WB_HOST_ACCESS * WB_WITHOUT, WB_RELEASE, &reply, NULL);
  if (!called && runner->result->state == WB_CRASHED) wb_without_host_access(runner);
  if (called && runner->task->must_fail && runner->task->must_fail(&runner->inputs)) return true;
  return called && wb_runner_accept(runner, &reply) && wb_runner_verify(runner, 0, key, "", &verdict);
}

static bool trace_longer(wb_runner *runner) {
  const wb_size *size = &runner->task->longer;
  if (strcmp(wb_device_backend(), "cpu") != 0 || runner->result->sized || !wb_size_given(size)) return true;
  wb_progress("%s: longer", runner->task->name);
  if (!traced(runner, size)) return false;
  runner->result->longer = wb_channel_counters(runner->worker.channel);
  return true;
}

/* Makes the call whose counters and timeline are kept. */
static bool trace(wb_runner *runner) {
  if (!wb_size_given(&runner->task->trace)) return true;
  const wb_size size = size_or_option(runner, &runner->task->trace);
  if (!enough_devices(runner, &size)) {
    snprintf(runner->result->timeline.reason, sizeof runner->result->timeline.reason,
             "not recorded: it needs %d devices", devices_for(runner, &size));
    return true;
  }
  wb_progress("%s: timeline", runner->task->name);
  wb_device_compiled_text(); /* of the calls before */
  if (!traced(runner, &size)) return false;
  const char *compiled = wb_device_compiled_text();
  wb_text_add(&runner->result->compiled, "%s", compiled ? compiled : "");
  wb_channel_timeline(runner->worker.channel, &runner->result->timeline);
  runner->result->counters = wb_channel_counters(runner->worker.channel);
  if (strcmp(wb_device_backend(), "cpu") == 0 && strcmp(runner->result->counters, "{}") == 0) {
    wb_runner_fail(runner, WB_ERROR, "the profile exceeds 128 KiB: use fewer kernels or fewer lines");
    return false;
  }
  return trace_longer(runner);
}

static void finish(wb_runner *runner) {
  wb_task_result *result = runner->result;
  if (runner->worker.channel) result->findings = wb_channel_findings(runner->worker.channel);
  if (runner->worker.pid && wb_worker_stop(&runner->worker) == WB_NONSENSE) {
    wb_text_free(&result->message);
    wb_runner_fail(runner, WB_ERROR, "the function wrote to a file descriptor that belongs to the harness");
  }
  result->output = wb_text_clean(wb_text_get(&runner->worker.printed), runner->worker.printed.size);
  result->output_truncated = runner->worker.printed_more;
  wb_sanitizer_findings(result, &runner->arena, &runner->layout);
  wb_worker_free(&runner->worker);
}

/*
 * On a GPU the timeline is recorded last, in a worker of its own: recording slows calls down and must not
 * change the measured times. A first call, which is not recorded, loads the code. A failure here says
 * nothing about the answer, which has been judged: there is only no timeline.
 */
static void trace_apart(wb_runner *runner) {
  if (!wb_size_given(&runner->task->trace) || !wb_runner_open(runner, 0)) return;
  wb_reply reply;
  const wb_size size = size_or_option(runner, &runner->task->trace);
  const bool right = wb_runner_fill(runner, &size, wb_random_key(runner->run->secret->key, KEY_WARM)) &&
                     wb_runner_call(runner, -1, WB_FILL, 0, WB_RELEASE, &reply, NULL) && trace(runner);
  if (!right && runner->result->state != WB_WRONG) {
    runner->result->state = WB_RIGHT;
    wb_timeline *timeline = &runner->result->timeline;
    wb_timeline_free(timeline);
    snprintf(timeline->reason, sizeof timeline->reason, "not measured: %.140s",
             wb_text_get(&runner->result->message));
    wb_result_forget(runner->result);
  }
  wb_worker_stop(&runner->worker);
  wb_worker_free(&runner->worker);
}

/* On the CPU backend the launches of a wrong function are counted, too: their number or shape may be the cause.
 * The message is that of the wrong answer already, so whatever happens here changes nothing else. */
static void count_wrong(wb_runner *runner) {
  wb_task_result *result = runner->result;
  if (strcmp(wb_device_backend(), "cpu") != 0 || result->state != WB_WRONG || result->counters ||
      !wb_size_given(&runner->task->trace) || !wb_runner_open(runner, 0))
    return;
  wb_reply reply;
  const wb_size size = size_or_option(runner, &runner->task->trace);
  runner->worker.limit_s = wb_worker_limit() / 10;
  if (wb_runner_fill(runner, &size, wb_random_key(runner->run->secret->key, KEY_TRACE)) &&
      wb_runner_call(runner, -1, WB_FILL, WB_TRACE, WB_RELEASE, &reply, NULL) && !reply.figures.status &&
      !reply.figures.wait_error && !reply.figures.pending_error)
    result->counters = wb_channel_counters(runner->worker.channel);
  wb_worker_stop(&runner->worker);
  wb_worker_free(&runner->worker);
}

/* Failing calls have a worker of their own: what they leave says nothing about the calls before. */
static void fail_apart(wb_runner *runner) {
  if (strcmp(wb_device_backend(), "cuda") == 0 || !wb_runner_open(runner, 0)) return;
  wb_failures_run(runner, wb_random_key(runner->run->secret->key, KEY_FAILURES));
  wb_worker_stop(&runner->worker);
  wb_worker_free(&runner->worker);
}

/* Sanitizers' programs only report errors, a GPU's threads have no order, and no two measured times are alike. */
static bool has_fingerprint(const wb_task_result *result) {
  const bool plain_c = strcmp(wb_device_backend(), "host") == 0;
  if (on_gpu() || (plain_c && wb_device_no_timing()) || result->sized || result->task->measures) return false;
  return result->state == WB_WRONG || result->state == WB_CRASHED || result->state == WB_ERROR;
}

/* Looks for the cause of wrong values in further calls of the same case. */
static void probe(wb_runner *runner) {
  wb_task_result *result = runner->result;
  if (!has_fingerprint(result)) return;
  for (size_t i = 0; i < result->case_count; i++) {
    wb_case_result *c = &result->cases[i];
    if (c->state != WB_WRONG) continue;
    if (!c->varied) wb_probe_run(runner, c, case_key(runner, i));
    return;
  }
}

/* Host memory that every call loses is a finding, of the address sanitizer where the program has it; unless
 * there is an error that may be the reason. Warnings stay before it. */
static void note_host_leak(wb_task_result *result) {
  const bool plain_c = strcmp(wb_device_backend(), "host") == 0;
  const char *others = result->findings ? result->findings : "[]", *end = strrchr(others, ']');
  const bool errors = strstr(others, "\"severity\":\"error\"") || strstr(others, "\"severity\": \"error\"");
  if (result->leaked_host_bytes == 0 || !end || errors) return;
  char sentence[160];
  snprintf(sentence, sizeof sentence,
           "%lld bytes of host memory were never freed: each call of %s loses as many",
           (long long)result->leaked_host_bytes, result->task->name);
  wb_text text = {0};
  wb_text_add(&text, "%.*s%s", (int)(end - others), others, end == others + 1 ? "" : ",");
  wb_json json = {.out = &text};
  wb_json_object(&json, NULL);
  wb_json_string(&json, "tool", plain_c ? "asan" : "leakcheck");
  wb_json_string(&json, "severity", "error");
  wb_json_string(&json, "sentence", sentence);
  wb_json_string(&json, "cause", "a missing free for a malloc, or delete for a new");
  wb_json_integer(&json, "repeats", 1);
  wb_json_end(&json);
  wb_text_add(&text, "]");
  free(result->findings);
  result->findings = text.data;
}

void wb_task_run(const wb_results *run, wb_task_result *result) {
  wb_runner runner = {.run = run, .task = result->task, .result = result};
  wb_task_at_hand = result->task;
  wb_task_seconds *seconds = &result->seconds;
  double since = wb_now_ms();
  wb_progress("%s", result->task->name);
  bool right = start(&runner);
  seconds->start = lap(&since);
  right = right && try_cases(&runner) && try_special(&runner) && try_again(&runner);
  if (right || result->state == WB_WRONG)
    right = wb_same_bits_run(&runner, wb_random_key(run->secret->key, KEY_SAME_BITS)) && right;
  seconds->cases = lap(&since);
  right = right && look_for_leaks(&runner);
  seconds->leaks = lap(&since);
  if (runner.worker.pid) {
    wb_request request = {.verb = WB_DO_FINDINGS};
    wb_reply reply;
    wb_worker_ask(&runner.worker, &request, &reply, NULL);
  }
  const bool swept = run->options->sweep.count > 0; /* a sweep only takes times */
  if (!on_gpu() && !swept) right = right && trace(&runner);
  seconds->timeline = lap(&since);
  /* Before the timing, whose inputs the judgement of the time looks at. */
  if (right && !swept) right = wb_errors_run(&runner, wb_random_key(run->secret->key, KEY_ERRORS));
  if (right && wants_time(&runner)) {
    const wb_size timed = size_or_option(&runner, &result->task->timed);
    if (fits(&runner, &timed, result->not_timed, sizeof result->not_timed))
      right = wb_timing_run(&runner, wb_random_key(run->secret->key, KEY_TIMING));
  }
  if (right) result->state = WB_RIGHT;
  wb_text lost = {0}; /* words for an error that it lost there */
  if (right && !swept) right = wb_reach_run(&runner, wb_random_key(run->secret->key, KEY_REACH), &lost);
  if (result->timed) wb_judge_time(run, result, &runner.inputs);
  seconds->timing = lap(&since);
  finish(&runner);
  wb_timing_close(&runner);
  if (!swept) count_wrong(&runner);
  if (result->state == WB_RIGHT && !swept) fail_apart(&runner);
  if (!swept) wb_capabilities_run(&runner, wb_random_key(run->secret->key, KEY_CAPABILITIES));
  if (!swept) wb_without_run(&runner, wb_random_key(run->secret->key, KEY_WITHOUT));
  if (result->state == WB_RIGHT && !result->sized)
    wb_processes_run(&runner, wb_random_key(run->secret->key, KEY_PROCESSES));
  if (lost.size > 0 && !result->failures.wrong) {
    result->failures.wrong = true;
    wb_text_add(&result->failures.message, "%s", wb_text_get(&lost));
  }
  wb_text_free(&lost);
  if (result->state == WB_WRONG) probe(&runner);
  if (has_fingerprint(result)) wb_fingerprint_run(&runner);
  note_host_leak(result);
  seconds->failures = lap(&since);
  if (result->state == WB_RIGHT && on_gpu() && !swept) trace_apart(&runner);
  seconds->timeline += lap(&since);
  if (result->state == WB_RIGHT && !swept)
    wb_baseline_run(&runner, wb_random_key(run->secret->key, KEY_BASELINE));
  seconds->baseline = lap(&since);
  wb_arena_close(&runner.arena);
}
