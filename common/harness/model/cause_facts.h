/* model/cause_facts.h: the wrong elements of an array, for model/cause.c. */
#ifndef WB_CAUSE_FACTS_H
#define WB_CAUSE_FACTS_H

#include "model/check.h"

typedef struct facts {
  const wb_task *task;
  const wb_case *inputs;
  const wb_pattern *pattern;
  int array;        /* its number */
  const char *name; /* and its name */
  const void *got;  /* its elements as they are */
  wb_type type;
  size_t count;
  double *is, *want, *tolerance; /* of each element */
  size_t *wrong, wrongs;         /* the places of the wrong elements, in order */
  size_t written;                /* how many of these have a value that was not there before */
  bool *rest;                    /* wb_verdict.rest */
} facts;

/* Fills in the facts of the first wrong array. Returns false, with nothing allocated, where they are not to be
 * had: see model/cause.h. wb_cause_forget frees them. */
bool wb_cause_facts(const wb_task *task, const wb_case *inputs, void *const *got, wb_verdict *verdict,
                    facts *f);
void wb_cause_forget(facts *f);

/* Whether element i may be `value`, but for rounding. */
bool wb_alike(const facts *f, size_t i, double value);

/* The name of size d of a task, in `name`. */
const char *wb_cause_dimension(const wb_task *task, int d, char *name, size_t size);

/* Whether the array holds integers. Those below WB_LARGE_WHOLE may agree by chance. */
#define WB_LARGE_WHOLE 65536
bool wb_is_whole(const facts *f);

/* "third", "quarter", "8th", for one of so many parts. */
const char *wb_cause_ordinal(int parts);

#endif
