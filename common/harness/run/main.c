/*
 * run/main.c: a lesson's program from its options to its exit status; see wb.h and common/README.md. The
 * order: options (model/options.c); a worker that opens and describes the device (here); for each task a
 * worker of its own (run/task.c: cases, trace, times); the table and the files (report/).
 */
#include "wb.h"
#include "base/exit_status.h"
#include "base/json.h"
#include "base/progress.h"
#include "base/write.h"
#include "model/random.h"
#include "model/sizes.h"
#include "device/ceilings.h"
#include "device/device.h"
#include "worker/channel.h"
#include "worker/worker.h"
#include "report/csv.h"
#include "report/report.h"
#include "report/results_json.h"
#include "report/sweep_svg.h"
#include "report/sweep_table.h"
#include "report/timeline_svg.h"
#include "run/least.h"
#include "run/once.h"
#include "run/task.h"
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { OK = 0, SOMETHING_WRONG = 1, USAGE = 2, COULD_NOT_RUN = 3 };

/* Removes the seed from the command line and from the options, where a worker could read it. */
static void forget_seed(int argc, char **argv, wb_options *options) {
  options->seed = 0;
  for (int i = 1; i < argc; i++) {
    char *text = strncmp(argv[i], "--seed=", 7) == 0 ? argv[i] + 7
                 : strcmp(argv[i], "--seed") == 0    ? argv[i + 1]
                                                     : NULL;
    if (text) memset(text, '-', strlen(text));
  }
}

/* Not inlined, so that its part of the stack is overwritten in each worker (worker/worker.c). */
__attribute__((noinline)) static void make_key(wb_secret *secret, uint64_t place) {
  secret->key = wb_random_key(secret->seed, place); /* the same with --task and without */
}

__attribute__((noinline)) static wb_secret *make_secret(const wb_options *options) {
  wb_secret *secret = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (secret == MAP_FAILED) return NULL;
  madvise(secret, 4096, MADV_WIPEONFORK);
  secret->seed = options->has_seed ? options->seed : wb_random_seed();
  return secret;
}

/* Starts a short-lived worker that opens the device, describes it and measures its ceilings. False with a
 * refusal. */
static bool look_at_device(wb_results *run, wb_refusal *refusal) {
  wb_worker worker;
  wb_arena none = {0};
  wb_reply reply;
  *refusal = (wb_refusal){.reason = "other"};
  if (!wb_worker_start(&worker, NULL, &none, wb_worker_limit() + 60)) {
    snprintf(refusal->message, sizeof refusal->message, "no process could be started: %s", strerror(errno));
    return false;
  }
  wb_request request = {.verb = WB_DO_OPEN};
  const wb_outcome outcome = wb_worker_ask(&worker, &request, &reply, NULL);
  bool opened = false;
  if (outcome == WB_ANSWERED) {
    opened = wb_channel_device(worker.channel, &run->device, refusal);
    run->isolated = worker.channel->sandboxed != 0;
    request = (wb_request){.verb = WB_DO_CEILINGS, .needs = wb_needed_ceilings(run)};
    if (opened && request.needs && !run->timing_reason && !run->options->probe) {
      wb_progress("measuring the device's ceilings");
      if (wb_worker_ask(&worker, &request, &reply, NULL) == WB_ANSWERED)
        run->ceiling_count = wb_channel_ceilings(worker.channel, run->ceilings);
    }
  } else if (outcome == WB_TOO_SLOW) {
    snprintf(refusal->message, sizeof refusal->message, "the device didn't answer within %g s",
             worker.limit_s);
  } else {
    wb_text end = {0};
    if (outcome == WB_DIED) wb_exit_status(worker.status, &end);
    snprintf(refusal->message, sizeof refusal->message, "the process that opens the device %s: %.200s",
             outcome == WB_DIED ? wb_text_get(&end) : "was stopped", wb_text_get(&worker.printed));
    wb_text_free(&end);
  }
  wb_worker_stop(&worker);
  wb_worker_free(&worker);
  return opened;
}

static void list_task(wb_results *run, const wb_task *task) {
  const wb_options *options = run->options;
  const int place = wb_sweep_place(&options->sweep, task);
  if (options->sweep.count && place < 0) return;
  const int times = options->sweep.count ? options->sweep.count : 1;
  for (int i = 0; i < times; i++) {
    wb_task_result *result = &run->tasks[run->task_count++];
    result->task = task;
    result->sized = options->size_count || options->sweep.count;
    result->size = wb_options_size(options, task);
    if (options->sweep.count) result->size.n[place] = options->sweep.value[i];
  }
}

static bool list_tasks(wb_results *run) {
  run->tasks = calloc(run->lesson->task_count * WB_SWEEP_MOST + 1, sizeof *run->tasks);
  const wb_options *options = run->options;
  for (size_t t = 0; run->tasks && !options->turns && t < run->lesson->task_count; t++)
    if (wb_options_include(options, &run->lesson->tasks[t])) list_task(run, &run->lesson->tasks[t]);
  return run->tasks != NULL;
}

/* Lists the next of the tasks that standard input gives, a byte each. Programs that share it and run at the
 * same time take turns. False: there is none. */
static bool take_turn(wb_results *run) {
  char byte;
  while (run->options->turns && run->task_count < run->lesson->task_count &&
         read(STDIN_FILENO, &byte, 1) == 1) {
    const wb_task *task = run->lesson->tasks + (byte - '0');
    if (byte < '0' || task >= run->lesson->tasks + run->lesson->task_count) continue;
    list_task(run, task);
    return true;
  }
  return false;
}

static void run_tasks(wb_results *run, bool table) {
  for (size_t t = 0; (t < run->task_count || take_turn(run)) && !wb_interrupted; t++) {
    const size_t place = (size_t)(run->tasks[t].task - run->lesson->tasks);
    make_key(run->secret, place);
    wb_task_run(run, &run->tasks[t]);
    if (table && !wb_interrupted && (!run->options->sweep.count || run->tasks[t].state != WB_RIGHT))
      wb_report_task(run, &run->tasks[t]);
  }
  wb_progress_clear();
}

static bool write_file(const char *path, const wb_text *text) {
  if (wb_write_whole(path, wb_text_get(text))) return true;
  fprintf(stderr, "%s: %s\n", path, strerror(errno));
  return false;
}

static bool write_chart(const wb_results *run) {
  wb_text svg = {0};
  wb_sweep_svg(run, &svg);
  const bool written = !svg.size || write_file(run->options->image, &svg);
  if (!svg.size) fprintf(stderr, "%s: not drawn: nothing was timed here\n", run->options->image);
  wb_text_free(&svg);
  return written;
}

static bool write_image(const wb_results *run) {
  if (run->options->sweep.count) return write_chart(run);
  wb_panel *panels = calloc(run->task_count, sizeof *panels);
  size_t count = 0;
  for (size_t t = 0; panels && t < run->task_count; t++)
    if (run->tasks[t].timeline.source != WB_NO_TIMELINE)
      panels[count++] = (wb_panel){run->tasks[t].task->name, &run->tasks[t].timeline};
  bool written = true;
  if (count == 0) {
    fprintf(stderr, "%s: not drawn: no task has a timeline here\n", run->options->image);
  } else {
    wb_text heading = {0}, svg = {0};
    wb_text_add(&heading, "%s %s", run->lesson->name, run->lesson->title);
    wb_timeline_svg(panels, count, heading.data, run->device.name, &svg);
    written = write_file(run->options->image, &svg);
    wb_text_free(&heading);
    wb_text_free(&svg);
  }
  free(panels);
  return written;
}

/* The machine formats. Returns false when a file can't be written. */
static bool write_results(const wb_results *run) {
  const wb_options *options = run->options;
  wb_text text = {0};
  bool written = true;
  if (options->output || options->json) wb_results_json(run, &text);
  if (options->output) written = write_file(options->output, &text);
  if (options->json) fputs(wb_text_get(&text), stdout);
  wb_text_free(&text);
  if (options->csv) {
    wb_csv(run, &text);
    fputs(wb_text_get(&text), stdout);
    wb_text_free(&text);
  }
  if (options->image) written = write_image(run) && written;
  fflush(stdout);
  return written;
}

static int probe(const wb_results *run, bool usable, const wb_refusal *refusal) {
  wb_text text = {0};
  if (usable) {
    wb_device_json(&run->device, &text);
  } else {
    wb_json json = {.out = &text};
    wb_json_object(&json, NULL);
    wb_json_string(&json, "reason", refusal->reason);
    wb_json_string(&json, "message", refusal->message);
    wb_json_end(&json);
  }
  if (run->options->output)
    write_file(run->options->output, &text);
  else
    fputs(wb_text_get(&text), stdout);
  wb_text_free(&text);
  return usable ? OK : COULD_NOT_RUN;
}

static int run_lesson(wb_results *run) {
  const wb_options *options = run->options;
  wb_refusal refusal;
  const bool usable = look_at_device(run, &refusal);
  if (options->probe) return probe(run, usable, &refusal);
  wb_progress_clear();
  if (wb_interrupted) return 128 + wb_interrupted;
  if (!usable) {
    fprintf(stderr, "%s: could not run here (%s): %s\n", run->lesson->name, refusal.reason, refusal.message);
    return COULD_NOT_RUN;
  }
  const bool table = !options->json && !options->csv;
  if (table) wb_report_head(run);
  run_tasks(run, table);
  if (wb_interrupted) {
    fprintf(stderr, "\n%s: interrupted; nothing was written\n", run->lesson->name);
    return 128 + wb_interrupted;
  }
  if (table && options->sweep.count) wb_sweep_report(run);
  if (table) wb_report_foot(run);
  if (!write_results(run)) return COULD_NOT_RUN;
  const wb_state verdict = wb_results_verdict(run);
  return verdict == WB_RIGHT ? OK : verdict == WB_NOT_RUN ? COULD_NOT_RUN : SOMETHING_WRONG;
}

/* Whether the requested files can be written. Tested before the work, not after it. */
static bool files_possible(const wb_options *options) {
  const char *const files[] = {options->output, options->image};
  for (size_t f = 0; f < WB_COUNT(files); f++)
    if (files[f] && !wb_write_possible(files[f])) {
      fprintf(stderr, "%s: can't be written: %s\n", files[f], strerror(errno));
      return false;
    }
  return true;
}

static bool is_svg(const char *path) {
  const char *end = strrchr(path, '.');
  return end && strcmp(end, ".svg") == 0;
}

int wb_main(int argc, char **argv, const wb_lesson *lesson) {
  setlocale(LC_CTYPE, "");
  wb_options options;
  char error[512];
  if (!wb_options_parse(argc, argv, lesson, &options, error, sizeof error)) {
    fprintf(stderr, "%s\n", error);
    return USAGE;
  }
  if (options.help || options.list) {
    if (options.help)
      wb_options_help(argv[0], lesson);
    else
      wb_options_list(lesson);
    return OK;
  }
  if (!files_possible(&options)) return USAGE;
  if (options.as_rank) return lesson->as_rank(options.has_seed ? options.seed : wb_random_seed());
  wb_device_virtual(lesson->devices);
  if (options.image && lesson->picture && !is_svg(options.image))
    return lesson->picture(options.image, &options.size, options.size_count);

  wb_results run = {.lesson = lesson, .options = &options, .secret = make_secret(&options)};
  forget_seed(argc, argv, &options);
  if (!run.secret || !list_tasks(&run)) {
    fprintf(stderr, "%s: out of memory\n", lesson->name);
    return COULD_NOT_RUN;
  }
  const time_t now = time(NULL);
  struct tm utc;
  strftime(run.date, sizeof run.date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
  run.timing_reason = options.no_timing ? "--no-timing was given" : wb_device_no_timing();
  int status;
  if (options.once) {
    make_key(run.secret, (uint64_t)(run.tasks[0].task - lesson->tasks));
    status = wb_once(&run, &run.tasks[0]);
  } else {
    wb_worker_setup();
    status = run_lesson(&run);
  }
  wb_results_free(&run);
  return status;
}
