/*
 * waits.c: where may a thread wait for another thread's value?
 *
 * A word that is loaded by a volatile pointer and stored again is a lost update, unless the thread waited
 * until the word was its own. In one run both look alike; only the text shows the loop. So a table of lines
 * goes along with the program, a row for each
 *
 *     {hash of the file's name, first line, last line, 0}    body of a function of the device
 *     {hash of the file's name, first line, last line, 1}    place where a thread may wait: a loop that does
 *                                                            not go over elements, a function called in one
 *
 * In doubt a thread may wait: where a macro hides a loop, and in functions that may be called in unknown ways
 * (operators, lambdas, functions given to others or used in other files).
 */
#define _GNU_SOURCE /* memmem */
#include "waits.h"

#include "grow.h"
#include "names.h"
#include "scope.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  size_t first, last; /* tokens */
} range;

typedef struct {
  range *items;
  size_t count, capacity;
} range_list;

static const char *const loops[] = {"for", "while", "do", NULL};

static bool waits_by_name(const rewrite_unit *unit, size_t i) {
  const known_name *name = name_at(unit, i);
  return name && name->meanings & NAME_WAITS;
}

/* ---- loops --------------------------------------------------------------------------------------------- */

/* The parenthesis that opens after the word at token i (`if constexpr (`), or NOWHERE. */
static size_t open_after(const rewrite_unit *unit, size_t i) {
  const size_t open = word_at(unit, i + 1, "constexpr") ? i + 2 : i + 1;
  return word_at(unit, open, "(") && partner(unit, open) != NOWHERE ? open : NOWHERE;
}

/* The last token of the statement that begins at token i. */
static size_t statement_end(const rewrite_unit *unit, size_t i) {
  static const char *const heads[] = {"if", "for", "while", "switch", NULL};
  if (word_at(unit, i, "{")) return partner(unit, i);
  if (word_at(unit, i, "do")) {
    i = statement_end(unit, i + 1);
    if (i == NOWHERE) return NOWHERE;
    i++; /* `while (…);` is no loop of its own */
  } else if (one_of_at(unit, i, heads) && open_after(unit, i) != NOWHERE) {
    const size_t last = statement_end(unit, partner(unit, open_after(unit, i)) + 1);
    if (last == NOWHERE || !word_at(unit, i, "if") || !word_at(unit, last + 1, "else")) return last;
    return statement_end(unit, last + 2);
  }
  for (; i < unit->tokens.count; i++) {
    if (word_at(unit, i, ";")) return i;
    if (closes(unit, i)) return i - 1; /* a macro that ends without ; */
    if (opens(unit, i) && partner(unit, i) != NOWHERE) i = partner(unit, i);
  }
  return NOWHERE;
}

/* Whether token i is the `while` that ends a do loop: after its body. */
static bool ends_do(const rewrite_unit *unit, size_t i) {
  if (!word_at(unit, i, "while") || i == 0) return false;
  const size_t open = word_at(unit, i - 1, "}") ? partner(unit, i - 1) : NOWHERE;
  if (open != NOWHERE) return open > 0 && word_at(unit, open - 1, "do");
  for (size_t j = i - 1; j > 0 && !word_at(unit, j, "{") && !word_at(unit, j, "}"); j--)
    if (word_at(unit, j, "do")) return statement_end(unit, j + 1) == i - 1;
  return false;
}

static bool twice(const rewrite_unit *unit, size_t i, const char *sign) {
  return word_at(unit, i, sign) && word_at(unit, i + 1, sign) && touches_next(unit, i);
}

/* Is the word at token i stepped there: i++, --i, i += n, i = i / 2 and their like? */
static bool is_step(const rewrite_unit *unit, size_t i) {
  static const char *const signs[] = {"+", "-", "*", "/", NULL};
  if (twice(unit, i + 1, "+") || twice(unit, i + 1, "-")) return true;
  if (i >= 2 && (twice(unit, i - 2, "+") || twice(unit, i - 2, "-"))) return true;
  if (one_of_at(unit, i + 1, signs) && word_at(unit, i + 2, "=")) return true;
  if (word_at(unit, i + 1, ">") && word_at(unit, i + 2, ">=")) return true;
  if (word_at(unit, i + 1, "<") && word_at(unit, i + 2, "<=")) return true;
  return word_at(unit, i + 1, "=") && same_word(unit, i, i + 2) &&
         (one_of_at(unit, i + 3, signs) || twice(unit, i + 3, ">") || twice(unit, i + 3, "<"));
}

static bool is_stepped(const rewrite_unit *unit, size_t word, size_t first, size_t last) {
  for (size_t i = first; i <= last; i++)
    if (same_word(unit, i, word) && is_step(unit, i)) return true;
  return false;
}

/* Is the condition [first, last] one comparison with a word that is stepped in it or in [step, step_last]? */
static bool is_counted(const rewrite_unit *unit, size_t first, size_t last, size_t step, size_t step_last) {
  static const char *const joins[] = {"&", "|", "?", NULL};
  bool counted = false;
  for (size_t i = first; i <= last; i++)
    if (one_of_at(unit, i, joins)) return false;
  for (size_t i = first; i <= last; i++) {
    if (opens(unit, i) && partner(unit, i) != NOWHERE) i = partner(unit, i);
    counted |= kind_at(unit, i, TOKEN_WORD) &&
               (is_stepped(unit, i, first, last) || is_stepped(unit, i, step, step_last));
  }
  return counted;
}

static bool may_leave(const rewrite_unit *unit, size_t first, size_t last) {
  static const char *const leaving[] = {"break", "return", "goto", NULL};
  for (size_t i = first; i <= last; i++)
    if (one_of_at(unit, i, leaving)) return true;
  return false;
}

/* The tokens of a loop's head and body. */
static range range_of_loop(const rewrite_unit *unit, size_t i) {
  const size_t last = statement_end(unit, i);
  return (range){i, last == NOWHERE ? unit->tokens.count - 1 : last};
}

/* Whether the loop whose `for`, `while` or `do` is token i may end, or go on, because of what another thread
 * did: false for one that goes over elements. */
static bool loop_may_wait(const rewrite_unit *unit, size_t i) {
  const range all = range_of_loop(unit, i);
  if (word_at(unit, i, "do")) {
    const size_t right = word_at(unit, all.last, ";") ? all.last - 1 : NOWHERE;
    const size_t left = right == NOWHERE ? NOWHERE : partner(unit, right);
    if (left == NOWHERE || !word_at(unit, left - 1, "while")) return true;
    if (left + 2 == right && (word_at(unit, left + 1, "0") || word_at(unit, left + 1, "false"))) return false;
    return may_leave(unit, i, all.last) || !is_counted(unit, left + 1, right - 1, i, left - 2);
  }
  const size_t open = open_after(unit, i);
  if (open == NOWHERE) return true;
  size_t first = open + 1, last = partner(unit, open) - 1, semicolons = 0, colons = 0;
  if (may_leave(unit, i, all.last)) return true;
  if (word_at(unit, i, "while")) return !is_counted(unit, first, last, last + 1, all.last);
  const size_t begin = first, end = last;
  for (size_t j = begin; j <= end; j++) {
    if (opens(unit, j) && partner(unit, j) != NOWHERE) j = partner(unit, j);
    colons += word_at(unit, j, ":");
    if (!word_at(unit, j, ";")) continue;
    if (semicolons++ == 0)
      first = j + 1;
    else
      last = j - 1;
  }
  if (semicolons == 0 && colons == 1) return false; /* for (auto x : list) */
  return semicolons != 2 || !is_counted(unit, first, last, last + 1, all.last);
}

bool is_tried_again(const rewrite_unit *unit, const declaration *d, size_t i) {
  if (waits_by_name(unit, d->name)) return true;
  for (size_t j = d->open + 1; j < i; j++)
    if (one_of_at(unit, j, loops) && !ends_do(unit, j) && range_of_loop(unit, j).last >= i &&
        loop_may_wait(unit, j))
      return true;
  return false;
}

/* ---- functions ----------------------------------------------------------------------------------------- */

static bool on_device(const declaration *d) {
  return d->kind == DECLARES_FUNCTION && d->close != NOWHERE && (d->global || d->device);
}

/* Is the function called in this file, and only called? */
static bool only_called(const rewrite_unit *unit, const declaration *d) {
  size_t calls = 0;
  for (size_t i = 0; i < unit->tokens.count; i++) {
    if (i == d->name || !same_word(unit, i, d->name)) continue;
    if (!word_at(unit, i + 1, "(") && !word_at(unit, i + 1, "<")) return false;
    calls++;
  }
  return calls > 0;
}

/* May a thread be in a loop that waits, as this function is called? */
static bool is_called_waiting(const rewrite_unit *unit, const declaration *d) {
  if (d->global) return false;
  return !kind_at(unit, d->name, TOKEN_WORD) || d->is_operator || waits_by_name(unit, d->name) ||
         !only_called(unit, d);
}

static bool is_lambda(const rewrite_unit *unit, size_t i) {
  const size_t close = word_at(unit, i, "[") ? partner(unit, i) : NOWHERE;
  return close != NOWHERE && (word_at(unit, close + 1, "(") || word_at(unit, close + 1, "{"));
}

static void add_range(range_list *list, range r) {
  list->items = rewrite_grow(list->items, &list->capacity, list->count + 1, sizeof *list->items);
  list->items[list->count++] = r;
}

/* Places in the body of one function. */
static void add_ranges(const rewrite_unit *unit, const declaration *d, range_list *list) {
  const range body = {d->open, d->close};
  const size_t before = list->count;
  bool lambda = false;
  if (is_called_waiting(unit, d)) {
    add_range(list, body);
    return;
  }
  for (size_t i = d->open + 1; i < d->close; i++) {
    lambda |= is_lambda(unit, i);
    if (word_at(unit, i, "goto")) {
      add_range(list, body);
    } else if (one_of_at(unit, i, loops)) {
      if (!ends_do(unit, i) && loop_may_wait(unit, i)) add_range(list, range_of_loop(unit, i));
    } else if (waits_by_name(unit, i) && name_at(unit, i)->meanings & NAME_MACRO) {
      const size_t close = word_at(unit, i + 1, "(") ? partner(unit, i + 1) : NOWHERE;
      add_range(list, (range){i, close == NOWHERE ? i : close});
    }
  }
  if (lambda && list->count > before) add_range(list, body);
}

static range_list ranges_of(const rewrite_unit *unit) {
  range_list list = {0};
  for (size_t i = 0; i < unit->declarations.count; i++)
    if (on_device(&unit->declarations.items[i])) add_ranges(unit, &unit->declarations.items[i], &list);
  return list;
}

void find_waits(rewrite_unit *unit) {
  static const char *const words[] = {"volatile",  "__atomic_", "__nv_atomic_", "<cuda/", "atomicExch",
                                      "atomicCAS", NULL};
  for (const char *const *word = words; *word; word++)
    unit->names->stores |= memmem(unit->text, unit->length, *word, strlen(*word)) != NULL;
  for (bool more = true; more;) {
    more = false;
    const range_list list = ranges_of(unit);
    for (size_t r = 0; r < list.count; r++)
      for (size_t i = list.items[r].first; i <= list.items[r].last; i++) {
        if (!kind_at(unit, i, TOKEN_WORD) || waits_by_name(unit, i)) continue;
        if (!word_at(unit, i + 1, "(") && !word_at(unit, i + 1, "<")) continue;
        name_add_at(unit, i, NAME_WAITS);
        more = true;
      }
    free(list.items);
  }
}

/* ---- the table ----------------------------------------------------------------------------------------- */

/* Of the name without its folders; runtime/checker/waits.c computes the same. */
static unsigned hash_of(const char *path) {
  const char *slash = strrchr(path, '/');
  unsigned hash = 2166136261u;
  for (const char *p = slash ? slash + 1 : path; *p; p++) hash = (hash ^ (unsigned char)*p) * 16777619u;
  return hash ? hash : 1;
}

static void add_row(const rewrite_unit *unit, range r, int waits, wb_text *out) {
  const token *t = unit->tokens.items;
  wb_text_add(out, "{%uu, %d, %d, %d}, ", hash_of(unit->name), line_of(unit, t[r.first].begin),
              line_of(unit, t[r.last].begin), waits);
}

void emit_waits(const rewrite_unit *unit, wb_text *out) {
  bool any = false;
  for (size_t i = 0; i < unit->declarations.count; i++) any |= on_device(&unit->declarations.items[i]);
  if (!any || !unit->names->stores) return;
  const range_list list = ranges_of(unit);
  wb_text_add(out, "\n__attribute__((section(\"cucc_waits\"), used, aligned(16))) "
                   "static const unsigned cucc_waits[][4] = {");
  for (size_t i = 0; i < unit->declarations.count; i++) {
    const declaration *d = &unit->declarations.items[i];
    if (on_device(d)) add_row(unit, (range){d->open, d->close}, 0, out);
  }
  for (size_t i = 0; i < list.count; i++) add_row(unit, list.items[i], 1, out);
  wb_text_add(out, "};\n");
  free(list.items);
}
