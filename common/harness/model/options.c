/* model/options.c: the command line; see model/options.h. */
#include "model/options.h"
#include "base/text.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct parser {
  const wb_lesson *lesson;
  wb_options *options;
  char *error;
  size_t error_size;
} parser;

#define FAIL(parser, ...) (snprintf((parser)->error, (parser)->error_size, __VA_ARGS__), false)

static bool parse_size(parser *p, const char *text) {
  wb_options *options = p->options;
  options->size_count = 0;
  for (const char *at = text;;) {
    char *end;
    errno = 0;
    const unsigned long long n = strtoull(at, &end, 10);
    if (!isdigit((unsigned char)*at) || errno || (*end && *end != 'x') || options->size_count == WB_MAX_DIMS)
      return FAIL(
          p, "--size %s: expected whole numbers such as 1000003, or 128x64 where a task has two sizes", text);
    options->size.n[options->size_count++] = (size_t)n;
    if (!*end) return true;
    at = end + 1;
  }
}

static bool parse_sweep(parser *p, const char *text) {
  if (!wb_sweep_parse(text, &p->options->sweep))
    return FAIL(
        p,
        "--sweep %s: expected a size and its values, such as n=1024..1048576 (each twice the one before) or "
        "n=100,200,300; %d at most",
        text, WB_SWEEP_MOST);
  return true;
}

static bool parse_task(parser *p, const char *text) {
  char *end;
  const long number = strtol(text, &end, 10);
  const bool numeric = *text && !*end;
  for (size_t t = 0; t < p->lesson->task_count; t++) {
    const wb_task *task = &p->lesson->tasks[t];
    const bool further = task->number == 0 && strcmp(text, "further") == 0;
    if (further || strcmp(task->name, text) == 0 || (numeric && number == task->number)) {
      p->options->task = task;
      p->options->by_number = strcmp(task->name, text) != 0;
      return true;
    }
  }
  int used = snprintf(p->error, p->error_size, "--task %s: %s has the tasks", text, p->lesson->name);
  for (size_t t = 0; t < p->lesson->task_count && (size_t)used < p->error_size; t++)
    used += snprintf(p->error + used, p->error_size - (size_t)used, "%s %s (%d)", t ? "," : "",
                     p->lesson->tasks[t].name, p->lesson->tasks[t].number);
  return false;
}

bool wb_options_include(const wb_options *options, const wb_task *task) {
  const bool sized =
      options->size_count || options->sweep.count; /* tasks of one number may differ in sizes */
  return !options->task || options->task == task ||
         (options->by_number && !sized && options->task->number == task->number);
}

static bool parse_seed(parser *p, const char *text) {
  char *end;
  errno = 0;
  p->options->seed = strtoull(text, &end, 16);
  if (!isxdigit((unsigned char)*text) || *end || errno)
    return FAIL(p, "--seed %s: expected a hexadecimal number of at most 64 bits, as a run prints it", text);
  p->options->has_seed = true;
  return true;
}

/* The file is gone before any code of the learner's function runs; a command line can be read for ever. */
static bool parse_seed_file(parser *p, const char *text) {
  char line[32] = "";
  FILE *file = fopen(text, "r");
  const bool has_line = file && fgets(line, sizeof line, file);
  if (file) fclose(file);
  if (!has_line || unlink(text))
    return FAIL(p, "--seed-file %s: expected a file with a seed, which can be read and removed", text);
  line[strcspn(line, "\n")] = '\0';
  return parse_seed(p, line);
}

static bool parse_reps(parser *p, const char *text) {
  char *end;
  const long reps = strtol(text, &end, 10);
  if (!isdigit((unsigned char)*text) || *end || reps < 1 || reps > 1000)
    return FAIL(p, "--reps %s: expected a number from 1 to 1000", text);
  p->options->reps = (int)reps;
  return true;
}

static bool parse_output(parser *p, const char *text) {
  if (!*text) return FAIL(p, "--output: expected a file name");
  p->options->output = text;
  return true;
}

static bool parse_image(parser *p, const char *text) {
  if (!*text) return FAIL(p, "--image: expected a file name");
  p->options->image = text;
  return true;
}

static const struct {
  const char *name, *value, *help;
  size_t flag;                                /* without a value: the offset of its bool in wb_options */
  bool (*take)(parser *p, const char *value); /* with a value */
} table[] = {
    {"--task", "NAME|NUMBER", "only this task; 0 or further: the one that goes further", 0, parse_task},
    {"--size", "N[xN[xN]]", "this size instead of the task's own, for correctness and for time", 0,
     parse_size},
    {"--sweep", "DIM=A..B|A,B,C", "time a task at many values of one size; the image is a chart then", 0,
     parse_sweep},
    {"--turns", NULL, "standard input says which tasks: a digit each, 0 for the first, then : ; < and so on",
     offsetof(wb_options, turns), NULL},
    {"--seed", "HEX", "repeat the run that printed this seed", 0, parse_seed},
    {"--seed-file", "FILE", "the same; the seed is in FILE, which is removed", 0, parse_seed_file},
    {"--reps", "N", "rounds of timing (default: until the figure settles)", 0, parse_reps},
    {"--once", NULL, "one call of one task in this very process: for debuggers and profilers",
     offsetof(wb_options, once), NULL},
    {"--as-rank", NULL, "be one rank of a job: srun --ntasks=4 PROGRAM --as-rank",
     offsetof(wb_options, as_rank), NULL},
    {"--no-timing", NULL, "correctness only", offsetof(wb_options, no_timing), NULL},
    {"--json", NULL, "print the run as JSON instead of the table", offsetof(wb_options, json), NULL},
    {"--csv", NULL, "print the table as comma-separated values", offsetof(wb_options, csv), NULL},
    {"--output", "FILE", "also write the run as JSON to FILE", 0, parse_output},
    {"--image", "FILE.svg", "draw the timelines, or the sweep, into FILE.svg", 0, parse_image},
    {"--list", NULL, "the tasks", offsetof(wb_options, list), NULL},
    {"--probe", NULL, "only describe the device, as JSON (to --output, if given)",
     offsetof(wb_options, probe), NULL},
    {"--help", NULL, "this text", offsetof(wb_options, help), NULL},
};

/* Reads argument *i and its value, which is the next argument or the part after '='. */
static bool parse_one(parser *p, int argc, char **argv, int *i) {
  const char *argument = strcmp(argv[*i], "-h") == 0 ? "--help" : argv[*i];
  const char *equals = strchr(argument, '=');
  const size_t length = equals ? (size_t)(equals - argument) : strlen(argument);
  for (size_t o = 0; o < WB_COUNT(table); o++) {
    if (strlen(table[o].name) != length || strncmp(table[o].name, argument, length) != 0) continue;
    if (!table[o].take) {
      if (equals) return FAIL(p, "%s takes no value", table[o].name);
      *(bool *)((char *)p->options + table[o].flag) = true;
      return true;
    }
    if (!equals && *i + 1 == argc) return FAIL(p, "%s needs a value: %s", table[o].name, table[o].value);
    return table[o].take(p, equals ? equals + 1 : argv[++*i]);
  }
  return FAIL(p, "%s: no such option; --help lists them", argument);
}

/* Whether the chosen tasks have the sizes that --size and --sweep give. */
static bool sizes_fit(parser *p) {
  const wb_options *options = p->options;
  bool swept = false;
  for (size_t t = 0; t < p->lesson->task_count; t++) {
    const wb_task *task = &p->lesson->tasks[t];
    if (!wb_options_include(options, task)) continue;
    swept = swept || wb_sweep_place(&options->sweep, task) >= 0;
    if (options->size_count > wb_dims(task))
      return FAIL(p, "--size %s: %s has only %d (%s); pick a task with --task",
                  wb_text_size(options->size.n, options->size_count), task->name, wb_dims(task), task->dims);
  }
  if (!options->sweep.count || swept) return true;
  const wb_task *task = options->task ? options->task : p->lesson->tasks;
  return FAIL(p, "--sweep %s: no such size; %s has %s", options->sweep.dim, task->name, task->dims);
}

bool wb_options_parse(int argc, char **argv, const wb_lesson *lesson, wb_options *options, char *error,
                      size_t error_size) {
  *options = (wb_options){0};
  parser p = {lesson, options, error, error_size};
  for (int i = 1; i < argc; i++)
    if (!parse_one(&p, argc, argv, &i)) return false;
  if (options->json && options->csv) return FAIL(&p, "--json and --csv: standard output takes one of them");
  if (options->sweep.count && options->once) return FAIL(&p, "--once takes one size, --sweep many");
  if (options->as_rank && !lesson->as_rank) return FAIL(&p, "--as-rank: %s has no ranks", lesson->name);
  return sizes_fit(&p);
}

wb_size wb_options_size(const wb_options *options, const wb_task *task) {
  wb_size size = task->timed;
  if (size.n[0] == 0)
    for (size_t s = 0; s < task->size_count; s++)
      if (task->sizes[s].n[0] >= size.n[0]) size = task->sizes[s];
  for (int d = 0; d < options->size_count; d++) size.n[d] = options->size.n[d];
  return size;
}

void wb_options_help(const char *program, const wb_lesson *lesson) {
  printf("%s %s: tests and times your functions.\n\nusage: %s [options]\n", lesson->name, lesson->title,
         program);
  for (size_t o = 0; o < WB_COUNT(table); o++) {
    if (strcmp(table[o].name, "--as-rank") == 0 && !lesson->as_rank) continue;
    char left[40];
    snprintf(left, sizeof left, "%s %s", table[o].name, table[o].value ? table[o].value : "");
    printf("  %-22s %s\n", left, table[o].help);
  }
  if (lesson->picture)
    puts("  --image FILE.png       what your code computes, as a picture; sizes by --size");
  printf("\nIn the environment: WB_TIME_LIMIT=SECONDS, how long one call may take; WB_TIME_BUDGET=SECONDS, "
         "how long\n"
         "the timing of one task may take.\n"
         "Exit status: 0 all right, 1 something wrong, 2 usage, 3 could not run here.\n");
}

void wb_options_list(const wb_lesson *lesson) {
  for (size_t t = 0; t < lesson->task_count; t++) {
    const wb_task *task = &lesson->tasks[t];
    char label[16];
    snprintf(label, sizeof label, task->number ? "task %d" : "further", task->number);
    printf("%-22s %-8s (%s) %s\n", task->name, label, task->dims, task->what);
  }
}
