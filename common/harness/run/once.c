/* run/once.c: see run/once.h. */
#include "run/once.h"
#include "model/large.h"
#include "model/random.h"
#include "model/sizes.h"
#include "device/host_info.h"
#include "worker/serve.h"
#include "run/case.h"
#include <stdio.h>
#include <stdlib.h>

/* Carries out a request in this process and returns its error. */
static int step(wb_server *server, wb_request *request, wb_verb verb, int flags, wb_reply *reply) {
  request->verb = verb;
  request->flags = flags;
  wb_serve(server, request, reply);
  return reply->error;
}

static bool call_once(wb_runner *runner, wb_server *server, const wb_size *size) {
  const uint64_t key = runner->run->secret->key;
  if (!wb_runner_fill(runner, size, key)) return false;
  wb_request request = {.callee = -1, .size = *size};
  for (int p = 0; p < WB_MAX_PARAMS; p++) request.param[p] = runner->inputs.param[p];
  wb_reply call, other;
  if (step(server, &request, WB_DO_PREPARE, WB_FILL, &other)) {
    wb_runner_fail(runner, WB_ERROR, "the arrays can't be put in place: %s: %s", other.name, other.text);
    return false;
  }
  step(server, &request, WB_DO_CALL, 0, &call);
  const bool copied =
      step(server, &request, WB_DO_FINISH, call.figures.wait_error ? WB_NO_COPY : 0, &other) == 0;
  if (!copied && !call.figures.wait_error) {
    wb_runner_fail(runner, WB_ERROR, "after the call the device no longer works: %s: %s", other.name,
                   other.text);
    return false;
  }
  wb_case_result result = {.size = *size};
  const bool right = wb_case_judge(runner, &result, &call, key);
  step(server, &request, WB_DO_FINISH, WB_NO_COPY | WB_RELEASE, &other);
  return right;
}

int wb_once(const wb_results *run, wb_task_result *result) {
  const wb_task *task = result->task;
  wb_runner runner = {.run = run, .task = task, .result = result};
  wb_task_at_hand = task;
  /* Checkers and profilers are slow. The size of the timeline, if there is one, is small enough for them. */
  const bool traced = !result->sized && wb_size_given(&task->trace);
  const wb_size size = traced          ? task->trace
                       : result->sized ? result->size
                                       : wb_options_size(run->options, task);
  wb_layout layout;
  if (!wb_arena_layout(task, &size, &layout) || layout.memory > wb_host_free_bytes() / 2 ||
      !wb_arena_open(&runner.arena, layout.end) || !wb_large_map(&runner.arena, task, &layout)) {
    fprintf(stderr, "%s: %s needs more memory than there is; --size takes a smaller one\n", task->name,
            wb_text_size(size.n, wb_dims(task)));
    return 3;
  }
  wb_channel *channel = calloc(1, sizeof *channel);
  wb_server server = {.task = task, .arena = &runner.arena, .channel = channel};
  wb_request open = {0};
  wb_reply reply;
  int status = 3;
  if (channel) step(&server, &open, WB_DO_OPEN, 0, &reply);
  if (channel && channel->opened) {
    const bool right = call_once(&runner, &server, &size);
    fflush(stdout);
    printf("%s\n", right ? "right" : wb_text_get(&result->message));
    if (right)
      printf("%s, size %s, seed 0x%llx\n", task->name, wb_text_size(size.n, wb_dims(task)),
             (unsigned long long)run->secret->seed);
    fputs(wb_text_get(&result->cause), stdout);
    fputs(wb_text_get(&result->detail), stdout);
    status = right ? 0 : 1;
  } else if (channel) {
    fprintf(stderr, "could not run here (%s): %s\n", channel->refusal.reason, channel->refusal.message);
  }
  free(channel);
  wb_arena_close(&runner.arena);
  return status;
}
