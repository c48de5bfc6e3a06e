/*
 * marks.c: marks for the checker what only the text shows.
 *
 *   __syncthreads()            gets a number: two on one line are two barriers, copies of one are one
 *   the end of a kernel        a thread that comes here has skipped the barriers that others still reach; one
 *                              that returned early has not (CUCC_KERNEL_END)
 *   return in a function       the same for functions with a barrier: this thread leaves early (CUCC_LEAVES)
 *   atomicCAS(p, old, v);      whose result is not used, or only for a second one, outside of a loop that tries
 *                              again: the update is lost if another thread wrote *p since it was read
 *                              (CUCC_ALONE)
 *
 * Only functions in which a barrier can be reached are marked: those that name one, or a function or macro
 * that does, or call what they were given where lambdas or an operator() hold one.
 */
#include "marks.h"

#include "edits.h"
#include "names.h"
#include "scope.h"
#include "waits.h"

#include <ctype.h>
#include <string.h>

static const char *const barriers[] = {"__syncthreads", "__syncthreads_count", "__syncthreads_and",
                                       "__syncthreads_or", NULL};
static const char *const meetings[] = {"sync", "barrier_wait", "wait", NULL}; /* of cooperative groups */
static const char *const adds[] = {"atomicAdd",       "atomicAdd_block",       "atomicSub",
                                   "atomicSub_block", "__nv_atomic_fetch_add", "__nv_atomic_fetch_sub",
                                   "__nv_atomic_add", "__nv_atomic_sub",       NULL};
static const char *const exchanges[] = {"atomicExch", "atomicExch_block", NULL};
static const char *const swaps[] = {"atomicCAS", "atomicCAS_block", "atomicCAS_system", NULL};
static const char *const stores[] = {"atomicCAS",  "atomicCAS_block",  "atomicCAS_system",
                                     "atomicExch", "atomicExch_block", NULL};

static bool on_device(const declaration *d) { return d->global || d->device; }

/* ---- barriers ------------------------------------------------------------------------------------------ */

static bool has_barrier(const rewrite_unit *unit, size_t i, size_t end) {
  while (i < end && !one_of_at(unit, i, barriers)) i++;
  return i < end;
}

static bool meets(const rewrite_unit *unit, size_t i, size_t end) {
  if (has_barrier(unit, i, end)) return true;
  for (; i < end; i++) {
    const known_name *name = name_at(unit, i);
    if ((one_of_at(unit, i, meetings) && word_at(unit, i + 1, "(")) || (name && name->meanings & NAME_MEETS))
      return true;
  }
  return false;
}

/* Is token i the name of a parameter or variable of this function? */
static bool is_local(const rewrite_unit *unit, size_t i, const declaration *d) {
  for (size_t j = d->left + 1; j < i; j++)
    if (same_word(unit, j, i) && (kind_at(unit, j - 1, TOKEN_WORD) || j < d->right)) return true;
  return false;
}

/* Whether the function calls an object: f(i), Op()(i). Of which one, the text does not say. */
static bool calls_object(const rewrite_unit *unit, const declaration *d) {
  for (size_t i = d->open + 2; i < d->close; i++)
    if (word_at(unit, i, "(") && (word_at(unit, i - 1, ")") || word_at(unit, i - 1, "}") ||
                                  (kind_at(unit, i - 1, TOKEN_WORD) && is_local(unit, i - 1, d))))
      return true;
  return false;
}

static bool meets_in(const rewrite_unit *unit, const declaration *d) {
  return meets(unit, d->open, d->close) ||
         (on_device(d) && unit->names->functors_meet && calls_object(unit, d));
}

/* Whether a lambda of the device begins at token i in whose body threads may meet: one with a barrier of its
 * own, since it lies in a function of the device, or one that says so. */
static bool lambda_meets(const rewrite_unit *unit, size_t i) {
  size_t at = word_at(unit, i, "[") ? partner(unit, i) : NOWHERE;
  bool device = false;
  if (at == NOWHERE) return false;
  for (at++; kind_at(unit, at, TOKEN_WORD); at++) device |= word_at(unit, at, "__device__");
  if (word_at(unit, at, "(") && partner(unit, at) != NOWHERE) at = partner(unit, at) + 1;
  while (kind_at(unit, at, TOKEN_WORD)) at++; /* mutable */
  const size_t close = word_at(unit, at, "{") ? partner(unit, at) : NOWHERE;
  return close != NOWHERE && (device ? meets(unit, at, close) : has_barrier(unit, at, close));
}

/* Whether they may in an operator() or lambda whose returns are marked. */
static bool functors_meet(const rewrite_unit *unit) {
  for (size_t i = 0; i < unit->declarations.count; i++) {
    const declaration *d = &unit->declarations.items[i];
    if (!d->is_operator || d->kind != DECLARES_FUNCTION || d->close == NOWHERE) continue;
    if (on_device(d) ? meets_in(unit, d) : has_barrier(unit, d->open, d->close)) return true;
  }
  for (size_t i = 0; i < unit->tokens.count; i++)
    if (lambda_meets(unit, i)) return true;
  return false;
}

/* Functions whose bodies hold a barrier, and then those that call them. */
static void collect_meetings(rewrite_unit *unit) {
  for (bool more = true; more;) {
    more = !unit->names->functors_meet && functors_meet(unit);
    unit->names->functors_meet |= more;
    for (size_t i = 0; i < unit->declarations.count; i++) {
      const declaration *d = &unit->declarations.items[i];
      if (d->kind != DECLARES_FUNCTION || d->close == NOWHERE || !kind_at(unit, d->name, TOKEN_WORD))
        continue;
      const known_name *name = name_at(unit, d->name);
      if ((name && name->meanings & NAME_MEETS) || !meets_in(unit, d)) continue;
      name_add_at(unit, d->name, NAME_MEETS);
      more = true;
    }
  }
}

static void mark_barrier(rewrite_unit *unit, size_t i) {
  const size_t right = word_at(unit, i + 1, "(") ? partner(unit, i + 1) : NOWHERE;
  if (right == NOWHERE || unit->tokens.items[i].scope != SCOPE_FUNCTION) return;
  add_edit(unit, (edit){.kind = EDIT_BARRIER, .first = right, .last = right, .left = i + 1});
}

/* ---- how threads leave --------------------------------------------------------------------------------- */

static void insert(rewrite_unit *unit, size_t i, const char *text) {
  add_edit(unit, (edit){.kind = EDIT_INSERT, .first = i, .last = i, .inserted = text});
}

static void mark_returns(rewrite_unit *unit, size_t open, size_t close) {
  for (size_t i = open + 1; i < close; i++)
    if (word_at(unit, i, "return")) insert(unit, i, "CUCC_LEAVES");
}

/* The end of a kernel: its registration is written there, too. */
static void mark_end(rewrite_unit *unit, const declaration *d) {
  for (size_t i = 0; i < unit->edits.count; i++) {
    edit *e = &unit->edits.items[i];
    if (e->kind == EDIT_KERNEL && e->first == d->close) {
      e->inserted = "CUCC_KERNEL_END;";
      return;
    }
  }
  insert(unit, d->close, "CUCC_KERNEL_END;");
}

static void mark_function(rewrite_unit *unit, const declaration *d) {
  if (d->kind != DECLARES_FUNCTION || d->close == NOWHERE || d->is_constexpr) return;
  /* a macro may hide __device__ */
  if (!(on_device(d) ? meets_in(unit, d) : has_barrier(unit, d->open, d->close))) return;
  mark_returns(unit, d->open, d->close);
  if (d->global) mark_end(unit, d);
}

/* `[=] __device__ (int i) { … }` in a function of the host; no declaration has a body there. */
static void mark_lambda(rewrite_unit *unit, size_t i) {
  while (i < unit->tokens.count && !word_at(unit, i, "{") && !word_at(unit, i, ";")) i++;
  const size_t close = word_at(unit, i, "{") ? partner(unit, i) : NOWHERE;
  if (close != NOWHERE && meets(unit, i, close)) mark_returns(unit, i, close);
}

/* ---- atomic operations that stand alone ---------------------------------------------------------------- */

/* The word before the parentheses that end with token i: `if (…)` gives if. */
static size_t head_of(const rewrite_unit *unit, size_t i) {
  const size_t open = word_at(unit, i, ")") ? partner(unit, i) : NOWHERE;
  return open == NOWHERE || open == 0 ? NOWHERE : open - 1;
}

/* A number, true, false, or a name in capitals. */
static bool is_constant(const rewrite_unit *unit, size_t i) {
  const token *t = &unit->tokens.items[i];
  if (t->kind != TOKEN_WORD) return t->kind == TOKEN_NUMBER;
  for (size_t c = t->begin; c < t->end; c++)
    if (islower((unsigned char)unit->text[c])) return word_at(unit, i, "false") || word_at(unit, i, "true");
  return true;
}

/* `atomicExch(&lock, 0)`: no value that was read before comes back. */
static bool stores_constant(const rewrite_unit *unit, size_t open, size_t close) {
  return word_at(unit, close - 2, ",") && close - 2 > open && is_constant(unit, close - 1);
}

/* `atomicCAS(&place, 0, mine)` at token i: what is stored was not made of a value that was read before. */
static bool compares_constant(const rewrite_unit *unit, size_t i) {
  for (size_t j = i + 2; j < unit->tokens.count; j++) {
    if (opens(unit, j) && partner(unit, j) != NOWHERE) j = partner(unit, j);
    if (word_at(unit, j, ",")) return word_at(unit, j + 2, ",") && is_constant(unit, j + 1);
  }
  return false;
}

/* `int seen = atomicCAS(…);` */
static bool is_kept(const rewrite_unit *unit, size_t i) {
  return word_at(unit, i - 1, "=") && kind_at(unit, i - 2, TOKEN_WORD);
}

/* Its variable is not named again in the body. */
static bool is_forgotten(const rewrite_unit *unit, size_t variable, size_t i, size_t close) {
  for (; i < close; i++)
    if (same_word(unit, i, variable)) return false;
  return true;
}

/* Token i calls a function whose result is not used, or kept in a variable that is not named again. */
static bool is_unused(const rewrite_unit *unit, size_t i, const declaration *d) {
  const size_t right = word_at(unit, i + 1, "(") ? partner(unit, i + 1) : NOWHERE;
  if (right == NOWHERE || !word_at(unit, right + 1, ";")) return false;
  static const char *const before[] = {";", "{", "}", "else", "do", NULL};
  static const char *const heads[] = {"if", "for", "while", NULL};
  const size_t head = head_of(unit, i - 1);
  if (is_kept(unit, i)) return is_forgotten(unit, i - 2, right, d->close);
  return one_of_at(unit, i - 1, before) || (head != NOWHERE && one_of_at(unit, head, heads));
}

/* Do both calls have the same first argument? */
static bool same_place(const rewrite_unit *unit, size_t i, size_t j) {
  for (i += 2, j += 2; !word_at(unit, i, ","); i++, j++) {
    const token *a = &unit->tokens.items[i], *b = &unit->tokens.items[j];
    const size_t length = a->end - a->begin;
    if (closes(unit, i) && partner(unit, i) == NOWHERE) return false;
    if (length != b->end - b->begin || memcmp(unit->text + a->begin, unit->text + b->begin, length) != 0)
      return false;
  }
  return word_at(unit, j, ",");
}

/* A swap that has one more try after it, and no third one. */
static bool is_tried_twice(const rewrite_unit *unit, size_t i, const declaration *d) {
  const size_t right = word_at(unit, i + 1, "(") ? partner(unit, i + 1) : NOWHERE;
  if (right == NOWHERE || !one_of_at(unit, i, swaps)) return false;
  for (size_t j = right; j < d->close; j++)
    if (one_of_at(unit, j, swaps) && word_at(unit, j + 1, "(") && same_place(unit, i, j))
      return !compares_constant(unit, j) && is_unused(unit, j, d) && !is_tried_again(unit, d, j);
  return false;
}

static void mark_alone(rewrite_unit *unit, size_t i, const declaration *d) {
  const bool kept = is_kept(unit, i), tested = word_at(unit, i - 1, "(") && word_at(unit, i - 2, "if");
  if (!is_unused(unit, i, d) && !((kept || tested) && is_tried_twice(unit, i, d))) return;
  if (one_of_at(unit, i, exchanges) && stores_constant(unit, i + 1, partner(unit, i + 1))) return;
  if (one_of_at(unit, i, swaps) && compares_constant(unit, i)) return;
  if (is_tried_again(unit, d, i)) return;
  if (one_of_at(unit, i, stores))
    insert(unit, i, kept ? "CUCC_ALONE_STORE_KEPT" : "CUCC_ALONE_STORE");
  else
    insert(unit, i, kept ? "CUCC_ALONE_KEPT" : "CUCC_ALONE");
}

void find_marks(rewrite_unit *unit) {
  if (unit->macro || !unit->names) return;
  collect_meetings(unit);
  for (size_t i = 0; i < unit->declarations.count; i++) {
    const declaration *d = &unit->declarations.items[i];
    mark_function(unit, d);
    if (d->kind != DECLARES_FUNCTION || d->close == NOWHERE || d->is_constexpr) continue;
    for (size_t j = d->open + 1; j < d->close; j++) {
      if (one_of_at(unit, j, barriers)) mark_barrier(unit, j);
      if (one_of_at(unit, j, adds) || one_of_at(unit, j, stores)) mark_alone(unit, j, d);
      if (!on_device(d) && word_at(unit, j, "__device__")) mark_lambda(unit, j);
    }
  }
}
