/* scope.c: finds which bracket belongs to which, and the kind of scope that each token is in. */
#include "scope.h"

#include "grow.h"

#include <stdlib.h>
#include <string.h>

bool word_at(const rewrite_unit *unit, size_t i, const char *word) {
  return i < unit->tokens.count && token_is(unit->text, &unit->tokens.items[i], word);
}

bool one_of_at(const rewrite_unit *unit, size_t i, const char *const *words) {
  for (; *words; words++)
    if (word_at(unit, i, *words)) return true;
  return false;
}

bool kind_at(const rewrite_unit *unit, size_t i, token_kind kind) {
  return i < unit->tokens.count && unit->tokens.items[i].kind == kind;
}

bool touches_next(const rewrite_unit *unit, size_t i) {
  return i + 1 < unit->tokens.count && unit->tokens.items[i].end == unit->tokens.items[i + 1].begin;
}

bool opens(const rewrite_unit *unit, size_t i) {
  return word_at(unit, i, "(") || word_at(unit, i, "[") || word_at(unit, i, "{");
}

bool closes(const rewrite_unit *unit, size_t i) {
  return word_at(unit, i, ")") || word_at(unit, i, "]") || word_at(unit, i, "}");
}

size_t partner(const rewrite_unit *unit, size_t i) {
  return i < unit->tokens.count ? unit->tokens.items[i].partner : NOWHERE;
}

/* A template's arguments may hold comparisons in parentheses only, as in C++. */
size_t match_template(const rewrite_unit *unit, size_t i) {
  size_t depth = 0;
  for (; i < unit->tokens.count; i++) {
    if (word_at(unit, i, "<")) {
      depth++;
    } else if (word_at(unit, i, ">")) {
      if (--depth == 0) return i;
    } else if (opens(unit, i)) {
      i = partner(unit, i);
      if (i == NOWHERE) return NOWHERE;
    } else if (word_at(unit, i, ";") || closes(unit, i) || kind_at(unit, i, TOKEN_DIRECTIVE)) {
      return NOWHERE;
    }
  }
  return NOWHERE;
}

/* Words whose parentheses belong to no function's parameters. */
static const char *const with_parentheses[] = {
    "__align__",  "alignas",  "__attribute__",     "__attribute", "__launch_bounds__", "__cluster_dims__",
    "decltype",   "noexcept", "__block_size__",    "__declspec",  "__maxnreg__",       "explicit",
    "__typeof__", "typeof",   "__grid_constant__", NULL};

size_t skip_attribute(const rewrite_unit *unit, size_t i) {
  if (word_at(unit, i, "[") && word_at(unit, i + 1, "[")) {
    size_t close = partner(unit, i);
    return close == NOWHERE ? i : close + 1;
  }
  if (!one_of_at(unit, i, with_parentheses) || !word_at(unit, i + 1, "(")) return i;
  size_t close = partner(unit, i + 1);
  return close == NOWHERE ? i : close + 1;
}

static const char *const classes[] = {"struct", "class", "union", "enum", NULL};

/* What the brace at token i opens: a namespace or an extern "C" block leaves the scope that of a file. Read
   backward: parameters before a class word make a function, `struct S f() {`; a class word first, `template
   <int N = sizeof(int)> struct S {`, a class. */
static scope_kind scope_of_brace(const rewrite_unit *unit, size_t i) {
  bool parameters = false;
  if (i >= 2 && kind_at(unit, i - 1, TOKEN_STRING) && word_at(unit, i - 2, "extern")) return SCOPE_FILE;
  while (i > 0) {
    i--;
    if (kind_at(unit, i, TOKEN_DIRECTIVE) || word_at(unit, i, ";") || word_at(unit, i, "{") ||
        word_at(unit, i, "}"))
      break;
    if (word_at(unit, i, "namespace")) return SCOPE_FILE;
    if (one_of_at(unit, i, classes)) return parameters ? SCOPE_FUNCTION : SCOPE_CLASS;
    if (word_at(unit, i, ")")) {
      size_t open = partner(unit, i);
      if (open == NOWHERE) break;
      parameters = parameters || open == 0 || skip_attribute(unit, open - 1) == open - 1;
      i = open;
    }
  }
  return SCOPE_FUNCTION;
}

typedef struct {
  size_t token;
  scope_kind inside;
} bracket;

/* The brackets that were open at an #if: its #else starts from there. */
typedef struct {
  bracket *brackets;
  size_t count;
  int parentheses;
} scope_mark;

typedef struct {
  bracket *brackets; /* those that are open */
  size_t count, capacity;
  int parentheses;
  scope_mark *marks; /* for each #if that is open */
  size_t mark_count, mark_capacity;
} scope;

bool directive_is(const rewrite_unit *unit, size_t i, const char *word) {
  if (!kind_at(unit, i, TOKEN_DIRECTIVE)) return false;
  const char *p = unit->text + unit->tokens.items[i].begin + 1, *end = unit->text + unit->tokens.items[i].end;
  while (p < end && (*p == ' ' || *p == '\t')) p++;
  return (size_t)(end - p) >= strlen(word) && memcmp(p, word, strlen(word)) == 0;
}

/* Both branches of an #if start from the same depth: a brace opened in each must not count twice. */
static void scope_directive(const rewrite_unit *unit, size_t i, scope *s) {
  if (directive_is(unit, i, "if")) {
    s->marks = rewrite_grow(s->marks, &s->mark_capacity, s->mark_count + 1, sizeof *s->marks);
    scope_mark *mark = &s->marks[s->mark_count++];
    size_t none = 0;
    *mark = (scope_mark){.count = s->count, .parentheses = s->parentheses};
    mark->brackets = rewrite_grow(NULL, &none, s->count + 1, sizeof *mark->brackets);
    if (s->count > 0) memcpy(mark->brackets, s->brackets, s->count * sizeof *mark->brackets);
  } else if (directive_is(unit, i, "el") && s->mark_count > 0) {
    const scope_mark *mark = &s->marks[s->mark_count - 1];
    s->brackets = rewrite_grow(s->brackets, &s->capacity, mark->count + 1, sizeof *s->brackets);
    memcpy(s->brackets, mark->brackets, mark->count * sizeof *mark->brackets);
    s->count = mark->count;
    s->parentheses = mark->parentheses;
  } else if (directive_is(unit, i, "endif") && s->mark_count > 0) {
    free(s->marks[--s->mark_count].brackets);
  }
}

/* The scope of a token in this place: parentheses do not change it. */
static scope_kind inside(const rewrite_unit *unit, const scope *s) {
  if (unit->macro) return SCOPE_FUNCTION;
  return s->count > 0 ? s->brackets[s->count - 1].inside : SCOPE_FILE;
}

static void open_bracket(const rewrite_unit *unit, size_t i, scope *s) {
  scope_kind kind = inside(unit, s);
  if (word_at(unit, i, "{") && kind != SCOPE_FUNCTION) kind = scope_of_brace(unit, i);
  s->brackets = rewrite_grow(s->brackets, &s->capacity, s->count + 1, sizeof *s->brackets);
  s->brackets[s->count].token = i;
  s->brackets[s->count++].inside = kind;
  if (!word_at(unit, i, "{")) s->parentheses++;
}

static void close_bracket(rewrite_unit *unit, size_t i, scope *s) {
  if (!word_at(unit, i, "}") && s->parentheses > 0) s->parentheses--;
  if (s->count == 0) return;
  size_t open = s->brackets[--s->count].token;
  if (unit->tokens.items[open].partner == NOWHERE)
    unit->tokens.items[open].partner = i; /* else it has one in the #if's other branch */
  unit->tokens.items[i].partner = open;
}

void find_scopes(rewrite_unit *unit) {
  scope s = {0};
  for (size_t i = 0; i < unit->tokens.count; i++) {
    token *t = &unit->tokens.items[i];
    t->partner = NOWHERE;
    if (t->kind == TOKEN_DIRECTIVE) scope_directive(unit, i, &s);
    t->parentheses = s.parentheses;
    t->scope = inside(unit, &s);
    if (opens(unit, i))
      open_bracket(unit, i, &s);
    else if (closes(unit, i))
      close_bracket(unit, i, &s);
  }
  free(s.brackets);
  while (s.mark_count > 0) free(s.marks[--s.mark_count].brackets);
  free(s.marks);
}

bool same_word(const rewrite_unit *unit, size_t a, size_t b) {
  const token *t = unit->tokens.items;
  if (!kind_at(unit, a, TOKEN_WORD) || !kind_at(unit, b, TOKEN_WORD)) return false;
  size_t length = t[a].end - t[a].begin;
  return t[b].end - t[b].begin == length &&
         memcmp(unit->text + t[a].begin, unit->text + t[b].begin, length) == 0;
}

size_t line_index(const rewrite_unit *unit, size_t offset) {
  size_t low = 0, high = unit->line_count;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (unit->lines[middle] <= offset)
      low = middle;
    else
      high = middle;
  }
  return low;
}

int line_of(const rewrite_unit *unit, size_t offset) {
  return unit->first_line + (int)line_index(unit, offset);
}
