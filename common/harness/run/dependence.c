/* run/dependence.c: see run/dependence.h. Inputs are numbered: the elements of one array after the other. */
#include "run/dependence.h"
#include "base/clock.h"
#include "model/random.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_INPUTS 4096
#define MOST_CALLS  90
#define MOST_MS     3000 /* for all calls, and for all right answers */
#define SINGLES     16   /* elements that are tried one by one */

typedef struct probe {
  wb_runner *runner;
  int array;    /* of the watched element */
  size_t place; /* and its place there */
  double was, must_be_was;
  size_t inputs;
  unsigned char *needed; /* for each input: 1: the right answer depends on it */
  int calls, contents;
  double until; /* ms */
  bool failed;  /* a call did not return, or did something else each time */
} probe;

static wb_type type_of(const probe *p, int a) { return p->runner->task->arrays[a].type; }

/* The array and the place of input number k. */
static int locate(const probe *p, size_t k, size_t *place) {
  int a = 0;
  for (;; a++) {
    if (p->runner->task->arrays[a].role == WB_OUT) continue;
    if (k < p->runner->layout.count[a]) break;
    k -= p->runner->layout.count[a];
  }
  *place = k;
  return a;
}

/* Another value, so far from the first that a sum, a product and a maximum all change. */
static void change(wb_type type, void *at) {
  if (type == WB_F32)
    *(float *)at = isfinite(*(float *)at) ? 3 * *(float *)at + 1000 : 1000;
  else if (type == WB_F64)
    *(double *)at = isfinite(*(double *)at) ? 3 * *(double *)at + 1000 : 1000;
  else if (type == WB_U8)
    *(uint8_t *)at ^= 0x55;
  else
    *(uint32_t *)at = (*(uint32_t *)at ^ 0x15555555u) | 0x40000000u;
}

/* The next number of an array of places that is another one than number k. */
static void take_another(uint32_t *values, size_t count, size_t k) {
  for (size_t i = 1; i < count; i++)
    if (values[(k + i) % count] != values[k]) {
      values[k] = values[(k + i) % count];
      return;
    }
}

/* Changes the chosen inputs of the parent's own copies; `saved` has the content of before. */
static void change_chosen(probe *p, const unsigned char *chosen) {
  for (size_t k = 0; k < p->inputs; k++) {
    size_t place;
    if (!chosen[k]) continue;
    const int a = locate(p, k, &place);
    void *const values = p->runner->inputs.array[a];
    const wb_numbers numbers = p->runner->task->arrays[a].numbers;
    if (numbers == WB_ANY_NUMBER)
      change(type_of(p, a), (char *)values + place * wb_type_bytes(type_of(p, a)));
    if (numbers == WB_PLACES) take_another(values, p->runner->layout.count[a], place);
  }
  /* An oracle may keep what it made of a content, which it knows by this factor. It stays the same as a float. */
  p->runner->inputs.param[0] *= 1 + ldexp(++p->contents, -45);
}

/* Saves (or brings back) all inputs and factors. */
static void keep(probe *p, char *saved, double *param, bool back) {
  for (int a = 0; a < p->runner->layout.arrays; a++) {
    if (p->runner->task->arrays[a].role == WB_OUT) continue;
    const size_t bytes = p->runner->layout.bytes[a];
    if (back)
      memcpy(p->runner->inputs.array[a], saved, bytes);
    else
      memcpy(saved, p->runner->inputs.array[a], bytes);
    saved += bytes;
  }
  if (back)
    memcpy(p->runner->inputs.param, param, sizeof p->runner->inputs.param);
  else
    memcpy(param, p->runner->inputs.param, sizeof p->runner->inputs.param);
}

static bool differs(wb_type type, double a, double b) {
  if (isnan(a) || isnan(b)) return isnan(a) != isnan(b);
  if (isinf(a) || isinf(b)) return a != b;
  return type == WB_F32 || type == WB_F64 ? fabs(a - b) > 1e-4 * fmax(fabs(a), fabs(b)) : a != b;
}

/* Calls the function with its inputs as they are; the watched element's value. */
static double call(probe *p) {
  wb_runner *r = p->runner;
  wb_reply reply;
  for (int a = 0; a < r->layout.arrays; a++)
    if (r->task->arrays[a].role == WB_IN) memcpy(r->got[a], r->inputs.array[a], r->layout.bytes[a]);
  wb_runner_refill(r);
  p->failed = ++p->calls > MOST_CALLS || wb_now_ms() > p->until ||
              !wb_runner_call(r, -1, WB_FILL, 0, 0, &reply, NULL) || reply.figures.status ||
              reply.figures.wait_error;
  return p->failed ? NAN : wb_element(type_of(p, p->array), r->got[p->array], p->place);
}

enum { NEEDED = 1, USED = 2 };

/* Whether the watched element must change, and whether it does, if the chosen inputs change. */
static int effect(probe *p, const unsigned char *chosen, char *saved, int ask) {
  double param[WB_MAX_PARAMS];
  int seen = 0;
  keep(p, saved, param, false);
  change_chosen(p, chosen);
  const wb_type type = type_of(p, p->array);
  if (ask & NEEDED &&
      differs(type, p->runner->task->expect(&p->runner->inputs, p->array, p->place).value, p->must_be_was))
    seen |= NEEDED;
  if (ask & USED && differs(type, call(p), p->was)) seen |= USED;
  keep(p, saved, param, true);
  return seen;
}

static void choose(unsigned char *chosen, const probe *p, size_t first, size_t last, bool needed) {
  for (size_t k = 0; k < p->inputs; k++) chosen[k] = k >= first && k < last && p->needed[k] == needed;
}

static void add_input(const probe *p, size_t k, wb_text *text) {
  size_t place;
  const int a = locate(p, k, &place);
  size_t rows, cols;
  wb_shape(p->runner->task, &p->runner->inputs.size, p->runner->layout.count[a], &rows, &cols);
  /* The shape is a guess from the number of elements: it is shown only where it is the result's own. */
  if (rows > 1 && p->runner->layout.count[a] == p->runner->layout.count[p->array])
    wb_text_add(text, "%s[%zu][%zu]", p->runner->task->arrays[a].name, place / cols, place % cols);
  else
    wb_text_add(text, "%s[%zu]", p->runner->task->arrays[a].name, place);
}

/* Whether the input that is used is that many bytes further on in its array as the one that is needed is
 * elements: an offset was multiplied by the size of an element once too often. */
static bool in_bytes(const probe *p, size_t missing, size_t unwanted) {
  size_t needed, used;
  const int a = locate(p, missing, &needed), b = locate(p, unwanted, &used);
  return a == b && needed > 0 && used == needed * wb_type_bytes(type_of(p, a));
}

/* The first input on which the element depends and must not; p->inputs: none. */
static size_t first_unwanted(probe *p, unsigned char *chosen, char *saved) {
  size_t first = 0, last = p->inputs;
  choose(chosen, p, first, last, false);
  if (!(effect(p, chosen, saved, USED) & USED) || p->failed) return p->inputs;
  while (last - first > 1 && !p->failed) {
    const size_t half = first + (last - first) / 2;
    choose(chosen, p, first, half, false);
    if (effect(p, chosen, saved, USED) & USED)
      last = half;
    else
      first = half;
  }
  /* Inputs that do nothing each may do something together: then it is none of them. */
  choose(chosen, p, first, last, false);
  return !p->failed && effect(p, chosen, saved, NEEDED | USED) == USED && !p->failed ? first : p->inputs;
}

/* An input on which the element must depend and does not: the last, the first, or one of some between. */
static size_t first_missing(probe *p, unsigned char *chosen, char *saved, size_t needed) {
  const size_t step = needed > SINGLES ? needed / SINGLES : 1;
  size_t number = 0, last = 0;
  for (size_t k = 0; k < p->inputs; k++) last = p->needed[k] ? k : last;
  for (size_t k = 0; k < p->inputs && !p->failed; k++) {
    if (!p->needed[k] || (number++ % step && k != last)) continue;
    choose(chosen, p, k, k + 1, true);
    if (effect(p, chosen, saved, USED) == 0 && !p->failed) return k;
  }
  return p->inputs;
}

/* Finds on which inputs the right answer depends; returns how many. */
static size_t find_needed(probe *p, unsigned char *chosen, char *saved) {
  size_t needed = 0;
  for (size_t k = 0; k < p->inputs; k++) {
    if (wb_now_ms() > p->until) return 0;
    memset(chosen, 0, p->inputs);
    chosen[k] = 1;
    p->needed[k] = effect(p, chosen, saved, NEEDED) != 0;
    needed += p->needed[k];
  }
  return needed;
}

static void report(probe *p, unsigned char *chosen, char *saved, wb_text *text) {
  p->must_be_was = p->runner->task->expect(&p->runner->inputs, p->array, p->place).value;
  p->was = call(p);
  if (p->failed || isnan(p->was) || differs(type_of(p, p->array), call(p), p->was) || p->failed) return;
  const size_t needed = find_needed(p, chosen, saved);
  if (needed == 0) return;
  p->until = wb_now_ms() + MOST_MS;
  const size_t missing = first_missing(p, chosen, saved, needed), unwanted = first_unwanted(p, chosen, saved);
  if (missing == p->inputs && unwanted == p->inputs) return;
  size_t rows, cols;
  wb_shape(p->runner->task, &p->runner->inputs.size, p->runner->layout.count[p->array], &rows, &cols);
  wb_text_add(text, rows > 1 ? "%s[%zu][%zu] " : "%s[%zu] ", p->runner->task->arrays[p->array].name,
              rows > 1 ? p->place / cols : p->place, p->place % cols);
  if (missing < p->inputs) {
    wb_text_add(text, "does not depend on ");
    add_input(p, missing, text);
    wb_text_add(text, ", as it must");
  }
  if (unwanted < p->inputs) {
    wb_text_add(text, "%sdepends on ", missing < p->inputs ? ", but " : "");
    add_input(p, unwanted, text);
    wb_text_add(text, ", which has no part in it");
  }
  if (missing < p->inputs && unwanted < p->inputs && in_bytes(p, missing, unwanted))
    wb_text_add(text, ": an offset in bytes where elements are counted");
  wb_text_add(text, ".\n");
}

void wb_dependence(wb_runner *runner, const wb_verdict *wrong, wb_text *text) {
  probe p = {.runner = runner, .array = wrong->array, .place = wrong->pattern.first};
  size_t bytes = 1;
  const wb_pattern *pattern = &wrong->pattern;
  if (pattern->never_written == pattern->wrong || pattern->unchanged == pattern->wrong)
    return; /* not begun */
  for (int a = 0; a < runner->layout.arrays; a++) {
    if (runner->task->arrays[a].role == WB_OUT) continue;
    p.inputs += runner->layout.count[a];
    bytes += runner->layout.bytes[a];
  }
  if (p.inputs == 0 || p.inputs > MOST_INPUTS) return;
  p.until = wb_now_ms() + MOST_MS;
  p.needed = calloc(2, p.inputs);
  char *saved = malloc(bytes);
  if (p.needed && saved) report(&p, p.needed + p.inputs, saved, text);
  free(saved);
  free(p.needed);
}
