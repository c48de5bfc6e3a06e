/* find.c: finds launches and declarations of dynamic shared memory among the tokens. */
#include "find.h"

#include "arch.h"
#include "check.h"
#include "declare.h"
#include "edits.h"
#include "marks.h"
#include "names.h"
#include "scope.h"
#include "waits.h"

#include <stdlib.h>
#include <string.h>

/* Number of tokens `c` that follow each other without a gap from token i on. As for nvcc, one gap is allowed
   in three of them, `k << <8, 32>> >(a)`: some editors write launches so. */
static size_t run_length(const rewrite_unit *unit, size_t i, const char *c) {
  size_t length = 0;
  while (word_at(unit, i + length, c)) {
    length++;
    if (!touches_next(unit, i + length - 1)) break;
  }
  if (length == 2 && word_at(unit, i + 2, c)) length = 3;
  return length;
}

/* ---- launches ------------------------------------------------------------------------------------------ */

/* Token that opens the template arguments closed by the > at token i, or NOWHERE. Brackets inside are skipped
   whole, so that k<(a > b)> is read right. */
static size_t match_template_backward(const rewrite_unit *unit, size_t i) {
  size_t depth = 0;
  for (;; i--) {
    if (word_at(unit, i, ">")) {
      depth++;
    } else if (word_at(unit, i, "<")) {
      if (--depth == 0) return i;
    } else if (closes(unit, i)) {
      i = partner(unit, i);
      if (i == NOWHERE) return NOWHERE;
    } else if (word_at(unit, i, ";") || opens(unit, i) || kind_at(unit, i, TOKEN_DIRECTIVE)) {
      return NOWHERE;
    }
    if (i == 0) return NOWHERE;
  }
}

static const char *const no_operand[] = {"if",   "while",  "for",       "switch", "return", "else",     "do",
                                         "case", "sizeof", "co_return", "throw",  "catch",  "decltype", NULL};

/* First token of the last part of a kernel's name that ends with token i: a word, word<...>, (...), or a call
   (a cast, too) or element of such a part. NOWHERE when there is none. */
static size_t name_part_begin(const rewrite_unit *unit, size_t i) {
  if (word_at(unit, i, ">")) {
    i = match_template_backward(unit, i);
    if (i == NOWHERE || i == 0) return NOWHERE;
    i--;
    return kind_at(unit, i, TOKEN_WORD) ? i : NOWHERE;
  }
  if (word_at(unit, i, ")") || word_at(unit, i, "]")) {
    size_t open = partner(unit, i);
    if (open == NOWHERE) return NOWHERE;
    bool callee =
        open > 0 && !one_of_at(unit, open - 1, no_operand) &&
        (kind_at(unit, open - 1, TOKEN_WORD) || word_at(unit, open - 1, "]") || word_at(unit, open - 1, ">"));
    if (open > 1 && word_at(unit, open - 1, ")")) { /* (f)(x) is a call, `if (x) (f)` is not */
      size_t before = partner(unit, open - 1);
      callee = before != NOWHERE && before > 0 && !one_of_at(unit, before - 1, no_operand);
    }
    return callee ? name_part_begin(unit, open - 1) : open;
  }
  bool word = kind_at(unit, i, TOKEN_WORD) && !one_of_at(unit, i, no_operand);
  return word && !word_at(unit, i, "operator") ? i : NOWHERE;
}

/* First token of the kernel's name that ends with token i: with namespaces, members, and ## in a macro. */
static size_t name_begin(const rewrite_unit *unit, size_t i) {
  size_t begin = name_part_begin(unit, i);
  while (begin != NOWHERE && begin > 0) {
    size_t before = begin - 1, end;
    if (word_at(unit, before, "template") && before > 0) before--;
    if (word_at(unit, before, "::")) {
      end = before;
      if (before == 0 || !(kind_at(unit, before - 1, TOKEN_WORD) || word_at(unit, before - 1, ">")) ||
          one_of_at(unit, before - 1, no_operand))
        return end; /* ::kernel */
    } else if (word_at(unit, before, ".") || word_at(unit, before, "->")) {
      end = before;
    } else if (unit->macro && word_at(unit, before, "#") && before > 0 && word_at(unit, before - 1, "#")) {
      end = before - 1;
    } else {
      return begin;
    }
    if (end == 0) return NOWHERE;
    begin = name_part_begin(unit, end - 1);
  }
  return begin;
}

/* First of the three > that end the configuration which starts at token i, or NOWHERE. `k<<<f<A<B<C>>>(n),
   256>>>(x)` holds >>>( twice: a run of > can end the launch only when what exceeds three closes templates
   opened in it, and a run of exactly three is taken for three templates' ends where three are open. */
static size_t find_close(const rewrite_unit *unit, size_t i) {
  size_t open_templates = 0;
  while (i < unit->tokens.count) {
    if (opens(unit, i)) {
      i = partner(unit, i);
      if (i == NOWHERE) return NOWHERE;
      i++;
    } else if (closes(unit, i) || word_at(unit, i, ";")) {
      return NOWHERE;
    } else if (word_at(unit, i, "<")) {
      size_t run = run_length(unit, i, "<");
      open_templates += run == 1 && kind_at(unit, i - 1, TOKEN_WORD);
      i += run;
    } else if (word_at(unit, i, ">")) {
      size_t run = run_length(unit, i, ">");
      bool launch = run > 3 ? run - 3 <= open_templates : run == 3 && open_templates < 3;
      bool end_of_macro =
          unit->macro && i + run == unit->tokens.count; /* the arguments follow where it is used */
      if (launch && (word_at(unit, i + run, "(") || end_of_macro)) return i + run - 3;
      open_templates -= run < open_templates ? run : open_templates;
      i += run;
    } else {
      i++;
    }
  }
  return NOWHERE;
}

/* First token of a macro's replacement, after its name and parameters. */
static size_t replacement_begin(const rewrite_unit *unit) {
  bool parameters = word_at(unit, 1, "(") && touches_next(unit, 0);
  return parameters && partner(unit, 1) != NOWHERE ? partner(unit, 1) + 1 : 1;
}

static bool find_launch(const rewrite_unit *unit, size_t open, edit *out) {
  if (open == 0 || run_length(unit, open, "<") != 3 ||
      (touches_next(unit, open + 2) && word_at(unit, open + 3, "<=")))
    return false;
  bool headless = unit->macro && open == replacement_begin(unit); /* `#define SHAPE <<<1, 32>>>` */
  size_t first = headless ? open : name_begin(unit, open - 1);
  size_t close = first == NOWHERE ? NOWHERE : find_close(unit, open + 3);
  if (close == NOWHERE || close == open + 3) /* an empty configuration is left for the compiler to refuse */
    return false;
  bool whole = !headless && close + 3 < unit->tokens.count;
  size_t right = whole ? partner(unit, close + 3) : close + 2;
  if (right == NOWHERE) return false;
  *out = (edit){.kind = EDIT_LAUNCH,
                .first = first,
                .last = right,
                .open = open,
                .close = close,
                .left = whole ? close + 3 : NOWHERE,
                .right = right};
  return true;
}

/* ---- extern __shared__ --------------------------------------------------------------------------------- */

size_t skip_shared_specifier(const rewrite_unit *unit, size_t i, size_t end) {
  if (word_at(unit, i, "extern") || word_at(unit, i, "__shared__")) return i + 1;
  size_t next = skip_attribute(unit, i);
  return next <= end ? next : i;
}

/* Whether `extern` at token i starts (or `__shared__ extern` does) a declaration of arrays in dynamic shared
 * memory. */
static bool find_dynamic_shared(const rewrite_unit *unit, size_t i, edit *out) {
  size_t first = i, last = i, array = NOWHERE;
  bool is_extern = false, is_shared = false;
  for (; last < unit->tokens.count && !word_at(unit, last, ";"); last++) {
    size_t next = skip_shared_specifier(unit, last, unit->tokens.count);
    is_extern = is_extern || word_at(unit, last, "extern");
    is_shared = is_shared || word_at(unit, last, "__shared__");
    if (next > last)
      last = next - 1;
    else if (opens(unit, last) && !word_at(unit, last, "["))
      return false;
    else if (word_at(unit, last, "=") || closes(unit, last) || kind_at(unit, last, TOKEN_DIRECTIVE) ||
             kind_at(unit, last, TOKEN_STRING))
      return false;
    else if (word_at(unit, last, "[")) {
      if (array == NOWHERE && word_at(unit, last + 1, "]")) array = last;
      last = partner(unit, last);
      if (last == NOWHERE) return false;
    }
  }
  bool whole = last < unit->tokens.count || unit->macro; /* a macro may leave its last ; to its user */
  if (!is_extern || !is_shared || array == NOWHERE || !whole) return false;
  *out = (edit){.kind = EDIT_DYNAMIC_SHARED, .first = first, .last = last - 1};
  return true;
}

/* Whether `static` at token i belongs to a declaration with __shared__, before or after it. */
static bool is_static_shared(const rewrite_unit *unit, size_t i) {
  size_t first = i, last = i;
  while (first > unit->macro && kind_at(unit, first - 1, TOKEN_WORD)) first--; /* not the macro's own name */
  while (kind_at(unit, last + 1, TOKEN_WORD)) last++;
  for (size_t j = first; j <= last; j++)
    if (word_at(unit, j, "__shared__")) return true;
  return false;
}

/* `__shared__ alignas(16) float x`: g++ takes alignas only in front, so __shared__ moves after it. */
static void find_aligned_shared(rewrite_unit *unit, size_t i) {
  if (!word_at(unit, i + 1, "alignas") || !word_at(unit, i + 2, "(")) return;
  const size_t right = partner(unit, i + 2);
  if (right == NOWHERE || right + 1 >= unit->tokens.count) return;
  add_edit(unit, (edit){.kind = EDIT_STATIC, .first = i, .last = i});
  add_edit(unit,
           (edit){.kind = EDIT_INSERT, .first = right + 1, .last = right + 1, .inserted = "__shared__"});
}

static int by_first_token(const void *a, const void *b) {
  size_t x = ((const edit *)a)->first, y = ((const edit *)b)->first;
  return (x > y) - (x < y);
}

static void sort_edits(edit_list *list) {
  if (list->count > 1) qsort(list->items, list->count, sizeof *list->items, by_first_token);
}

void find_edits(rewrite_unit *unit) {
  find_scopes(unit);
  find_declarations(unit);
  find_arch(unit);
  for (size_t i = 0; i < unit->tokens.count; i++) {
    edit e;
    if (word_at(unit, i, "<") && !(i > 0 && word_at(unit, i - 1, "<") && touches_next(unit, i - 1)) &&
        find_launch(unit, i, &e)) {
      add_edit(unit, e);
    } else if ((word_at(unit, i, "extern") || word_at(unit, i, "__shared__")) &&
               find_dynamic_shared(unit, i, &e)) {
      add_edit(unit, e);
      i = e.last;
    } else if (word_at(unit, i, "static") && is_static_shared(unit, i)) {
      add_edit(unit, (edit){.kind = EDIT_STATIC, .first = i, .last = i});
    } else if (word_at(unit, i, "__shared__")) {
      find_aligned_shared(unit, i);
    }
  }
  sort_edits(&unit->edits);
  if (!unit->names) return;
  collect_functions(unit);
  find_waits(unit);
  find_marks(unit);
  sort_edits(&unit->edits);
  check_unit(unit);
  sort_edits(&unit->edits);
}
