#ifndef CUCC_ENGINE_ENGINE_H
#define CUCC_ENGINE_ENGINE_H

#include "base/base.h"

struct CUstream_st;
struct clock;
struct op;

/* Makes the engine's thread, unless there is one. With cucc.lock held; false: the system gives none. */
bool engine_start(void);
/* Both with cucc.lock held. Queues op (malloc'ed, now the engine's) in its stream. */
void engine_queue(struct op *op);
/* Adds what an operation that is asked of the stream now has to follow. */
void engine_join_order(struct clock *clock, const struct CUstream_st *s);
/* The host made a call: it is not idle. */
void engine_host_active(void);
/* Waits until everything in `target` has run, and notes that the host knows. */
void engine_wait(const struct clock *target);
/* True when all of `target` has run; polling makes the engine work. */
bool engine_reached(const struct clock *target);
/* The library's, or NULL: asked when a host waits, nothing can run and work is held. True: it never will, and
 * the device is given up. With cucc.lock held. */
extern bool (*work_stalled)(void);

#endif
