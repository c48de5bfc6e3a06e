/*
 * What the runtime tells the checker. In the fast build all of it vanishes.
 */
#ifndef CUCC_CHECK_H
#define CUCC_CHECK_H

#include "block.h"

struct work;
struct extent;

#if CUCC_CHECKED
#define CHECK(declaration) declaration;
#else
#define CHECK(declaration)                                                                                   \
  static inline declaration {}
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif

/* from host calls */
CHECK(void check_start(void))
CHECK(void check_bad_free(const char *call, uintptr_t address, enum space space, uintptr_t site))
CHECK(void check_allocated(uintptr_t address, size_t size))
CHECK(void check_freed(uintptr_t address, size_t size))
/* Memory of the device that holds values from the start. */
CHECK(void check_initialised(uintptr_t address, size_t size))
/* A copy (src NULL: a memset) that the call refused; wrong_way: the direction contradicts the pointers. */
CHECK(void check_bad_copy(const char *call, const void *dst, const void *src, size_t bytes, bool wrong_way,
                          uintptr_t site))
CHECK(void check_null_copy(const char *call, const char *side, size_t bytes, uintptr_t site))
/* A fill whose value is no byte. */
CHECK(void check_fill_value(const char *call, double value, uintptr_t site))
/* An allocation's call writes its result here. */
CHECK(void check_result(void **pointer, uintptr_t site))
/* Prefetching or advice for what is no managed memory. */
CHECK(void check_unmanaged(const char *call, const void *pointer, size_t bytes, uintptr_t site))
/* A launch that the device refused; the program asked for its last error; it ends. Only what was never asked
 * for is reported. */
CHECK(void check_bad_launch(const char *kernel, const char *reason, const char *cause, const char *file,
                            int line))
/* cudaEventElapsedTime knows a time, or the device has not come to the event: kept in the same way, and
 * forgotten when the same line gets a time after all. */
CHECK(void check_time(uintptr_t site, bool known))
CHECK(void check_error_seen(void))
CHECK(void check_program_ends(void))
/* An operation was queued; the host has waited for something more. With cucc.lock held. */
CHECK(void check_queued(const struct op *op))
CHECK(void check_host_waited(void))

/* A call that was refused because of a handle: "CALL is given …"; origin: where the handle was made or
 * destroyed (0: unknown). */
CHECK(void check_bad_handle(const char *call, const char *what, const char *cause, uintptr_t site,
                            uintptr_t origin))
/* A CUDA call within a function that a stream calls, which was given to the stream at `site`. */
CHECK(void check_callback_calls(const char *call, uintptr_t site))

/* from the engine */
CHECK(void check_copy(const struct op *op))
/* cudaFreeAsync is reached: whoever uses the memory must come before. */
CHECK(void check_free(const struct op *op))
CHECK(void check_launch_begin(const struct op *op))
CHECK(void check_launch_end(const struct op *op))
CHECK(void check_callback(const struct op *op))

/* from the work of libraries (work.c): it starts; it reads or writes what is there; what it would touch is
 * not all there (span: the bytes from the first to the last); a value for the host lies on the device */
CHECK(void check_work_begins(struct work *work))
CHECK(void check_work_touches(struct work *work, const struct extent *extent, bool writes))
CHECK(void check_bad_work(const struct work *work, const struct extent *extent, size_t span, bool writes))
CHECK(void check_device_value(const char *call, const char *name, const void *value, uintptr_t site))
/* A shared object with kernels was loaded */
CHECK(void check_module(void *handle))
CHECK(void check_library(enum tool tool, const char *sentence, uintptr_t site, uintptr_t other_site,
                         const void *buffer, const char *cause))

/* from the workers */
CHECK(void check_worker_begin(struct worker *w))
CHECK(void check_worker_end(struct worker *w))
CHECK(void check_block_begins(struct worker *w))
CHECK(void check_worker_leaves(void))
CHECK(void check_barrier(struct worker *w))
CHECK(void check_warp_synchronised(struct worker *w, struct warp *warp))
/* A lane of the running warp shuffles from a lane that is not there. */
CHECK(void check_absent_lane(struct worker *w, int thread, int source))
/* A lane calls a warp function with a mask that leaves out the lane itself. */
CHECK(void check_unnamed_lane(struct worker *w, int thread, uint32_t mask))
CHECK(void check_warp_met(struct worker *w, int warp, uint32_t group))
CHECK(void check_warp_acquired(struct worker *w, int warp, uint32_t group))
/* Which memory a fence orders: that of the block, or all. */
enum fence { FENCE_NONE, FENCE_BLOCK, FENCE_GRID };
CHECK(void check_fence(struct worker *w, enum fence fence))
CHECK(void check_deadlock(struct worker *w))
/* A synchronisation of the grid: all blocks have come (said once, before any goes on); the running one goes
 * on. */
CHECK(void check_grid_met(void))
CHECK(void check_grid_passed(struct worker *w))
/* The kernel was not launched as a cooperative one. */
CHECK(void check_grid_absent(struct worker *w, uintptr_t site))

#endif
