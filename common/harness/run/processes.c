/* run/processes.c: see run/processes.h. */
#include "run/processes.h"
#include "base/progress.h"
#include "device/device.h"
#include "model/random.h"
#include "model/sizes.h"
#include "worker/channel.h"
#include "worker/seats.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define SMALL ((size_t)1 << 16) /* bytes of a case */

/* The ranks of a case, and `all`, to which the parts of their answers go. */
typedef struct group {
  int ranks;
  wb_runner all, rank[WB_MOST_RANKS];
  wb_task_result all_result, result[WB_MOST_RANKS];
  wb_reply reply[WB_MOST_RANKS];
} group;

static bool make_room(wb_runner *runner, const wb_size *size) {
  wb_layout layout;
  return wb_arena_layout(runner->task, size, &layout) && wb_arena_open(&runner->arena, layout.end);
}

/* A worker for each rank. Returns false when the machine has no room or no processes for them. */
static bool open_ranks(group *g, const wb_size *size) {
  wb_seats seats;
  bool open = make_room(&g->all, size);
  if (!open || !wb_seats_open(&seats, g->ranks)) return false;
  for (int r = 0; r < g->ranks && open; r++) {
    wb_seats_take(&seats, r);
    open = make_room(&g->rank[r], size) && wb_runner_open(&g->rank[r], 0);
  }
  wb_seats_take(NULL, 0);
  wb_seats_close(&seats);
  return open;
}

static bool call_ranks(group *g, const wb_size *size, uint64_t key) {
  bool right = true;
  for (int r = 0; r < g->ranks && right; r++)
    right = wb_runner_fill(&g->rank[r], size, key) && wb_runner_begin(&g->rank[r], -1, WB_FILL, 0);
  for (int r = 0; r < g->ranks && right; r++)
    right = wb_runner_end(&g->rank[r], WB_RELEASE, &g->reply[r], NULL) &&
            wb_runner_accept(&g->rank[r], &g->reply[r]);
  return right;
}

/* Each rank's part of the outputs. */
static void collect(group *g) {
  const wb_task *task = g->all.task;
  for (int a = 0; a < g->all.layout.arrays; a++) {
    const size_t element = wb_type_bytes(task->arrays[a].type);
    for (int r = 0; r < g->ranks && task->arrays[a].role != WB_IN; r++) {
      size_t first, end;
      task->part_of_rank(&g->all.inputs, a, r, &first, &end);
      memcpy((char *)g->all.got[a] + first * element, (char *)g->rank[r].got[a] + first * element,
             (end - first) * element);
    }
  }
}

static void end_ranks(group *g) {
  for (int r = 0; r < g->ranks; r++) {
    wb_worker_stop(&g->rank[r].worker);
    wb_worker_free(&g->rank[r].worker);
    wb_arena_close(&g->rank[r].arena);
  }
  wb_arena_close(&g->all.arena);
}

/* The first of them that says what is wrong. */
static const wb_task_result *fault_of(const group *g) {
  for (int r = 0; r < g->ranks; r++)
    if (g->result[r].message.size > 0) return &g->result[r];
  return &g->all_result;
}

/* Those of the rank that says what is wrong, in the place of the task's own. */
static void keep_findings(const group *g, ptrdiff_t rank, wb_task_result *result) {
  const wb_channel *channel = g->rank[rank].worker.channel;
  char *findings = channel ? wb_channel_findings(channel) : NULL;
  if (!findings || strcmp(findings, "[]") == 0) {
    free(findings);
    return;
  }
  free(result->findings);
  result->findings = findings;
}

static void free_texts(wb_task_result *result) {
  wb_text_free(&result->message);
  wb_text_free(&result->cause);
  wb_text_free(&result->detail);
}

static void set_up(wb_runner *one, wb_task_result *result, const wb_runner *runner) {
  result->task = runner->task;
  one->run = runner->run;
  one->task = runner->task;
  one->result = result;
}

static bool run_case(const wb_runner *runner, const wb_size *size, int ranks, uint64_t key) {
  wb_task_result *result = runner->result;
  group *g = calloc(1, sizeof *g);
  wb_verdict verdict;
  if (!g) return true;
  g->ranks = ranks;
  set_up(&g->all, &g->all_result, runner);
  for (int r = 0; r < ranks; r++) set_up(&g->rank[r], &g->result[r], runner);
  const bool open = open_ranks(g, size);
  bool right = !open || (call_ranks(g, size, key) && wb_runner_fill(&g->all, size, key));
  if (open && right) {
    collect(g);
    right = wb_runner_verify(&g->all, 0, key, "", &verdict);
  }
  const wb_task_result *fault = right ? NULL : fault_of(g);
  if (fault && fault != &g->all_result) keep_findings(g, fault - g->result, result);
  end_ranks(g);
  if (!right) {
    result->state = fault->state;
    wb_text_add(&result->message,
                "%s (each of the %d ranks is a process of its own, as on a cluster, and sees no variable of "
                "another one)",
                wb_text_get(&fault->message), ranks);
    wb_text_add(&result->detail, "%s", wb_text_get(&fault->detail));
  }
  free_texts(&g->all_result);
  for (int r = 0; r < ranks; r++) free_texts(&g->result[r]);
  free(g);
  return right;
}

/* The largest small case of so many ranks that ran. */
static const wb_case_result *case_of(const wb_runner *runner, int ranks) {
  const wb_case_result *found = NULL;
  size_t most = 0;
  for (size_t i = 0; i < runner->result->case_count; i++) {
    const wb_case_result *c = &runner->result->cases[i];
    const wb_case probe = {.size = c->size};
    const size_t bytes = wb_case_bytes(&probe);
    if (c->note[0] || runner->task->devices(&probe) != ranks || bytes > SMALL || bytes <= most) continue;
    most = bytes;
    found = c;
  }
  return found;
}

bool wb_processes_run(const wb_runner *runner, uint64_t key) {
  if (!runner->task->part_of_rank || !wb_device_has_ranks()) return true;
  for (int ranks = 1; ranks <= WB_MOST_RANKS; ranks++) {
    const wb_case_result *c = case_of(runner, ranks);
    if (!c) continue;
    wb_progress("%s: %s, processes", runner->task->name, wb_text_size(c->size.n, wb_dims(runner->task)));
    if (!run_case(runner, &c->size, ranks, wb_random_key(key, (uint64_t)ranks))) return false;
  }
  return true;
}
