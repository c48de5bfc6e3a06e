/* A worker, the thread of the operating system that runs blocks, and what it knows of its block. */
#include "state/worker.h"

#include "base/occupancy.h"

__thread int cucc_patience = PATIENCE;
__thread unsigned cucc_row_last;

__thread struct cucc_self cucc_self;
/* Its parts, as include/cucc/kernel.h declares them to g++. */
#define PART(name, offset)                                                                                   \
  __asm__(".globl " #name "\n.type " #name ", %tls_object\n.set " #name ", cucc_self + " #offset "\n")
PART(cucc_thread_idx, 0);
PART(cucc_block_idx, 12);
PART(cucc_block_dim, 24);
PART(cucc_grid_dim, 36);
/* Dynamic shared memory. Thread-local like the static one, so that the checker finds both in one place. Arrays
   at file scope name it (rewrite/emit_declared.c). */
__thread unsigned char cucc_shared[SHARED_MAX] __attribute__((aligned(128)));

void block_account(struct worker *w) {
  const int ran = (int)(cucc_self.thread_idx.x - w->index_of[w->current].x);
  for (int i = 0; i < ran; i++) w->threads[w->current++].wait = ENDED;
  w->threads[w->current].wait = RUNNING;
  w->started += ran;
  w->ended += ran;
  w->idle_turns = 0;
}

__thread struct worker *cucc_worker;

/* The first such call of a block: which lanes are there? Until then no account is kept. */
void warps_begin(struct worker *w) {
  w->warps_meet = true;
  for (int i = 0; i * 32 < w->count; i++) {
    const int lanes = w->count - i * 32;
    w->warps[i].lanes = lanes >= 32 ? 0xffffffffu : (1u << lanes) - 1;
    w->warps[i].waiting = w->warps[i].asking = 0;
  }
  for (int n = 0; n < w->started; n++) {
    const int thread = thread_at(w, n);
    if (w->threads[thread].wait == ENDED) w->warps[thread / 32].lanes &= ~(1u << thread % 32);
  }
}
