/* run/dependence.c: see run/dependence.h. Inputs are numbered: the elements of one array after the other. */
#include "run/dependence.h"
#include "base/clock.h"
#include "model/picture.h"
#include "model/random.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_INPUTS 8192
#define MOST_CALLS  130
#define MOST_MS     3000 /* for all calls, and for all right answers */
#define SINGLES     32   /* elements that are tried one by one */
#define WARP        32
#define ENOUGH      4 /* elements that are no chance */

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

/* Changes the parent's own copy of input number k. */
static void change_input(probe *p, size_t k) {
  size_t place;
  const int a = locate(p, k, &place);
  void *const values = p->runner->inputs.array[a];
  const wb_numbers numbers = p->runner->task->arrays[a].numbers;
  if (numbers == WB_ANY_NUMBER) change(type_of(p, a), (char *)values + place * wb_type_bytes(type_of(p, a)));
  if (numbers == WB_PLACES) take_another(values, p->runner->layout.count[a], place);
}

/* An oracle may keep what it made of a content, which it knows by this factor. It is the same as a float. */
static void change_factor(probe *p) { p->runner->inputs.param[0] *= 1 + ldexp(++p->contents, -45); }

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
  for (size_t k = 0; k < p->inputs; k++)
    if (chosen[k]) change_input(p, k);
  change_factor(p);
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
  const wb_task *task = p->runner->task;
  const size_t count = p->runner->layout.count[a];
  /* A shape that is not declared is a guess from the number of elements, shown only where it is the result's. */
  const bool known = task->arrays[a].rows || count == p->runner->layout.count[p->array];
  const wb_matrix line = {1, count, count}, shape = known ? wb_shape(task, &p->runner->inputs, a) : line;
  wb_add_place(text, task->arrays[a].name, &shape, place);
}

/* Adds a dimension of the task as "n = 67". */
static void add_dimension(const probe *p, int d, const char *before, wb_text *text) {
  const char *name = p->runner->task->dims;
  for (int k = 0; k < d; k++) name += strcspn(name, " ") + 1;
  wb_text_add(text, "%s%.*s = %zu", before, (int)strcspn(name, " "), name, p->runner->inputs.size.n[d]);
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

/* Needed inputs of one array, next to each other, of which none has an effect: the first and the last. */
typedef struct run {
  size_t first, last;
} run;

static bool without_effect(probe *p, unsigned char *chosen, char *saved, size_t first, size_t last) {
  choose(chosen, p, first, last + 1, true);
  return effect(p, chosen, saved, USED) == 0 && !p->failed;
}

/* The run around `missing`. */
static run find_run(probe *p, unsigned char *chosen, char *saved, size_t missing) {
  size_t place;
  const int a = locate(p, missing, &place);
  run r = {missing - place, missing - place + p->runner->layout.count[a] - 1};
  for (size_t known = missing; known < r.last;) {
    const size_t half = known + (r.last - known + 1) / 2;
    if (without_effect(p, chosen, saved, missing, half))
      known = half;
    else
      r.last = half - 1;
  }
  for (size_t known = missing; r.first < known;) {
    const size_t half = r.first + (known - r.first) / 2;
    if (without_effect(p, chosen, saved, half, missing))
      known = half;
    else
      r.first = half + 1;
  }
  while (!p->needed[r.first]) r.first++;
  while (!p->needed[r.last]) r.last--;
  return r;
}

/*
 * How many elements each thread has if the run is all that is needed of one warp's elements, and others are
 * needed, too; 0: it is not. A rest that is no whole vector may be another thread's.
 */
static size_t of_warp(const probe *p, run r) {
  size_t first;
  const int a = locate(p, r.first, &first);
  const size_t base = r.first - first, count = p->runner->layout.count[a];
  if (p->runner->task->arrays[a].memory != WB_DEVICE) return 0;
  for (size_t each = 1; each <= 16; each *= 2) {
    const size_t share = WARP * each, begin = first - first % share, whole = count - count % each;
    const size_t end = begin + share < whole ? begin + share : whole;
    bool all = r.last < base + end && r.last - r.first >= share / 4, others = false;
    for (size_t k = 0; k < count; k++) {
      if (k < begin || k >= end)
        others |= p->needed[base + k];
      else if (p->needed[base + k] && (base + k < r.first || base + k > r.last))
        all = false;
    }
    if (all && others) return each;
  }
  return 0;
}

/* Whether after the run comes one input with an effect, and then as many without one: of how many one has an
 * effect; 0: it is not so. */
static size_t one_of(probe *p, unsigned char *chosen, char *saved, run r) {
  size_t place;
  const int a = locate(p, r.last, &place);
  const size_t length = r.last - r.first + 1, first = r.last + 2, last = first + length - 1;
  if (place + 2 + length > p->runner->layout.count[a]) return 0;
  for (size_t k = r.first; k <= last; k++)
    if (!p->needed[k]) return 0;
  return without_effect(p, chosen, saved, first, last) ? length + 1 : 0;
}

#define MOST_COMPONENTS 8

/* Of how many neighbours none at the place of this input has an effect, and others do: 2, 4 or 8; 0: it is not
 * so. */
static size_t component(probe *p, unsigned char *chosen, char *saved, size_t missing) {
  size_t place;
  const int a = locate(p, missing, &place);
  const size_t base = missing - place, count = p->runner->layout.count[a];
  for (size_t of = 2; of <= MOST_COMPONENTS; of *= 2) {
    size_t others = 0;
    memset(chosen, 0, p->inputs);
    for (size_t i = place % of; i < count; i += of) others += chosen[base + i] = p->needed[base + i];
    if (others < ENOUGH || effect(p, chosen, saved, USED) || p->failed) continue;
    for (size_t k = 0; k < count; k++) chosen[base + k] = p->needed[base + k] && k % of != place % of;
    return effect(p, chosen, saved, USED) & USED && !p->failed ? of : 0;
  }
  return 0;
}

/* "d_x[96] to d_x[127], as it must: the elements of one warp, if each thread has one". */
static void add_run(const probe *p, run r, size_t one_of_many, wb_text *text) {
  size_t place;
  const int a = locate(p, r.last, &place);
  const size_t base = r.last - place, count = p->runner->layout.count[a], each = of_warp(p, r);
  bool others = false;
  for (size_t k = 0; k < count; k++)
    others |= p->needed[base + k] && (base + k < r.first || base + k > r.last);
  if (r.last > r.first && !others) {
    wb_text_add(text, "any element of %s, as it must", p->runner->task->arrays[a].name);
    return;
  }
  add_input(p, r.first, text);
  if (r.last > r.first) {
    wb_text_add(text, " to ");
    add_input(p, r.last, text);
  }
  wb_text_add(text, ", as it must");
  if (one_of_many > 0)
    wb_text_add(text, ": of each %zu only one has an effect, the others are skipped or overwritten",
                one_of_many);
  else if (each > 0)
    wb_text_add(text, ": the elements of one warp, if each thread has %zu", each);
  else if (r.last > r.first && place + 1 == count)
    wb_text_add(text, ": the last %zu", r.last - r.first + 1);
}

/* The input of that number among those that are needed. */
static size_t needed_input(const probe *p, size_t number) {
  size_t k = 0;
  while (!p->needed[k] || number-- > 0) k++;
  return k;
}

/* An input on which the element must depend and does not: the first of a few; of many the first, the last
 * or one of some between. Those are at no regular distance, which could miss a warp of each block. */
static size_t first_missing(probe *p, unsigned char *chosen, char *saved, size_t needed) {
  const size_t tries = needed <= SINGLES ? needed : SINGLES;
  for (size_t t = 0; t < tries && !p->failed; t++) {
    double whole;
    const double part = modf((double)t * 0.6180339887498949, &whole); /* of the golden ratio */
    const size_t number = needed <= SINGLES ? t
                          : t + 1 == tries  ? needed - 1
                                            : (size_t)(part * (double)needed);
    const size_t k = needed_input(p, number);
    if (without_effect(p, chosen, saved, k, k)) return k;
  }
  return p->inputs;
}

/* What a mistake in an index makes of the place in row `row` and column `col`. */
enum mistake { OTHER_LENGTH, EXCHANGED, NOT_MULTIPLIED, IN_BYTES };
static size_t mistaken(enum mistake what, size_t place, size_t length, size_t rows, size_t other) {
  const size_t row = place / length, col = place % length;
  if (what == EXCHANGED) return col * rows + row;
  if (what == NOT_MULTIPLIED) return row + col;
  return what == IN_BYTES ? place * other : row * other + col;
}

/* Whether the element depends on no inputs of array `a` but those that the mistake makes of the needed. */
static bool is_mistake(probe *p, unsigned char *chosen, char *saved, int a, size_t base, enum mistake what,
                       size_t length, size_t other) {
  const size_t count = p->runner->layout.count[a];
  bool differs = false;
  memset(chosen, 0, p->inputs);
  memset(chosen + base, 1, count);
  for (size_t k = 0; k < count; k++) {
    if (!p->needed[base + k]) continue;
    const size_t place = mistaken(what, k, length, count / length, other);
    if (place >= count) return false;
    chosen[base + place] = 0;
    differs |= place != k;
  }
  return differs && !(effect(p, chosen, saved, USED) & USED) && !p->failed;
}

/* Adds which mistake in an index of the array of these inputs, one that is needed and one that is not, makes
 * the function take other elements. */
static void add_mistake(probe *p, unsigned char *chosen, char *saved, size_t missing, size_t unwanted,
                        wb_text *text) {
  size_t needed, used;
  const int a = locate(p, missing, &needed), dims = wb_dims(p->runner->task);
  const size_t *n = p->runner->inputs.size.n, base = missing - needed, count = p->runner->layout.count[a];
  if (a != locate(p, unwanted, &used)) return;
  for (int x = 0; x < dims; x++) {
    if (n[x] < 2 || count % n[x] || count == n[x]) continue;
    for (int y = 0; y < dims; y++) {
      if (n[y] == n[x] || !is_mistake(p, chosen, saved, a, base, OTHER_LENGTH, n[x], n[y])) continue;
      add_dimension(p, x, ": its rows have ", text);
      add_dimension(p, y, " elements, not ", text);
      return;
    }
    const bool once = is_mistake(p, chosen, saved, a, base, NOT_MULTIPLIED, n[x], 0);
    const bool exchanged = is_mistake(p, chosen, saved, a, base, EXCHANGED, n[x], 0);
    if (once) add_dimension(p, x, ": the row's number is not multiplied by ", text);
    if (exchanged) wb_text_add(text, "%srow and column are exchanged", once ? ", or " : ": ");
    if (once || exchanged) return;
  }
  if (is_mistake(p, chosen, saved, a, base, IN_BYTES, count, wb_type_bytes(type_of(p, a))))
    wb_text_add(text, ": an offset in bytes where elements are counted");
}

/* Whether the right answer depends on input number k. */
static bool is_needed(probe *p, size_t k) {
  size_t place;
  const int a = locate(p, k, &place);
  const size_t bytes = wb_type_bytes(type_of(p, a));
  char *const at = (char *)p->runner->inputs.array[a] + place * bytes, was[sizeof(double)];
  const double factor = p->runner->inputs.param[0];
  memcpy(was, at, bytes);
  change_input(p, k);
  change_factor(p);
  const double value = p->runner->task->expect(&p->runner->inputs, p->array, p->place).value;
  memcpy(at, was, bytes);
  p->runner->inputs.param[0] = factor;
  return differs(type_of(p, p->array), value, p->must_be_was);
}

/* Finds on which inputs the right answer depends; returns how many. */
static size_t find_needed(probe *p) {
  size_t needed = 0;
  for (size_t k = 0; k < p->inputs; k++) {
    if (wb_now_ms() > p->until) return 0;
    p->needed[k] = is_needed(p, k);
    needed += p->needed[k];
  }
  return needed;
}

static void report(probe *p, unsigned char *chosen, char *saved, wb_text *text) {
  p->must_be_was = p->runner->task->expect(&p->runner->inputs, p->array, p->place).value;
  p->was = call(p);
  if (p->failed || isnan(p->was) || differs(type_of(p, p->array), call(p), p->was) || p->failed) return;
  const size_t needed = find_needed(p);
  if (needed == 0) return;
  p->until = wb_now_ms() + MOST_MS;
  const size_t missing = first_missing(p, chosen, saved, needed);
  const size_t unwanted = first_unwanted(p, chosen, saved);
  if (missing == p->inputs && unwanted == p->inputs) return;
  size_t place;
  run r = {missing, missing};
  const wb_matrix shape = wb_shape(p->runner->task, &p->runner->inputs, p->array);
  wb_add_place(text, p->runner->task->arrays[p->array].name, &shape, p->place);
  wb_text_add(text, " ");
  if (missing < p->inputs) {
    wb_text_add(text, "does not depend on ");
    r = find_run(p, chosen, saved, missing);
    add_run(p, r, one_of(p, chosen, saved, r), text);
    const size_t of = r.first == r.last ? component(p, chosen, saved, r.first) : 0;
    locate(p, r.first, &place);
    if (of > 0) wb_text_add(text, ", nor on any other with index %% %zu == %zu", of, place % of);
  }
  if (unwanted < p->inputs) {
    wb_text_add(text, "%sdepends on ", missing < p->inputs ? ", but " : "");
    add_input(p, unwanted, text);
    wb_text_add(text, ", which has no part in it");
  }
  if (missing < p->inputs && unwanted < p->inputs) add_mistake(p, chosen, saved, r.first, unwanted, text);
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
