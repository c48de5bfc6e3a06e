/*
 * A block: its threads take turns on one thread of the operating system.
 *
 * A fiber runs the launch's loop over threads (include/cucc/launch.h). As long as no thread waits, one fiber
 * runs them all and nothing is switched. A thread that waits keeps its fiber; a fresh one goes on with the
 * threads that have not started. When a thread that waited returns, its fiber goes on with the next unstarted
 * thread, or is free again.
 *
 *   fiber 1:  thread 0 ... __syncthreads | ........ thread 0 goes on ... returns, free
 *   fiber 2:            thread 1 ... __syncthreads | ..... thread 1 goes on ...
 *
 * Deadlocks are detected: when no thread can go on and not all are at the barrier, the block is stopped and
 * reported.
 */
#include "blocks/block.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/fibers.h"
#include "base/occupancy.h"
#include "base/switch.h"
#include "state/launch_record.h"
#include "state/sanitize.h"
#include "state/worker.h"
#include "checker/epochs.h"
#include "checker/sync.h"
#include "checker/turn.h"
#include "blocks/faults.h"
#include "blocks/grid.h"
#include "blocks/phases.h"
#include "blocks/warp.h"

void *cucc_dynamic_shared(void) { return cucc_shared; }

int cucc_on_device(void);
int cucc_on_device(void) { return cucc_worker != NULL; }

static inline void become(struct worker *w, int thread) {
  w->current = thread;
  cucc_self.thread_idx = w->index_of[thread];
  cucc_row_last = cucc_self.thread_idx.x;
  w->threads[thread].wait = RUNNING;
  check_thread_resumes(w);
}

static inline void stand_on(struct worker *w, struct fiber *f) {
  w->fiber = f;
  check_fiber_resumes(f);
}

/* The next thread of the block begins, on the running fiber. */
static inline void begin_thread(struct worker *w) {
  const int thread = thread_at(w, w->started++);
  w->threads[thread].acquired = 0;
  w->threads[thread].at_end = w->threads[thread].left = false;
  cucc_patience = PATIENCE;
  become(w, thread);
  if (!CUCC_CHECKED && w->forward && !w->warps_meet) cucc_row_last = cucc_self.block_dim.x - 1;
}

/* A thread that waited goes on, on its own fiber; returns where. */
static inline struct context *resume_thread(struct worker *w, int thread) {
  cucc_patience = UNLIKELY(w->threads[thread].wait == SPINNING) ? PATIENCE_SPINNING : PATIENCE;
  stand_on(w, w->threads[thread].fiber);
  become(w, thread);
  return &w->fiber->context;
}

static inline void end_thread(struct worker *w) {
  w->threads[w->current].wait = ENDED;
  w->ended++;
  w->idle_turns = 0;
  check_thread_ends(w);
  if (UNLIKELY(w->warps_meet)) warp_lane_ended(w, w->current);
}

/* The launch was stopped in a way that lets no thread of its blocks go on. */
static bool block_stopped(const struct worker *w) {
  const cudaError_t error = __atomic_load_n(&w->launch->error, __ATOMIC_RELAXED);
  return UNLIKELY(error) && (error == cudaErrorLaunchTimeout || error == cudaErrorLaunchOutOfResources);
}

static __attribute__((noinline)) int next_row(void) {
  struct worker *w = cucc_worker;
  block_settle(w);
  end_thread(w);
  if (UNLIKELY(w->started == w->count) || block_stopped(w)) return 0;
  begin_thread(w);
  return 1;
}

int cucc_next_thread(void) {
  if (cucc_self.thread_idx.x == cucc_row_last) return next_row();
  cucc_self.thread_idx.x++;
  cucc_patience = PATIENCE;
  return 1;
}

/* They become the ready ones, in the order in which they came. */
static void release_barrier(struct worker *w) {
  int *const list = w->ready;
  w->ready = w->arrived;
  w->ready_at = 0;
  w->ready_end = (unsigned)w->arrived_count;
  w->result_count = w->predicates;
  w->result_all = w->predicates == w->arrived_count;
  w->arrived = list;
  w->arrived_count = 0;
  w->predicates = 0;
  w->at_grid = 0;
  w->idle_turns = 0;
}

/* All live threads are at the barrier. False when it is the grid's and not all blocks can come. */
static bool pass_barrier(struct worker *w) {
  check_barrier(w);
  if (w->at_grid && !grid_meet(w)) return false;
  release_barrier(w);
  return true;
}

/* Ends all threads of the block but the running one, wherever they are. */
static void end_block(struct worker *w) {
  for (int t = 0; t < w->count; t++)
    if (w->threads[t].wait != RUNNING && w->threads[t].wait != ENDED) {
      w->threads[t].wait = ENDED;
      w->threads[t].fiber->context.sp = NULL;
      fiber_give(&w->free_fibers, w->threads[t].fiber);
    }
  w->started = w->ended = w->count;
  w->ready_at = w->ready_end = 0;
  w->at_phase = 0;
  w->arrived_count = 0;
}

/* Threads wait for each other in ways that cannot end. The hardware hangs; here the block ends. After another
 * fault it may be that of a thread that was stopped. */
static void give_up(struct worker *w) {
  if (!w->launch->error || (!w->at_grid && !w->at_phase)) check_deadlock(w);
  launch_stop(w->launch, cudaErrorLaunchTimeout);
  end_block(w);
}

/* The next thread of the block begins on a fiber of its own. */
bool block_begin_fresh(struct worker *w) {
  struct fiber *f = fiber_take(&w->free_fibers);
  if (f && !f->context.sp) {
    stack_cleared(f);
    context_make(&f->context, f->high, f->high - f->low);
  }
  if (f) {
    stand_on(w, f);
    begin_thread(w);
  } else {
    fprintf(stderr, "cucc: no memory for the stacks of a block of %d threads\n", w->count);
    launch_stop(w->launch, cudaErrorLaunchOutOfResources);
  }
  return f != NULL;
}

/* The stack of the thread after the next one is asked for early: there are more stacks than the fastest cache
 * holds, and the first thing done on one is to take a return address from it. */
static inline struct context *resume_next(struct worker *w) {
  const int thread = w->ready[w->ready_at++ % MAX_THREADS];
  if (LIKELY(w->ready_at != w->ready_end)) {
    const char *const sp = w->threads[w->ready[w->ready_at % MAX_THREADS]].fiber->context.sp;
    for (int line = 0; line < 4; line++) __builtin_prefetch(sp + (size_t)line * 64);
  }
  return resume_thread(w, thread);
}

/* Where to go from a context that cannot go on: a fiber whose thread is ready, a fresh one, or the worker
 * itself. */
struct context *block_choose(struct worker *w) {
  for (;;) {
    if (block_stopped(w)) end_block(w);
    if (w->ready_at != w->ready_end) return resume_next(w);
    if (w->started < w->count) {
      if (block_begin_fresh(w)) return &w->fiber->context;
      continue;
    }
    if (warps_answer(w) || phases_settle(w)) continue;
    const int live = w->count - w->ended;
    if (live == 0) return &w->main;
    if (w->arrived_count != live || !pass_barrier(w)) give_up(w);
  }
}

/* The same for a thread that waits, where another one is ready as a rule. */
static inline struct context *choose_soon(struct worker *w) {
  return LIKELY(w->ready_at != w->ready_end) && !block_stopped(w) ? resume_next(w) : block_choose(w);
}

void context_main(struct context *left) {
  struct worker *const w = cucc_worker;
  stack_entered(w, NULL, left);
  for (;;) {
    struct fiber *const self = w->fiber;
    w->launch->run(w->launch->closure);
    fiber_give(&w->free_fibers, self);
    struct context *const to = block_choose(w);
    block_jump(w, &self->context, to);
  }
}

static inline __attribute__((always_inline)) void wait_here(struct worker *w, enum wait wait,
                                                            uintptr_t site) {
  block_settle(w);
  const int self = w->current;
  struct fiber *const f = w->fiber;
  struct thread *const t = &w->threads[self];
  struct context nowhere;
  t->fiber = f;
  t->site = site;
  t->wait = wait;
  check_thread_leaves();
  if (wait == AT_BARRIER) w->arrived[w->arrived_count++] = self;
  struct context *const to = choose_soon(w);
  if (t->wait != RUNNING) /* it was not itself chosen; and if it was given up, no thread may come back */
    block_jump(w, t->wait == ENDED ? &nowhere : &f->context, to);
}

void block_wait(struct worker *w, enum wait wait, uintptr_t site) { wait_here(w, wait, site); }

void block_abandon(struct worker *w) {
  struct fiber *const f = w->fiber;
  struct context nowhere;
  block_settle(w);
  end_thread(w);
  f->context.sp = NULL;
  struct context *const to = block_choose(w); /* before the fiber is given back: it is still under our feet */
  fiber_give(&w->free_fibers, f);
  stack_left(w, NULL, to);
  context_switch(&nowhere, to);
  abort();
}

/* ------------------------------------------------------------------------------------------------ a block */

static void table_of_indices(struct worker *w, uint3 shape) {
  if (w->shape.x == shape.x && w->shape.y == shape.y && w->shape.z == shape.z) return;
  int n = 0;
  for (unsigned z = 0; z < shape.z; z++)
    for (unsigned y = 0; y < shape.y; y++)
      for (unsigned x = 0; x < shape.x; x++) w->index_of[n++] = (uint3){x, y, z};
  w->shape = shape;
}

/* A signal took the running thread off its fiber (faults.c): this is the worker's own stack. */
static void end_faulty(struct worker *w) {
  struct fiber *const f = w->fiber;
  block_settle(w);
  faults_report(w);
  launch_stop(w->launch, cudaErrorIllegalAddress);
  end_thread(w);
  f->context.sp = NULL;
  fiber_give(&w->free_fibers, f);
}

void block_run(struct worker *w, uint64_t block) {
  const struct launch *l = w->launch;
  table_of_indices(w, l->block);
  w->block = block;
  w->count = l->threads;
  w->forward = l->thread_step == 1 && l->thread_offset == 0;
  w->started = w->ended = 0;
  w->ready_at = w->ready_end = 0;
  w->arrived_count = w->predicates = w->at_grid = 0;
  w->idle_turns = w->at_phase = 0;
  cucc_self.block_dim = l->block;
  cucc_self.grid_dim = l->grid;
  cucc_self.block_idx = (uint3){(unsigned)(block % l->grid.x), (unsigned)(block / l->grid.x % l->grid.y),
                                (unsigned)(block / l->grid.x / l->grid.y)};
  w->warps_meet = w->mixed = false;
  w->asking = 0;
  check_block_begins(w);
  for (struct context *to; (to = block_choose(w)) != &w->main;) {
    block_jump(w, &w->main, to);
    if (!w->fault.signal) break;
    end_faulty(w);
  }
}

/* ----------------------------------------------------------------------------------------------- barriers */

static inline __attribute__((always_inline)) void barrier(uintptr_t site, bool predicate, unsigned number) {
  struct worker *w = cucc_worker;
  w->predicates += predicate;
  w->threads[w->current].barrier = number;
  wait_here(w, AT_BARRIER, site);
}

static SWITCHED void __syncthreads_at(unsigned number, uintptr_t site) { barrier(site, false, number); }

static SWITCHED int __syncthreads_count_at(int predicate, unsigned number, uintptr_t site) {
  barrier(site, predicate != 0, number);
  return cucc_worker->result_count;
}

static SWITCHED int __syncthreads_and_at(int predicate, unsigned number, uintptr_t site) {
  barrier(site, predicate != 0, number);
  return cucc_worker->result_all;
}

static SWITCHED int __syncthreads_or_at(int predicate, unsigned number, uintptr_t site) {
  barrier(site, predicate != 0, number);
  return cucc_worker->result_count > 0;
}

SWITCHING(void, __syncthreads, (unsigned number), (number, CALLER), "rsi")
SWITCHING(int, __syncthreads_count, (int predicate, unsigned number), (predicate, number, CALLER), "rdx")
SWITCHING(int, __syncthreads_and, (int predicate, unsigned number), (predicate, number, CALLER), "rdx")
SWITCHING(int, __syncthreads_or, (int predicate, unsigned number), (predicate, number, CALLER), "rdx")

/* ------------------------------------------------------------------------------- what the rewriter marks */

void cucc_kernel_end(void);
int cucc_leaves(void);

void cucc_kernel_end(void) { cucc_worker->threads[cucc_worker->current].at_end = true; }

int cucc_leaves(void) {
  if (cucc_worker) cucc_worker->threads[cucc_worker->current].left = true;
  return 0;
}
