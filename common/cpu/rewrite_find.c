/* The rewriter's eyes: finds launches and declarations of dynamic shared memory among the tokens. See
 * rewrite.h. */
#include "rewrite.h"

#include <stdlib.h>
#include <string.h>

#define NOWHERE ((size_t)-1)

static bool is(const rewrite_unit *unit, size_t i, const char *word) {
  return i < unit->tokens.count && token_is(unit->text, &unit->tokens.items[i], word);
}

static bool is_one_of(const rewrite_unit *unit, size_t i, const char *const *words) {
  for (; *words; words++)
    if (is(unit, i, *words)) return true;
  return false;
}

static bool touches_next(const rewrite_unit *unit, size_t i) {
  return i + 1 < unit->tokens.count && unit->tokens.items[i].end == unit->tokens.items[i + 1].begin;
}

/* Number of tokens `c` that follow each other without a gap from token i on. */
static size_t run_length(const rewrite_unit *unit, size_t i, const char *c) {
  size_t length = 0;
  while (is(unit, i + length, c)) {
    length++;
    if (!touches_next(unit, i + length - 1)) break;
  }
  return length;
}

static bool opens(const rewrite_unit *unit, size_t i) {
  return is(unit, i, "(") || is(unit, i, "[") || is(unit, i, "{");
}

static bool closes(const rewrite_unit *unit, size_t i) {
  return is(unit, i, ")") || is(unit, i, "]") || is(unit, i, "}");
}

/* The bracket that matches the one at token i, or NOWHERE. Forward from an opening one, backward from a
 * closing one. */
static size_t match_forward(const rewrite_unit *unit, size_t i) {
  size_t depth = 0;
  for (; i < unit->tokens.count; i++) {
    if (opens(unit, i))
      depth++;
    else if (closes(unit, i) && --depth == 0)
      return i;
  }
  return NOWHERE;
}

static size_t match_backward(const rewrite_unit *unit, size_t i) {
  size_t depth = 0;
  for (;; i--) {
    if (closes(unit, i))
      depth++;
    else if (opens(unit, i) && --depth == 0)
      return i;
    if (i == 0) return NOWHERE;
  }
}

/* ---- scopes
 * ---------------------------------------------------------------------------------------------------- */

static const char *const alignments[] = {"__align__", "alignas", "__attribute__", NULL};
static const char *const classes[] = {"struct", "class", "union", "enum", NULL};

/* Whether the brace at token i opens a function's body rather than a namespace, an extern "C" block or a
 * class. */
static bool brace_opens_function(const rewrite_unit *unit, size_t i) {
  const token *t = unit->tokens.items;
  bool class_word = false, parameters = false;
  if (i >= 2 && t[i - 1].kind == TOKEN_STRING && is(unit, i - 2, "extern")) return false;
  while (i > 0) {
    i--;
    if (t[i].kind == TOKEN_DIRECTIVE || is(unit, i, ";") || is(unit, i, "{") || is(unit, i, "}")) break;
    if (is(unit, i, "namespace")) return false;
    if (is_one_of(unit, i, classes)) class_word = true;
    if (is(unit, i, ")")) {
      size_t open = match_backward(unit, i);
      if (open == NOWHERE) break;
      parameters = parameters || open == 0 || !is_one_of(unit, open - 1, alignments);
      i = open;
    }
  }
  return parameters || !class_word;
}

typedef struct {
  size_t braces;
  int parentheses;
} scope_mark;

typedef struct {
  bool *functions; /* for each open brace: does it, or one around it, belong to a function? */
  size_t braces, capacity;
  int parentheses;
  scope_mark *marks; /* state at each open #if, for its #else */
  size_t mark_count, mark_capacity;
} scope;

static bool directive_is(const rewrite_unit *unit, size_t i, const char *word) {
  const char *p = unit->text + unit->tokens.items[i].begin + 1, *end = unit->text + unit->tokens.items[i].end;
  while (p < end && (*p == ' ' || *p == '\t')) p++;
  return (size_t)(end - p) >= strlen(word) && memcmp(p, word, strlen(word)) == 0;
}

/* Both branches of an #if start from the same depth: a brace opened in each must not count twice. */
static void scope_directive(const rewrite_unit *unit, size_t i, scope *s) {
  if (directive_is(unit, i, "if")) {
    s->marks = rewrite_grow(s->marks, &s->mark_capacity, s->mark_count + 1, sizeof *s->marks);
    s->marks[s->mark_count++] = (scope_mark){s->braces, s->parentheses};
  } else if (directive_is(unit, i, "el") && s->mark_count > 0) {
    s->braces = s->marks[s->mark_count - 1].braces;
    s->parentheses = s->marks[s->mark_count - 1].parentheses;
  } else if (directive_is(unit, i, "endif") && s->mark_count > 0) {
    s->mark_count--;
  }
}

static void find_scopes(rewrite_unit *unit) {
  scope s = {0};
  for (size_t i = 0; i < unit->tokens.count; i++) {
    token *t = &unit->tokens.items[i];
    if (t->kind == TOKEN_DIRECTIVE) scope_directive(unit, i, &s);
    t->parentheses = s.parentheses;
    t->in_function = unit->macro || (s.braces > 0 && s.functions[s.braces - 1]);
    if (is(unit, i, "(") || is(unit, i, "[")) {
      s.parentheses++;
    } else if ((is(unit, i, ")") || is(unit, i, "]")) && s.parentheses > 0) {
      s.parentheses--;
    } else if (is(unit, i, "{")) {
      bool function = t->in_function || brace_opens_function(unit, i);
      s.functions = rewrite_grow(s.functions, &s.capacity, s.braces + 1, sizeof *s.functions);
      s.functions[s.braces++] = function;
    } else if (is(unit, i, "}") && s.braces > 0) {
      s.braces--;
    }
  }
  free(s.functions);
  free(s.marks);
}

/* ---- launches
 * -------------------------------------------------------------------------------------------------- */

/* Token that opens the template arguments closed by the > at token i, or NOWHERE. Brackets inside are skipped
   whole, so that k<(a > b)> is read right. */
static size_t match_template_backward(const rewrite_unit *unit, size_t i) {
  size_t depth = 0;
  for (;; i--) {
    if (is(unit, i, ">")) {
      depth++;
    } else if (is(unit, i, "<")) {
      if (--depth == 0) return i;
    } else if (closes(unit, i)) {
      i = match_backward(unit, i);
      if (i == NOWHERE) return NOWHERE;
    } else if (is(unit, i, ";") || opens(unit, i) || unit->tokens.items[i].kind == TOKEN_DIRECTIVE) {
      return NOWHERE;
    }
    if (i == 0) return NOWHERE;
  }
}

static const char *const no_operand[] = {"if",   "while",  "for",       "switch", "return", "else",     "do",
                                         "case", "sizeof", "co_return", "throw",  "catch",  "decltype", NULL};

/* First token of the last part of a kernel's name that ends with token i: a word, word<...>, (...), or a call
   or element of such a part. NOWHERE when there is none. */
static size_t name_part_begin(const rewrite_unit *unit, size_t i) {
  if (is(unit, i, ">")) {
    i = match_template_backward(unit, i);
    if (i == NOWHERE || i == 0) return NOWHERE;
    i--;
    return unit->tokens.items[i].kind == TOKEN_WORD ? i : NOWHERE;
  }
  if (is(unit, i, ")") || is(unit, i, "]")) {
    size_t open = match_backward(unit, i);
    if (open == NOWHERE) return NOWHERE;
    bool callee = open > 0 && !is_one_of(unit, open - 1, no_operand) &&
                  (unit->tokens.items[open - 1].kind == TOKEN_WORD || is(unit, open - 1, "]"));
    if (open > 1 && is(unit, open - 1, ")")) { /* (f)(x) is a call, `if (x) (f)` is not */
      size_t before = match_backward(unit, open - 1);
      callee = before != NOWHERE && before > 0 && !is_one_of(unit, before - 1, no_operand);
    }
    return callee ? name_part_begin(unit, open - 1) : open;
  }
  bool word = unit->tokens.items[i].kind == TOKEN_WORD && !is_one_of(unit, i, no_operand);
  return word && !is(unit, i, "operator") ? i : NOWHERE;
}

/* First token of the kernel's name that ends with token i: with namespaces, members, and ## in a macro. */
static size_t name_begin(const rewrite_unit *unit, size_t i) {
  size_t begin = name_part_begin(unit, i);
  while (begin != NOWHERE && begin > 0) {
    size_t before = begin - 1, end;
    if (is(unit, before, "template") && before > 0) before--;
    if (is(unit, before, "::")) {
      end = before;
      if (before == 0 || !(unit->tokens.items[before - 1].kind == TOKEN_WORD || is(unit, before - 1, ">")) ||
          is_one_of(unit, before - 1, no_operand))
        return end; /* ::kernel */
    } else if (is(unit, before, ".") || is(unit, before, "->")) {
      end = before;
    } else if (unit->macro && is(unit, before, "#") && before > 0 && is(unit, before - 1, "#")) {
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
      i = match_forward(unit, i);
      if (i == NOWHERE) return NOWHERE;
      i++;
    } else if (closes(unit, i) || is(unit, i, ";")) {
      return NOWHERE;
    } else if (is(unit, i, "<")) {
      size_t run = run_length(unit, i, "<");
      open_templates += run == 1 && unit->tokens.items[i - 1].kind == TOKEN_WORD;
      i += run;
    } else if (is(unit, i, ">")) {
      size_t run = run_length(unit, i, ">");
      bool launch = run > 3 ? run - 3 <= open_templates : run == 3 && open_templates < 3;
      if (launch && is(unit, i + run, "(")) return i + run - 3;
      open_templates -= run < open_templates ? run : open_templates;
      i += run;
    } else {
      i++;
    }
  }
  return NOWHERE;
}

static bool find_launch(const rewrite_unit *unit, size_t open, edit *out) {
  if (open == 0 || run_length(unit, open, "<") != 3 ||
      (touches_next(unit, open + 2) && is(unit, open + 3, "<=")))
    return false;
  size_t first = name_begin(unit, open - 1);
  size_t close = first == NOWHERE ? NOWHERE : find_close(unit, open + 3);
  if (close == NOWHERE || close == open + 3) /* an empty configuration is left for the compiler to refuse */
    return false;
  size_t right = match_forward(unit, close + 3);
  if (right == NOWHERE) return false;
  *out = (edit){.kind = EDIT_LAUNCH,
                .first = first,
                .last = right,
                .open = open,
                .close = close,
                .left = close + 3,
                .right = right};
  return true;
}

/* ---- extern __shared__
 * ----------------------------------------------------------------------------------------- */

size_t skip_shared_specifier(const rewrite_unit *unit, size_t i, size_t end) {
  if (is(unit, i, "extern") || is(unit, i, "__shared__")) return i + 1;
  if (i + 1 < end && is_one_of(unit, i, alignments) && is(unit, i + 1, "(")) {
    size_t close = match_forward(unit, i + 1);
    return close < end ? close + 1 : i;
  }
  return i;
}

/* Whether `extern` at token i starts (or `__shared__ extern` does) a declaration of arrays in dynamic shared
 * memory. */
static bool find_dynamic_shared(const rewrite_unit *unit, size_t i, edit *out) {
  size_t first = i, last = i, array = NOWHERE;
  bool is_extern = false, is_shared = false;
  for (; last < unit->tokens.count && !is(unit, last, ";"); last++) {
    size_t next = skip_shared_specifier(unit, last, unit->tokens.count);
    is_extern = is_extern || is(unit, last, "extern");
    is_shared = is_shared || is(unit, last, "__shared__");
    if (next > last)
      last = next - 1;
    else if (opens(unit, last) && !is(unit, last, "["))
      return false;
    else if (is(unit, last, "=") || closes(unit, last) || unit->tokens.items[last].kind == TOKEN_DIRECTIVE ||
             unit->tokens.items[last].kind == TOKEN_STRING)
      return false;
    else if (is(unit, last, "[")) {
      if (array == NOWHERE && is(unit, last + 1, "]")) array = last;
      last = match_forward(unit, last);
      if (last == NOWHERE) return false;
    }
  }
  bool whole = last < unit->tokens.count || unit->macro; /* a macro may leave its last ; to its user */
  if (!is_extern || !is_shared || array == NOWHERE || !whole) return false;
  *out = (edit){.kind = EDIT_DYNAMIC_SHARED, .first = first, .last = last - 1};
  return true;
}

static void add_edit(edit_list *list, edit e) {
  list->items = rewrite_grow(list->items, &list->capacity, list->count + 1, sizeof *list->items);
  list->items[list->count++] = e;
}

static int by_first_token(const void *a, const void *b) {
  size_t x = ((const edit *)a)->first, y = ((const edit *)b)->first;
  return (x > y) - (x < y);
}

void find_edits(rewrite_unit *unit) {
  find_scopes(unit);
  for (size_t i = 0; i < unit->tokens.count; i++) {
    edit e;
    if (is(unit, i, "<") && !(i > 0 && is(unit, i - 1, "<") && touches_next(unit, i - 1)) &&
        find_launch(unit, i, &e)) {
      add_edit(&unit->edits, e);
    } else if ((is(unit, i, "extern") || is(unit, i, "__shared__")) && find_dynamic_shared(unit, i, &e)) {
      add_edit(&unit->edits, e);
      i = e.last;
    }
  }
  if (unit->edits.count > 1)
    qsort(unit->edits.items, unit->edits.count, sizeof *unit->edits.items, by_first_token);
}
