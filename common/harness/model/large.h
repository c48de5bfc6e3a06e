/*
 * model/large.h: the cases of gigabytes (wb_task.large, .huge), whose arrays need only megabytes of the
 * host's memory. Each array of more than four periods is mapped so, in the parent's own arena
 * and, where it is in host memory, in the one that it shares with the worker:
 *
 *     input                  | period | the same pages again | the same pages ... | tail |
 *     answer in host memory  | period | another period's pages, again and again   | tail |
 *
 * The device's arrays are whole. The worker copies one period there, doubles it until the array is full, and
 * copies the tail. The shared arena has no repeated pages for them. An answer comes back in windows, which are
 * chosen after the call; an answer in host memory is checked where its pages are its own. So a function that is wrong in one place in a million may pass
 * here: the other cases look at every element. A large case shows what goes wrong only at such sizes, as an
 * index in int: whole stretches are wrong then, not written or outside the array.
 *
 * A period has a prime number of pages: an index that lost its upper bits finds other values.
 */
#ifndef WB_LARGE_H
#define WB_LARGE_H

#include "model/arena.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WB_WINDOW  ((size_t)1 << 14) /* elements */
#define WB_WINDOWS 72

/* Some bytes of an array. */
typedef struct wb_span {
  size_t first, last;
} wb_span;

/* Maps the repeated arrays of a layout. Done before a worker is forked. Returns false when the system refuses. */
bool wb_large_map(const wb_arena *arena, const wb_task *task, const wb_layout *layout);

/* The spans of array a that have memory of their own: the whole array, or its start and its tail. Returns how
 * many: 1 or 2. */
int wb_large_spans(const wb_layout *layout, int a, wb_span span[2]);

/* The windows of a repeated array that are checked: at its ends, around 2^31 and 2^32 bytes, around 2^31
 * elements, and at random places by `key`. start[w] is the first of WB_WINDOW elements. Returns how many. */
int wb_large_windows(const wb_task *task, const wb_layout *layout, int a, uint64_t key,
                     size_t start[WB_WINDOWS]);

#ifdef __cplusplus
}
#endif
#endif
