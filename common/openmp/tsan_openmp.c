/*
 * tsan_openmp.c: lets the thread sanitizer see how OpenMP orders threads.
 *
 * gcc's libgomp is not compiled with -fsanitize=thread and synchronises by futexes, which the sanitizer
 * can't see. So the sanitizer finds races everywhere in a correct program: the first thread seems to read,
 * without waiting, what another thread of the team wrote before the join.
 *
 * This file wraps each function of libgomp that orders threads (the linker's --wrap, listed in
 * tsan_openmp.wrap). A thread that leaves releases a token, and a thread that arrives acquires it. That
 * follows the OpenMP specification of flushes at these places and adds nothing, so a shared loop variable
 * or a missing reduction is still a race.
 *
 * Handled: parallel, for and sections with any schedule, barrier, single (also copyprivate), critical,
 * atomic, ordered, locks, task, taskwait, taskgroup, taskloop without a reduction. Not handled: target,
 * doacross. Needs gcc 9 or later.
 *
 * Only the learner's file and this one are compiled for the sanitizer.
 */
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* From the sanitizer's runtime (sanitizer/tsan_interface.h, and tsan_debugging.cpp for reports). */
extern void __tsan_acquire(void *token);
extern void __tsan_release(void *token);
extern int __tsan_get_report_data(void *report, const char **description, int *count, int *stack_count,
                                  int *mop_count, int *loc_count, int *mutex_count, int *thread_count,
                                  int *unique_tid_count, void **sleep_trace, unsigned long trace_size);
extern int __tsan_get_report_mop(void *report, unsigned long index, int *tid, void **address, int *size,
                                 int *write, int *atomic, void **trace, unsigned long trace_size);
extern void __sanitizer_symbolize_pc(void *pc, const char *format, char *to, size_t size);

/* No function in this file is instrumented. */
#define QUIET __attribute__((no_sanitize("thread")))

/* A token for each way in which the threads of a team wait for each other. */
typedef struct region {
  void (*body)(void *);
  void *data;
  long long fork, join, barrier[2], single, ordered, tasks;
} region;

static region outside; /* for code outside every parallel region */
static __thread region *current;
/* Barriers alternate between two tokens: no thread passes the next but one before all have left this one. */
static __thread unsigned barriers;

static region *here(void) { return current ? current : &outside; }

/* ---- parallel: fork and join ---- */

QUIET static void enter(void *argument) {
  region *r = argument, *outer = current;
  const unsigned outer_barriers = barriers;
  current = r;
  barriers = 0;
  __tsan_acquire(&r->fork);
  r->body(r->data);
  __tsan_release(&r->join);
  current = outer;
  barriers = outer_barriers;
}

QUIET static void leave(region *r) {
  __tsan_acquire(&r->join);
  __tsan_acquire(&r->tasks);
}

/* Wraps an entry void name(body, data, further parameters...). */
#define FORK(name, parameters, arguments)                                                                    \
  extern void __real_##name parameters;                                                                      \
  QUIET void __wrap_##name parameters {                                                                      \
    region r = {.body = body, .data = data};                                                                 \
    __tsan_release(&r.fork);                                                                                 \
    __real_##name arguments;                                                                                 \
    leave(&r);                                                                                               \
  }

FORK(GOMP_parallel, (void (*body)(void *), void *data, unsigned threads, unsigned flags),
     (enter, &r, threads, flags))
FORK(GOMP_parallel_sections,
     (void (*body)(void *), void *data, unsigned threads, unsigned count, unsigned flags),
     (enter, &r, threads, count, flags))

#define FORK_LOOP(schedule)                                                                                  \
  FORK(GOMP_parallel_loop_##schedule,                                                                        \
       (void (*body)(void *), void *data, unsigned threads, long start, long end, long step, long chunk,     \
        unsigned flags),                                                                                     \
       (enter, &r, threads, start, end, step, chunk, flags))
#define FORK_LOOP_RUNTIME(schedule)                                                                          \
  FORK(                                                                                                      \
      GOMP_parallel_loop_##schedule,                                                                         \
      (void (*body)(void *), void *data, unsigned threads, long start, long end, long step, unsigned flags), \
      (enter, &r, threads, start, end, step, flags))
FORK_LOOP(static)
FORK_LOOP(dynamic)
FORK_LOOP(guided)
FORK_LOOP(nonmonotonic_dynamic)
FORK_LOOP(nonmonotonic_guided)
FORK_LOOP_RUNTIME(runtime)
FORK_LOOP_RUNTIME(nonmonotonic_runtime)
FORK_LOOP_RUNTIME(maybe_nonmonotonic_runtime)

/* ---- barrier, and the ends of loops and sections that have one ---- */

#define BARRIER(name)                                                                                        \
  extern void __real_##name(void);                                                                           \
  QUIET void __wrap_##name(void) {                                                                           \
    region *r = here();                                                                                      \
    long long *token = &r->barrier[barriers++ % 2];                                                          \
    __tsan_release(token);                                                                                   \
    __real_##name();                                                                                         \
    __tsan_acquire(token);                                                                                   \
    __tsan_acquire(&r->tasks); /* a barrier runs the remaining tasks */                                      \
  }

BARRIER(GOMP_barrier)
BARRIER(GOMP_loop_end)
BARRIER(GOMP_sections_end)

/* ---- single with copyprivate: one thread hands a value to the others ---- */

extern void *__real_GOMP_single_copy_start(void);
extern void __real_GOMP_single_copy_end(void *data);

QUIET void *__wrap_GOMP_single_copy_start(void) {
  void *data = __real_GOMP_single_copy_start(); /* NULL: this thread runs the block; else it has waited */
  if (data) __tsan_acquire(&here()->single);
  return data;
}

QUIET void __wrap_GOMP_single_copy_end(void *data) {
  __tsan_release(&here()->single);
  __real_GOMP_single_copy_end(data);
}

/* ---- One at a time: critical, atomic, ordered, locks ---- */

#define ENTER(name, parameters, arguments, token)                                                            \
  extern void __real_##name parameters;                                                                      \
  QUIET void __wrap_##name parameters {                                                                      \
    __real_##name arguments;                                                                                 \
    __tsan_acquire(token);                                                                                   \
  }
#define LEAVE(name, parameters, arguments, token)                                                            \
  extern void __real_##name parameters;                                                                      \
  QUIET void __wrap_##name parameters {                                                                      \
    __tsan_release(token);                                                                                   \
    __real_##name arguments;                                                                                 \
  }

static long long critical, atomic;

ENTER(GOMP_critical_start, (void), (), &critical)
LEAVE(GOMP_critical_end, (void), (), &critical)
ENTER(GOMP_critical_name_start, (void **name), (name), name)
LEAVE(GOMP_critical_name_end, (void **name), (name), name)
ENTER(GOMP_atomic_start, (void), (), &atomic)
LEAVE(GOMP_atomic_end, (void), (), &atomic)
ENTER(GOMP_ordered_start, (void), (), &here()->ordered)
LEAVE(GOMP_ordered_end, (void), (), &here()->ordered)
ENTER(omp_set_lock, (omp_lock_t * lock), (lock), lock)
LEAVE(omp_unset_lock, (omp_lock_t * lock), (lock), lock)
ENTER(omp_set_nest_lock, (omp_nest_lock_t * lock), (lock), lock)
LEAVE(omp_unset_nest_lock, (omp_nest_lock_t * lock), (lock), lock)

extern int __real_omp_test_lock(omp_lock_t *lock);
QUIET int __wrap_omp_test_lock(omp_lock_t *lock) {
  const int held = __real_omp_test_lock(lock);
  if (held) __tsan_acquire(lock);
  return held;
}

/* ---- Tasks ---- */

/* A task with its arguments. libgomp copies the arguments when the task is created, so a copy here changes
 * nothing. */
typedef struct task {
  void (*body)(void *);
  region *region;
  long long made;
  void *arguments, *memory;
} task;

QUIET static void run_task(void *argument) {
  task *t = *(task **)argument;
  region *outer = current;
  current = t->region == &outside ? NULL : t->region;
  __tsan_acquire(&t->made);
  t->body(t->arguments);
  __tsan_release(&t->region->tasks);
  current = outer;
  free(t->memory);
  free(t);
}

#define TASK_PARAMETERS                                                                                      \
  void (*body)(void *), void *data, void (*copy)(void *, void *), long size, long align, bool deferred,      \
      unsigned flags, void **depend, int priority, void *detach
extern void __real_GOMP_task(TASK_PARAMETERS);

QUIET void __wrap_GOMP_task(TASK_PARAMETERS) {
  task *t = calloc(1, sizeof *t);
  char *memory = malloc((size_t)(size + align));
  if (!t || !memory) abort();
  *t = (task){.body = body, .region = here(), .memory = memory};
  t->arguments = align > 1 ? memory + (align - (long)((size_t)memory % (size_t)align)) % align : memory;
  if (copy)
    copy(t->arguments, data);
  else if (size)
    memcpy(t->arguments, data, (size_t)size);
  if (depend) __tsan_acquire(&t->region->tasks); /* after all earlier tasks: may hide a race, invents none */
  __tsan_release(&t->made);
  __real_GOMP_task(run_task, &t, NULL, sizeof t, _Alignof(task *), deferred, flags, depend, priority, detach);
}

#define TASKS_DONE(name)                                                                                     \
  extern void __real_##name(void);                                                                           \
  QUIET void __wrap_##name(void) {                                                                           \
    __real_##name();                                                                                         \
    __tsan_acquire(&here()->tasks);                                                                          \
  }
TASKS_DONE(GOMP_taskwait)
TASKS_DONE(GOMP_taskgroup_end)

/* A taskloop becomes tasks as above, in a taskgroup: each with its first iteration and the one after its last in
 * front of its arguments. The flags are libgomp's (include/gomp-constants.h). */
#define UP_LOOP       (1 << 8) /* of unsigned numbers: the step is positive */
#define GRAIN_SIZE    (1 << 9) /* `tasks` is a number of iterations */
#define IF_CLAUSE     (1 << 10)
#define NO_GROUP      (1 << 11)
#define HAS_REDUCTION (1 << 12)
#define FLAGS_OF_TASK 7 /* untied, final, mergeable */

extern void GOMP_taskgroup_start(void);

#define TASKLOOP(name, number, iterations)                                                                   \
  extern void __real_##name(void (*)(void *), void *, void (*)(void *, void *), long, long, unsigned,        \
                            unsigned long, int, number, number, number);                                     \
  QUIET void __wrap_##name(void (*body)(void *), void *data, void (*copy)(void *, void *), long size,        \
                           long align, unsigned flags, unsigned long tasks, int priority, number first,      \
                           number end, number step) {                                                        \
    if (copy || flags & HAS_REDUCTION) {                                                                     \
      __real_##name(body, data, copy, size, align, flags, tasks, priority, first, end, step);                \
      return;                                                                                                \
    }                                                                                                        \
    const unsigned long all = iterations, threads = (unsigned long)omp_get_num_threads();                    \
    const unsigned long many = flags & GRAIN_SIZE ? 0 : tasks ? tasks : threads;                             \
    const unsigned long each = many ? (all + many - 1) / many : tasks > 0 ? tasks : 1;                       \
    if (!(flags & NO_GROUP)) GOMP_taskgroup_start();                                                         \
    for (unsigned long done = 0; done < all; done += each) {                                                 \
      number *const bounds = data;                                                                           \
      bounds[0] = first + (number)done * step;                                                               \
      bounds[1] = done + each < all ? first + (number)(done + each) * step : end;                            \
      __wrap_GOMP_task(body, data, NULL, size, align, flags &IF_CLAUSE, flags &FLAGS_OF_TASK, NULL,          \
                       priority, NULL);                                                                      \
    }                                                                                                        \
    if (!(flags & NO_GROUP)) __wrap_GOMP_taskgroup_end();                                                    \
  }
TASKLOOP(GOMP_taskloop, long,
         step > 0 ? (first < end ? (unsigned long)((end - first + step - 1) / step) : 0)
                  : (first > end ? (unsigned long)((first - end - step - 1) / -step) : 0))
TASKLOOP(GOMP_taskloop_ull, unsigned long long,
         flags &UP_LOOP ? (first < end ? (end - first + step - 1) / step : 0)
                        : (first > end ? (first - end - step - 1) / -step : 0))

/* ---- Settings and report ---- */

/* The first race ends the worker: later reports are seldom useful. */
const char *__tsan_default_options(void) {
  return "halt_on_error=1:exitcode=66:report_thread_leaks=0:report_signal_unsafe=0:print_suppressions=0";
}

/* libgomp allocates and frees its own memory in an order that only libgomp knows. */
const char *__tsan_default_suppressions(void) { return "called_from_lib:libgomp.so\n"; }

/* A race needs two threads, whatever the number of cores. OMP_NUM_THREADS still counts. */
__attribute__((constructor)) static void several_threads(void) {
  if (!getenv("OMP_NUM_THREADS")) omp_set_num_threads(4);
}

/* After the sanitizer's own report: one plain line with the source line and the other one. */
QUIET void __tsan_on_report(void *report) {
  const char *description = NULL;
  int count, stacks, mops = 0, locations, mutexes, threads, ids;
  void *sleep[1];
  __tsan_get_report_data(report, &description, &count, &stacks, &mops, &locations, &mutexes, &threads, &ids,
                         sleep, 1);
  char place[2][256] = {"", ""};
  int writes[2] = {0, 0};
  for (int i = 0; i < mops && i < 2; i++) {
    int id, size, atomic_access;
    void *address, *trace[1] = {NULL};
    __tsan_get_report_mop(report, (unsigned long)i, &id, &address, &size, &writes[i], &atomic_access, trace,
                          1);
    if (trace[0]) __sanitizer_symbolize_pc(trace[0], "%s:%l", place[i], sizeof place[i]);
  }
  if (mops < 2 || !place[0][0] || !place[1][0]) return;
  const char *name[2];
  for (int i = 0; i < 2; i++) name[i] = strrchr(place[i], '/') ? strrchr(place[i], '/') + 1 : place[i];
  fprintf(stderr,
          "WARNING: ThreadSanitizer (race): race at %s: a thread %s a value that another thread %s at %s, "
          "without synchronisation between them\n",
          name[0], writes[0] ? "writes" : "reads", writes[1] ? "writes" : "reads", name[1]);
}
