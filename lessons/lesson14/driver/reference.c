/* reference.c: see reference.h. */
#include "reference.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

/* The reference of the most recent case. The first thread that asks for it computes it, while the others wait;
 * the harness checks one case at a time. */
typedef struct reference {
  const void *made_by; /* NULL: there is none yet */
  wb_size size;
  double param[WB_MAX_PARAMS]; /* random, new for every call: they distinguish the cases of one size */
  net_numbers numbers;
} reference;

static bool is_of(const reference *r, const wb_case *c, make_reference *make) {
  return r->made_by == (const void *)make && memcmp(&r->size, &c->size, sizeof r->size) == 0 &&
         memcmp(r->param, c->param, sizeof r->param) == 0;
}

/* Each thread takes the lock only once for a case. A copy in `seen` never outlives its memory: the harness
 * creates new threads for each check, and the calling thread, which stays, takes part in every check. */
static const net_numbers *reference_of(const wb_case *c, make_reference *make) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static reference last;
  static _Thread_local reference seen;
  if (is_of(&seen, c, make)) return &seen.numbers;
  pthread_mutex_lock(&lock);
  if (!is_of(&last, c, make)) {
    numbers_free(&last.numbers);
    last = (reference){(const void *)make, c->size, {0}, make(c)};
    memcpy(last.param, c->param, sizeof last.param);
  }
  seen = last;
  pthread_mutex_unlock(&lock);
  return &seen.numbers;
}

wb_expected reference_number(const wb_case *c, make_reference *make, size_t i) {
  const net_numbers *n = reference_of(c, make);
  return (wb_expected){.value = n->value[i], .tolerance = n->error[i]};
}
