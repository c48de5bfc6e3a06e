/* model/sizes.h: the sizes at which a task is tested. */
#ifndef WB_SIZES_H
#define WB_SIZES_H

#include "wb.h"
#include <stdbool.h>

typedef struct wb_size_list {
  wb_size *list; /* owned; wb_sizes_free */
  size_t count;
  bool has_large; /* the last one is the task's `large` */
} wb_size_list;

/*
 * The declared sizes in their order; then one random size, each of its numbers between the smallest and the
 * largest that are declared and a multiple of wb_task.step, their product at most the largest declared product,
 * and its arrays at most four times as long as those of the longest declared case (none when all declared
 * numbers are equal, or no such size is found in 64 attempts); then `large` where with_large and the task has
 * one. Same seed, same size.
 */
wb_size_list wb_sizes(const wb_task *task, uint64_t seed, bool with_large);

void wb_sizes_free(wb_size_list *sizes);

/* How many sizes a task has: the words of its `dims`. */
int wb_dims(const wb_task *task);

/* Whether any number of the size isn't 0. All zeros in wb_task.timed, large or trace mean "none". */
bool wb_size_given(const wb_size *size);

#endif
