/*
 * model/arena.h: the memory in which arrays go between parent and worker.
 *
 * Each task has one shared mapping. It is made before the fork and is large enough for the task's largest
 * case. It holds the arrays of the current case, each at the start of a page and between pages of guard
 * bytes:
 *
 *     guard | a ......... guard | b ......... guard | c ....... guard
 *
 * A write past an array changes a guard, and the parent sees that. The parent keeps a second, private
 * mapping of the same layout, which a forked child doesn't get: the true inputs.
 */
#ifndef WB_ARENA_H
#define WB_ARENA_H

#include "wb.h"
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wb_arena {
  char *shared, *own; /* own: the parent's copies; NULL in --once, where there is one process */
  size_t bytes;
} wb_arena;

/* Where the arrays of one case lie. */
typedef struct wb_layout {
  int arrays;
  size_t count[WB_MAX_ARRAYS], bytes[WB_MAX_ARRAYS], offset[WB_MAX_ARRAYS];
  size_t end; /* the end of the last guard */
} wb_layout;

/* The layout of a task's arrays at a size. Returns false when it exceeds what a size_t can count. */
bool wb_arena_layout(const wb_task *task, const wb_size *size, wb_layout *layout);

/* Makes the mappings; memory is taken only as it is touched. Returns false when the system refuses. */
bool wb_arena_open(wb_arena *arena, size_t bytes);
void wb_arena_close(wb_arena *arena);

/* Gives the memory of all cases so far back to the system; the mappings stay. */
void wb_arena_empty(wb_arena *arena);

/* Writes the guards around the arrays of a layout. */
void wb_arena_guard(const wb_arena *arena, const wb_layout *layout);

/* Whether all guards are unchanged. If not: which array's end (or start: *before) was overrun, and the
 * distance of the nearest changed byte from it. */
bool wb_arena_guards_whole(const wb_arena *arena, const wb_layout *layout, int *array, bool *before,
                           size_t *distance);

/* Bytes of all arrays of a case of the current task, which wb_task_run sets here before it forks the
 * worker. */
size_t wb_case_bytes(const wb_case *c);
extern const wb_task *wb_task_at_hand;

/* In the worker: if the program has the address sanitizer, makes it report every access to a guard. */
void wb_arena_forbid_guards(const wb_arena *arena, const wb_layout *layout, bool forbid);

#ifdef __cplusplus
}
#endif
#endif
