/* run/reach.c: see run/reach.h. */
#include "run/reach.h"
#include "base/progress.h"
#include "device/device.h"
#include "model/sizes.h"
#include "run/asked.h"
#include "run/case.h"
#include <string.h>

#define AFFORDABLE     ((size_t)1 << 26) /* elements of a case that takes some seconds */
#define A_PAGE         4096              /* elements by which wb_device_reached may be wrong, and more */
#define LONGEST_ARRAY  (((size_t)1 << 24) + 2 * A_PAGE) /* past the end of 65535 blocks of 256 threads */
#define A_FEW          16                /* elements that a wrong number of blocks leaves out */
#define EXACT_IN_FLOAT ((size_t)1 << 24) /* all numbers below it are */
#define MOST_BYTES     ((size_t)1 << 29) /* of a case that takes no second */

static bool ask(wb_runner *runner, int fail, wb_reply *reply) {
  wb_request request = {.verb = WB_DO_REACH, .size = runner->inputs.size, .fail = fail};
  runner->worker.limit_s = wb_worker_limit() / 20;
  memcpy(request.param, runner->inputs.param, sizeof request.param);
  return wb_worker_ask(&runner->worker, &request, reply, NULL) == WB_ANSWERED && !reply->figures.wait_error;
}

/* No right function asks for more memory than there seems to be then. */
static bool refused(const wb_reply *reply) {
  return reply->figures.status && reply->origin.known &&
         (strcmp(reply->name, "cudaErrorInvalidValue") == 0 ||
          strcmp(reply->name, "cudaErrorMemoryAllocation") == 0 ||
          strcmp(reply->name, "cudaErrorInvalidConfiguration") == 0);
}

/* `launches` were made without a failure. As many with one, and it has tried again. */
static void try_failure(wb_runner *runner, size_t launches, wb_text *lost) {
  wb_reply reply;
  const wb_call_figures *f = &reply.figures;
  if (launches < 2 || strncmp(runner->worker.channel->failing[0], "cudaLaunchKernel", 17) != 0) return;
  if (!ask(runner, 1, &reply) || !f->injected || f->status || f->launched.launches >= launches) return;
  wb_text_add(lost, "with ");
  for (const char *p = runner->task->dims; *p; p++) wb_text_add(lost, *p == ' ' ? " x " : "%c", *p);
  wb_text_add(
      lost,
      " = %s: when the first of its %zu launches failed%s%s%s, it returned success: the error of each launch "
      "has to be kept",
      wb_text_size(runner->inputs.size.n, wb_dims(runner->task)), launches, reply.origin.place[0] ? " (" : "",
      reply.origin.place, reply.origin.place[0] ? ")" : "");
}

/* The size with a smaller array. What is as large as it, a chunk for example, shrinks with it. */
static wb_size shortened(const wb_task *task, const wb_size *size, size_t from, size_t to) {
  wb_size result = *size;
  for (int d = 0; d < wb_dims(task); d++)
    if (size->n[d] == from) result.n[d] = to;
  return result;
}

/* Where no kernel touches the end of an array, the case is run that has just some elements more than they do touch:
 * a grid that ends there is wrong, and the few blocks that ran may have been others. */
static bool past_its_end(wb_runner *runner, size_t reached, size_t of, uint64_t key) {
  wb_layout layout;
  wb_case_result c = {.size = shortened(runner->task, &runner->inputs.size, of, reached + A_PAGE)};
  if (reached > AFFORDABLE || !wb_arena_layout(runner->task, &c.size, &layout) ||
      layout.end > runner->arena.bytes)
    return true;
  runner->worker.limit_s = wb_worker_limit();
  wb_progress("%s: %s", runner->task->name, wb_text_size(c.size.n, wb_dims(runner->task)));
  if (wb_case_run(runner, &c, key, 0)) return true;
  wb_text_free(&runner->result->cause);
  wb_text_add(&runner->result->cause,
              "No kernel touches what comes after the first %zu elements or so: is the number of blocks "
              "limited, and does no "
              "loop take the rest?\n",
              reached);
  return false;
}

wb_size wb_reach_past(const wb_task *task) {
  wb_size size = task->reach[0];
  size_t most = 0;
  wb_layout layout;
  for (int d = 0; d < wb_dims(task); d++)
    if (size.n[d] > most) most = size.n[d];
  if (most < LONGEST_ARRAY) return (wb_size){{0}};
  size = shortened(task, &size, most, LONGEST_ARRAY);
  return wb_arena_layout(task, &size, &layout) && layout.end <= MOST_BYTES ? size : (wb_size){{0}};
}

wb_size wb_reach_whole(const wb_task *task) {
  wb_layout layout;
  for (size_t i = 0; i < WB_COUNT(task->reach) && wb_size_given(&task->reach[i]); i++)
    if (wb_arena_layout(task, &task->reach[i], &layout) && layout.end <= MOST_BYTES) return task->reach[i];
  return (wb_size){{0}};
}

/* Whether all threads of a launch, with up to 16 elements each, are too few for n elements: by a few, where a
 * number of blocks was computed in float, which has no 2^24 + 1; or by more, where it was cut to what y and z
 * allow (*cut). */
static bool ends_short(const wb_launched *launched, size_t n, bool *cut) {
  if (n < EXACT_IN_FLOAT) return false;
  for (size_t i = 0; i < launched->shapes && i < WB_MOST_SHAPES; i++) {
    const unsigned *g = launched->shape[i].grid, *b = launched->shape[i].block;
    const size_t threads = (size_t)g[0] * g[1] * g[2] * b[0] * b[1] * b[2];
    for (size_t each = 1; each <= 16 && each * threads < n; each++) {
      *cut = n - each * threads >= A_FEW;
      if (!*cut || g[0] == WB_MOST_IN_Y || g[0] == WB_MOST_IN_Y + 1) return true;
    }
  }
  return false;
}

/* The threads may go through the elements in a loop: whether one is left out shows when the whole case is run. */
static bool to_the_end(wb_runner *runner, const wb_launched *launched, uint64_t key) {
  const wb_size *size = &runner->inputs.size;
  wb_layout layout;
  wb_case_result c = {.size = *size};
  bool cut;
  if (!ends_short(launched, size->n[0], &cut) || !wb_arena_layout(runner->task, size, &layout) ||
      layout.end > MOST_BYTES || layout.end > runner->arena.bytes)
    return true;
  runner->worker.limit_s = wb_worker_limit();
  if (wb_case_run(runner, &c, key, 0)) return true;
  if (cut)
    wb_text_add(
        &runner->result->message,
        ": the number of blocks is cut to %d, and no thread takes what is left. That limit is y's and "
        "z's: a grid may have 2147483647 blocks in x",
        WB_MOST_IN_Y);
  else
    wb_text_add(&runner->result->message, ": is a number of blocks computed in float, which has no %zu?",
                size->n[0]);
  return false;
}

bool wb_reach_run(wb_runner *runner, uint64_t key, wb_text *lost) {
  const wb_size *sizes = runner->task->reach;
  if (strcmp(wb_device_backend(), "cpu") != 0 || runner->result->sized) return true;
  for (size_t i = 0; i < WB_COUNT(runner->task->reach) && wb_size_given(&sizes[i]); i++) {
    wb_reply reply;
    runner->inputs.size = sizes[i];
    if (!ask(runner, 0, &reply)) return true;
    if (refused(&reply) || reply.complaint[0]) return wb_runner_accept(runner, &reply);
    if (reply.figures.status) continue;
    if (reply.reached && !past_its_end(runner, reply.reached, reply.reached_of, key)) return false;
    if (!to_the_end(runner, &reply.figures.launched, key)) return false;
    if (!runner->task->given_calls) wb_asked_judge(runner, &reply);
    if (lost->size == 0) try_failure(runner, reply.figures.launched.launches, lost);
  }
  return true;
}
