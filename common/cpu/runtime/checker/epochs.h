#ifndef CUCC_CHECKER_EPOCHS_H
#define CUCC_CHECKER_EPOCHS_H

#include "base/base.h"
#include "base/check.h"

struct op;
struct warp;
struct worker;

CHECK(void check_launch_begin(const struct op *op))
CHECK(void check_launch_end(const struct op *op))

CHECK(void check_worker_begin(struct worker *w))
CHECK(void check_worker_end(struct worker *w))
CHECK(void check_block_begins(struct worker *w))
CHECK(void check_worker_leaves(void))
CHECK(void check_warp_synchronised(struct worker *w, struct warp *warp))
/* What the running thread does from now on is stamped with a newer id than what it did. */
CHECK(void check_thread_released(struct worker *w))
/* A synchronisation of the grid: all blocks have come (said once, before any goes on); the running one goes
 * on. */
CHECK(void check_grid_met(void))
CHECK(void check_grid_passed(struct worker *w))
void epochs_barrier(struct worker *w);

#endif
