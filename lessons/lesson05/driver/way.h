/* way.h: the way in which a function does its work. The CPU backend counts what it asks the device for; after
 * each call that is compared with what streams.h asks for, and a difference is noted with wb_not_as_asked. On a
 * GPU nothing is. */
#ifndef WAY_H
#define WAY_H

#include "wb.h"

/* Counts up to now; those of one call are the difference. */
typedef struct way {
  uint64_t waits, launch_streams, pageable_copies, copied_bytes;
} way;

way way_now(void);

/* Task 1: one wait for any number of chunks, and every element goes in and out. */
void way_judge_chunks(const wb_case *c, way before);

/* Task 2: as many streams as the caller asks for, or as many parts of d_work at least, where there are so many
 * chunks. To be called before anything else is done with d_work. */
void way_judge_streams(const wb_case *c, way before);

/* Task 3: no copy from or to pageable memory. */
void way_judge_batches(const wb_case *c, way before);

#endif
