/*
 * Synchronisation of a whole grid (cooperative_groups' grid.sync()). Each block of a cooperative launch runs
 * on a thread of the operating system of its own (pool.c), so a block may simply wait.
 *
 * The threads of a block first meet as at __syncthreads; then the block waits here for the others. When a
 * block has ended, or a thread of one, the others would wait forever, as they do on a GPU: the launch is
 * stopped and reported.
 */
#include "blocks/grid.h"

#include "state/launch_record.h"
#include "state/worker.h"
#include "checker/epochs.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static uint64_t blocks, waiting, meetings;
static bool hopeless; /* a block has ended, or the launch was stopped */

void grid_begin(const struct launch *launch) {
  blocks = launch->blocks;
  waiting = meetings = 0;
  hopeless = false;
}

bool grid_meet(struct worker *w) {
  if (w->ended || w->at_grid != w->count) return false;
  pthread_mutex_lock(&lock);
  const uint64_t mine = meetings;
  if (++waiting == blocks) {
    waiting = 0;
    meetings++;
    check_grid_met();
    pthread_cond_broadcast(&changed);
  } else
    while (meetings == mine && !hopeless) pthread_cond_wait(&changed, &lock);
  const bool met = meetings != mine;
  pthread_mutex_unlock(&lock);
  if (met) check_grid_passed(w);
  return met;
}

void grid_stop(void) {
  pthread_mutex_lock(&lock);
  hopeless = true;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}

void grid_block_ended(void) { grid_stop(); }

void launch_stop(struct launch *l, cudaError_t error) {
  cudaError_t none = cudaSuccess;
  __atomic_compare_exchange_n(&l->error, &none, error, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  if (l->flags & CUCC_COOPERATIVE) grid_stop();
}
