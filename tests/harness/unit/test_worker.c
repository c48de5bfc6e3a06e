/* A worker that crashes, hangs, cheats or prints never harms the parent: common/harness/worker/worker.c,
 * base/process_tree.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/exit_status.h"
#include "worker/channel.h"
#include "worker/worker.h"

typedef enum {
  RIGHT,
  CRASH,
  LEAVE,
  HANG,
  CLOSE,
  FORGE,
  FORGE_AND_LEAVE,
  SHOUT,
  BREED,
  DIVIDE,
  ABORT,
  READ_PAST,
  WRITE_PAST,
  WORK
} deed;

static deed what;
static wb_arena arena;
static wb_worker worker;
static wb_reply reply;

/* A process that leaves its group and its parent, and keeps running. */
static void breed(void) {
  if (fork() == 0) {
    setsid();
    if (fork() == 0) sleep(600);
    sleep(600);
  }
}

/* Writes to every descriptor that isn't standard. */
static void forge(void) {
  wb_reply forged = {0};
  for (int fd = 3; fd < 1024; fd++)
    if (write(fd, &forged, sizeof forged) < 0) continue;
}

static int misbehave(const wb_case *c) {
  volatile int zero = 0;
  /* cmocka catches these; a learner's program doesn't. */
  const int caught[] = {SIGSEGV, SIGFPE, SIGABRT};
  for (size_t s = 0; s < WB_COUNT(caught) && what < READ_PAST; s++) signal(caught[s], SIG_DFL);
  switch (what) {
  case RIGHT:
    break;
  case CRASH:
    *(volatile int *)NULL = 1;
    break;
  case LEAVE:
    exit(0);
  case HANG:
    sleep(600);
    break;
  case CLOSE:
    for (int fd = 3; fd < 1024; fd++) close(fd);
    break;
  case FORGE:
    forge();
    break;
  case FORGE_AND_LEAVE:
    forge();
    _exit(0);
  case SHOUT:
    for (int i = 0; i < 40000; i++) printf("line %d of far too many\n", i);
    break;
  case BREED:
    breed();
    sleep(600);
    break;
  case DIVIDE:
    return 100 / zero; /* 1 / zero would become a comparison */
  case ABORT:
    abort();
  case READ_PAST:
    return (int)((volatile float *)wb_f32(c, 0))[c->size.n[0] + 1024];
  case WORK:
    while (clock() < 300 * (CLOCKS_PER_SEC / 1000)) {
    }
    break;
  case WRITE_PAST:
    ((volatile float *)wb_f32(c, 0))[c->size.n[0] + 1024] = 1;
    break;
  }
  wb_f32(c, 0)[0] = 1;
  return 7;
}

static size_t count_n(const wb_case *c) { return c->size.n[0]; }
static const wb_task task = {
    .name = "bad", .dims = "n", .arrays = {{"x", WB_OUT, WB_HOST, WB_F32, count_n}}, .call = misbehave};

static wb_outcome ask(wb_verb verb) {
  wb_request request = {.verb = verb, .callee = -1, .size = {{16}}};
  return wb_worker_ask(&worker, &request, &reply, NULL);
}

/* Starts a worker that will behave so, and sends requests up to the call. */
static void start(deed how, double limit_s) {
  what = how;
  assert_true(wb_arena_open(&arena, 64 * WB_PAGE));
  assert_true(wb_worker_start(&worker, &task, &arena, limit_s));
  assert_int_equal(ask(WB_DO_OPEN), WB_ANSWERED);
  assert_int_equal(ask(WB_DO_PREPARE), WB_ANSWERED);
}

static void stop(void) {
  wb_worker_stop(&worker);
  assert_int_equal(worker.pid, 0);
  wb_worker_free(&worker);
  wb_arena_close(&arena);
  assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child is left, not even a grandchild */
}

static void assert_death(const char *words) {
  wb_text text = {0};
  wb_exit_status(worker.status, &text);
  if (!strstr(wb_text_get(&text), words)) fail_msg("no \"%s\" in: %s", words, wb_text_get(&text));
  wb_text_free(&text);
}

static void a_good_worker_answers(void **state) {
  (void)state;
  start(RIGHT, 5);
  assert_int_equal(ask(WB_DO_CALL), WB_ANSWERED);
  assert_int_equal(reply.figures.status, 7);
  assert_true(reply.figures.wall_ms >= 0);
  wb_layout layout;
  assert_true(wb_arena_layout(&task, &(wb_size){{16}}, &layout));
  assert_float_equal(*(float *)(void *)(arena.shared + layout.offset[0]), 1, 0);
  assert_int_equal(wb_worker_stop(&worker), WB_ANSWERED);
  stop();
}

static void a_crash_is_reported_with_its_signal(void **state) {
  (void)state;
  const struct {
    deed how;
    const char *words;
  } deaths[] = {{CRASH, "segmentation fault (SIGSEGV)"},
#ifndef __aarch64__ /* whose quotient is 0 */
                {DIVIDE, "division by zero (SIGFPE)"},
#endif
                {ABORT, "SIGABRT"},
                {LEAVE, "ended the program (exit status 0)"}};
  for (size_t d = 0; d < WB_COUNT(deaths); d++) {
    start(deaths[d].how, 5);
    assert_int_equal(ask(WB_DO_CALL), WB_DIED);
    assert_death(deaths[d].words);
    assert_int_equal(ask(WB_DO_CALL), WB_DIED); /* and stays dead */
    stop();
  }
}

static void an_endless_call_is_stopped(void **state) {
  (void)state;
  start(HANG, 0.3);
  const double begin = wb_now_ms();
  assert_int_equal(ask(WB_DO_CALL), WB_TOO_SLOW);
  assert_true(wb_now_ms() - begin < 5000);
  stop();
}

/* Three processes use the worker's only core, so that 0.3 s of work take four times as long. */
static void a_call_without_a_processor_is_not_too_slow(void **state) {
  (void)state;
  cpu_set_t before, one;
  pid_t others[3];
  assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
  CPU_ZERO(&one);
  for (int core = 0; CPU_COUNT(&one) == 0; core++)
    if (CPU_ISSET(core, &before)) CPU_SET(core, &one);
  assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
  for (size_t i = 0; i < WB_COUNT(others); i++)
    if ((others[i] = fork()) == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      for (;;) {
      }
    }
  start(WORK, 1);
  assert_int_equal(ask(WB_DO_CALL), WB_ANSWERED);
  for (size_t i = 0; i < WB_COUNT(others); i++) {
    kill(others[i], SIGKILL);
    waitpid(others[i], NULL, 0);
  }
  sched_setaffinity(0, sizeof before, &before);
  stop();
}

static void processes_of_a_worker_end_with_it(void **state) {
  (void)state;
  start(BREED, 0.3);
  assert_int_equal(ask(WB_DO_CALL), WB_TOO_SLOW);
  stop();
}

static void a_closed_connection_is_not_an_answer(void **state) {
  (void)state;
  start(CLOSE, 5);
  assert_int_not_equal(ask(WB_DO_CALL), WB_ANSWERED);
  stop();
}

static void a_forged_reply_is_not_an_answer(void **state) {
  (void)state;
  start(FORGE, 5);
  assert_int_equal(ask(WB_DO_CALL), WB_NONSENSE);
  stop();
  start(FORGE_AND_LEAVE, 5);
  assert_int_not_equal(ask(WB_DO_CALL), WB_ANSWERED);
  stop();
}

static void output_is_kept_up_to_its_limit(void **state) {
  (void)state;
  start(SHOUT, 20);
  assert_int_equal(ask(WB_DO_CALL), WB_ANSWERED);
  wb_worker_stop(&worker);
  assert_int_equal(worker.printed.size, WB_OUTPUT_BYTES);
  assert_true(worker.printed_more);
  assert_memory_equal(worker.printed.data, "line 0 of far too many\nline 1 ", 30);
  stop();
}

/* ---- The guards around arrays ---- */

/* The first size whose array starts its pages (or ends them). */
static void lay_out(bool starts, wb_layout *layout) {
  size_t n = 1000;
  do assert_true(wb_arena_layout(&task, &(wb_size){{n++}}, layout));
  while ((layout->offset[0] % WB_PAGE == 0) != starts);
  wb_arena_guard(&arena, layout);
}

static void guards_show_which_array_was_overrun(void **state) {
  (void)state;
  wb_layout layout;
  wb_overrun overrun;
  assert_true(wb_arena_open(&arena, 64 * WB_PAGE));
  lay_out(true, &layout);
  assert_true(wb_arena_guards_whole(&arena, &layout, &overrun));
  arena.shared[layout.offset[0] + layout.bytes[0] + 3] = 0;
  assert_false(wb_arena_guards_whole(&arena, &layout, &overrun));
  assert_int_equal(overrun.array, 0);
  assert_false(overrun.before);
  assert_int_equal(overrun.distance, 4);
  lay_out(false, &layout);
  assert_true(wb_arena_guards_whole(&arena, &layout, &overrun));
  arena.shared[layout.offset[0] - 1] = 0;
  assert_false(wb_arena_guards_whole(&arena, &layout, &overrun));
  assert_true(overrun.before);
  wb_arena_close(&arena);
}

/* At sizes that end their pages and at sizes that start them. */
static void an_access_past_the_pages_is_noted(void **state) {
  (void)state;
  int ends = 0, starts = 0;
  for (size_t n = 1024; n < 1024 + 64; n++) {
    wb_layout layout;
    wb_overrun overrun;
    assert_true(wb_arena_layout(&task, &(wb_size){{n}}, &layout));
    assert_int_equal(layout.offset[0] % 4, 0);
    const size_t from = layout.offset[0], to = from + layout.bytes[0];
    ends += to % WB_PAGE == 0;
    starts += from % WB_PAGE == 0;
    assert_false(wb_arena_overrun(&layout, to - 1, &overrun));
    assert_true(wb_arena_overrun(&layout, to, &overrun));
    assert_false(overrun.before);
    assert_int_equal(overrun.distance, 1);
    assert_true(wb_arena_overrun(&layout, from - 1, &overrun));
    assert_true(overrun.before);
    assert_int_equal(overrun.distance, 1);
  }
  assert_true(ends > 4 && starts > 1);
}

static void a_fault_next_to_an_array_is_noted(void **state) {
  (void)state;
  const struct {
    deed how;
    int writes;
  } tries[] = {{READ_PAST, 0}, {WRITE_PAST, 1}};
  for (size_t t = 0; t < WB_COUNT(tries); t++) {
    start(tries[t].how, 5);
    assert_int_equal(ask(WB_DO_CALL), WB_DIED);
    assert_death("segmentation fault (SIGSEGV)");
    wb_layout layout;
    wb_overrun overrun;
    assert_true(wb_arena_layout(&task, &(wb_size){{16}}, &layout));
    assert_int_equal(worker.channel->fault.seen, 1);
    assert_true(wb_arena_overrun(&layout, worker.channel->fault.offset, &overrun));
    assert_false(overrun.before);
    assert_int_equal(overrun.distance, 4096 + 1);
#if defined(__x86_64__) || defined(__aarch64__)
    assert_int_equal(worker.channel->fault.writes, tries[t].writes);
#endif
    stop();
  }
}

static void a_size_beyond_all_memory_has_no_layout(void **state) {
  (void)state;
  wb_layout layout;
  assert_false(wb_arena_layout(&task, &(wb_size){{SIZE_MAX / 2}}, &layout));
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  wb_worker_setup();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_good_worker_answers),
      cmocka_unit_test(a_crash_is_reported_with_its_signal),
      cmocka_unit_test(an_endless_call_is_stopped),
      cmocka_unit_test(a_call_without_a_processor_is_not_too_slow),
      cmocka_unit_test(processes_of_a_worker_end_with_it),
      cmocka_unit_test(a_closed_connection_is_not_an_answer),
      cmocka_unit_test(a_forged_reply_is_not_an_answer),
      cmocka_unit_test(output_is_kept_up_to_its_limit),
      cmocka_unit_test(guards_show_which_array_was_overrun),
      cmocka_unit_test(an_access_past_the_pages_is_noted),
      cmocka_unit_test(a_fault_next_to_an_array_is_noted),
      cmocka_unit_test(a_size_beyond_all_memory_has_no_layout),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
