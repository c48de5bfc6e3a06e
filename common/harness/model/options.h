/* model/options.h: the command-line options of a lesson's program. */
#ifndef WB_OPTIONS_H
#define WB_OPTIONS_H

#include "model/sizes.h"
#include "model/sweep.h"

typedef struct wb_options {
  const wb_task *task; /* only this one; NULL: all */
  bool by_number;      /* task was given by its number: all of that number, if no size is given */
  int size_count;      /* numbers given by --size; 0: none */
  wb_size size;
  wb_sweep sweep;
  bool has_seed;
  uint64_t seed;
  int reps;   /* rounds of timing; 0: until the figures settle */
  bool turns; /* standard input says which tasks */
  bool once, no_timing, as_rank, json, csv, list, probe, help;
  const char *output, *image; /* files to write, or NULL; borrowed from argv */
} wb_options;

/* Reads argv into *options. Returns false with a sentence in `error` (which argument is wrong, and what to
 * write) when they make no sense for this lesson. */
bool wb_options_parse(int argc, char **argv, const wb_lesson *lesson, wb_options *options, char *error,
                      size_t error_size);

/* Whether --task lets a task run. */
bool wb_options_include(const wb_options *options, const wb_task *task);

/* The text of --help; `program` is argv[0]. Print it to standard output. */
void wb_options_help(const char *program, const wb_lesson *lesson);

/* The tasks as --list prints them: number, name, sizes, what it is. */
void wb_options_list(const wb_lesson *lesson);

/* The size that --size means for a task. Numbers that were not given come from the task's timed size, or
 * else from its largest declared size. */
wb_size wb_options_size(const wb_options *options, const wb_task *task);

#endif
