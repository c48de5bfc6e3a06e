/*
 * model/arena.h: the memory in which arrays go between parent and worker.
 *
 * Each task has one shared mapping. It is made before the fork and is large enough for the task's largest
 * case. It holds the arrays of the current case. Each has pages of its own, between pages that the worker
 * can't access:
 *
 *     no access | guard a ......... | no access | guard b ......... | no access
 *
 * Most sizes have their arrays at the end of their pages, so that a read of the next element faults at once;
 * every fourth size has them at the start, for reads before the array. The rest of an array's pages holds
 * guard bytes: a write there changes one, and the parent sees that. So an array in host memory is aligned for
 * its elements, and for nothing larger, as the lessons' headers promise.
 *
 * The parent keeps a second, private mapping of the same layout, which a forked child doesn't get: the true
 * inputs.
 */
#ifndef WB_ARENA_H
#define WB_ARENA_H

#include "base/page.h"
#include "base/text.h"
#include "wb.h"
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wb_arena {
  char *shared, *own; /* own: the parent's copies; NULL in --once, where there is one process */
  size_t bytes;
} wb_arena;

#define WB_PERIOD                                                                                            \
  ((WB_PAGE == 4096 ? 4099 : 257) * WB_PAGE) /* of the repeated arrays of a large case: model/large.h */
#define WB_TAIL ((size_t)4 << 20)

/* Where the arrays of one case lie. */
typedef struct wb_layout {
  int arrays;
  size_t count[WB_MAX_ARRAYS], bytes[WB_MAX_ARRAYS];
  size_t offset[WB_MAX_ARRAYS], pages[WB_MAX_ARRAYS]; /* of the array, and of the first of its pages */
  bool large;                                         /* a case of gigabytes: model/large.h */
  size_t
      head[WB_MAX_ARRAYS]; /* bytes at the start of a repeated array that have memory of their own; else 0 */
  size_t memory;           /* bytes of memory that all arrays take */
  size_t end;              /* the end of the last page without access */
} wb_layout;

/* An access outside an array: which one is nearest, on which side, and how many bytes away (from 1). */
typedef struct wb_overrun {
  int array;
  bool before, writes;
  size_t distance;
} wb_overrun;

/* The layout of a task's arrays at a size. Returns false when it exceeds what a size_t can count. */
bool wb_arena_layout(const wb_task *task, const wb_size *size, wb_layout *layout);

/* Makes the mappings; memory is taken only as it is touched. Returns false when the system refuses. */
bool wb_arena_open(wb_arena *arena, size_t bytes);
void wb_arena_close(wb_arena *arena);

/* Writes the guard bytes around the arrays of a layout. */
void wb_arena_guard(const wb_arena *arena, const wb_layout *layout);

/* Whether all guard bytes are unchanged; if not, what was overrun. */
bool wb_arena_guards_whole(const wb_arena *arena, const wb_layout *layout, wb_overrun *overrun);

/* Describes an access at an offset of the shared mapping. Returns false if that is in an array, or near none.
 * Leaves `writes` to the caller. */
bool wb_arena_overrun(const wb_layout *layout, size_t offset, wb_overrun *overrun);

/* "read past the end of x: x[16], but it has 16 elements" */
void wb_arena_add_overrun(const wb_task *task, const wb_layout *layout, const wb_overrun *overrun,
                          wb_text *text);

/* Bytes of all arrays of a case of the current task, which wb_task_run sets here before it forks the
 * worker. */
size_t wb_case_bytes(const wb_case *c);
extern const wb_task *wb_task_at_hand;

/* In the worker: takes the access to the pages around the arrays away, or gives it back. If the program has
 * the address sanitizer, it reports an access to guard bytes, too. */
void wb_arena_forbid_guards(const wb_arena *arena, const wb_layout *layout, bool yes);

#ifdef __cplusplus
}
#endif
#endif
