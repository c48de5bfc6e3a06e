/* names.c: a table of names: the functions, kernels and macros of a program's files. */
#define _GNU_SOURCE /* memmem */
#include "names.h"

#include "grow.h"
#include "scope.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Functions of the language that only kernels may call. */
static const char *const device_functions[] = {"__syncthreads",   "__syncwarp",     "__syncthreads_count",
                                               "__shfl_sync",     "__shfl_up_sync", "__shfl_down_sync",
                                               "__shfl_xor_sync", "__ballot_sync",  "__threadfence",
                                               "atomicAdd",       "atomicSub",      "atomicExch",
                                               "atomicMin",       "atomicMax",      "atomicInc",
                                               "atomicDec",       "atomicCAS",      "atomicAnd",
                                               "atomicOr",        "atomicXor",      NULL};

static size_t hash(const char *text, size_t length) {
  size_t value = 1469598103u;
  for (size_t i = 0; i < length; i++) value = (value ^ (unsigned char)text[i]) * 1099511u;
  return value;
}

/* The slot of this name, or the empty one where it belongs. The table is never full. */
static known_name *slot(const name_table *table, const char *text, size_t length) {
  size_t mask = table->capacity - 1;
  for (size_t i = hash(text, length) & mask;; i = (i + 1) & mask) {
    known_name *name = &table->items[i];
    if (!name->text || (strlen(name->text) == length && memcmp(name->text, text, length) == 0)) return name;
  }
}

static void make_room(name_table *table) {
  if (table->count * 2 < table->capacity) return;
  name_table bigger = {.capacity = table->capacity ? table->capacity * 2 : 256, .count = table->count};
  size_t none = 0;
  bigger.items = rewrite_grow(NULL, &none, bigger.capacity, sizeof *bigger.items);
  memset(bigger.items, 0, bigger.capacity * sizeof *bigger.items);
  for (size_t i = 0; i < table->capacity; i++)
    if (table->items[i].text)
      *slot(&bigger, table->items[i].text, strlen(table->items[i].text)) = table->items[i];
  free(table->items);
  *table = bigger;
}

void name_add(name_table *table, const char *text, size_t length, unsigned meaning, const char *file,
              int line) {
  make_room(table);
  known_name *name = slot(table, text, length);
  if (!name->text) {
    wb_text copy = {0}, place = {0};
    wb_text_add_bytes(&copy, text, length);
    wb_text_add_bytes(&place, file, strlen(file));
    *name = (known_name){.text = copy.data, .file = place.data, .line = line};
    table->count++;
  }
  name->meanings |= meaning;
}

void names_of_language(name_table *table) {
  for (const char *const *name = device_functions; *name; name++)
    name_add(table, *name, strlen(*name), NAME_DEVICE | NAME_OF_LANGUAGE, "", 0);
}

known_name *name_at(const rewrite_unit *unit, size_t i) {
  if (!unit->names || unit->names->capacity == 0 || !kind_at(unit, i, TOKEN_WORD)) return NULL;
  const token *t = &unit->tokens.items[i];
  known_name *name = slot(unit->names, unit->text + t->begin, t->end - t->begin);
  return name->text ? name : NULL;
}

bool name_means(const known_name *name, unsigned meaning) {
  return name && (name->meanings & ~(NAME_OF_LANGUAGE | NAME_MEETS | NAME_WAITS | NAME_TEMPLATE)) == meaning;
}

bool begins_kernel(const rewrite_unit *unit, size_t i) {
  const known_name *name = name_at(unit, i);
  return word_at(unit, i, "__global__") || (name && name->meanings & NAME_GLOBAL);
}

bool begins_template(const rewrite_unit *unit, size_t i) {
  const known_name *name = name_at(unit, i);
  return word_at(unit, i, "template") || (name && name->meanings & NAME_TEMPLATE);
}

void names_free(name_table *table) {
  for (size_t i = 0; i < table->capacity; i++) {
    free(table->items[i].text);
    free(table->items[i].file);
  }
  free(table->items);
}

/* ---- collecting ---------------------------------------------------------------------------------------- */

void name_add_at(rewrite_unit *unit, size_t i, unsigned meaning) {
  const token *t = &unit->tokens.items[i];
  name_add(unit->names, unit->text + t->begin, t->end - t->begin, meaning, unit->name,
           line_of(unit, t->begin));
}

/* A word that may be a macro and hide __device__: a known one, or one in capitals. */
static bool may_be_macro(const rewrite_unit *unit, size_t i) {
  if (!kind_at(unit, i, TOKEN_WORD)) return false;
  const known_name *name = name_at(unit, i);
  if (name && name->meanings & NAME_MACRO) return true;
  const token *t = &unit->tokens.items[i];
  for (size_t c = t->begin; c < t->end; c++)
    if (islower((unsigned char)unit->text[c])) return false;
  return t->end - t->begin > 1;
}

unsigned meaning_of(const rewrite_unit *unit, const declaration *d) {
  if (d->kind != DECLARES_FUNCTION || d->is_operator || d->conditional || d->is_constexpr ||
      unit->tokens.items[d->name].scope != SCOPE_FILE || unit->tokens.items[d->name].parentheses > 0)
    return NAME_OTHER;
  for (size_t i = d->first; i < d->name; i++) {
    const bool parameters = word_at(unit, i, "template") && word_at(unit, i + 1, "<");
    const size_t end = parameters ? match_template(unit, i + 1) : NOWHERE;
    if (end != NOWHERE)
      i = end; /* `template <int TILE>` */
    else if (may_be_macro(unit, i))
      return NAME_OTHER;
  }
  if (d->global) return NAME_KERNEL;
  if (d->host) return d->device ? NAME_BOTH : NAME_HOST;
  return d->device ? NAME_DEVICE : NAME_HOST;
}

/* Whether a macro holds a loop, but for `do { } while (0)`: names what is called in it, too. */
static bool holds_loop(rewrite_unit *unit, const char *p, const char *end) {
  static const char *const words[] = {"for", "while", "goto", NULL};
  bool loop = false;
  for (int round = 0; round < 1 + loop; round++)
    for (const char *c = p; c < end;) {
      const char *word = c;
      while (c < end && (isalnum((unsigned char)*c) || *c == '_')) c++;
      const size_t length = (size_t)(c - word);
      while (c < end && isspace((unsigned char)*c)) c++;
      if (length == 0) {
        c += c == word;
      } else if (round > 0) {
        if (c < end && *c == '(') name_add(unit->names, word, length, NAME_WAITS, unit->name, 0);
      } else if (!(end - c >= 3 && memcmp(c, "(0)", 3) == 0)) {
        for (const char *const *w = words; *w; w++)
          loop |= strlen(*w) == length && memcmp(*w, word, length) == 0;
      }
    }
  return loop;
}

void collect_macros(rewrite_unit *unit) {
  for (size_t i = 0; i < unit->tokens.count; i++) {
    if (!directive_is(unit, i, "define")) continue;
    const token *t = &unit->tokens.items[i];
    const char *p = unit->text + t->begin, *end = unit->text + t->end;
    for (p = (const char *)memchr(p, 'e', t->end - t->begin) + 5; p < end && isspace((unsigned char)*p);) p++;
    const char *name = p;
    while (p < end && (isalnum((unsigned char)*p) || *p == '_')) p++;
    const size_t rest = (size_t)(end - p);
    const bool meets = memmem(p, rest, "__syncthreads", strlen("__syncthreads"));
    const bool begins =
        !memchr(p, '{', rest) && !memchr(p, ';', rest); /* and what it begins goes on after it */
    const bool global = begins && memmem(p, rest, "__global__", strlen("__global__"));
    const bool template = begins && memmem(p, rest, "template", strlen("template"));
    const unsigned meanings = NAME_MACRO | (template ? NAME_TEMPLATE : 0) | (meets ? NAME_MEETS : 0) |
                              (global ? NAME_GLOBAL : 0) | (holds_loop(unit, p, end) ? NAME_WAITS : 0);
    if (p > name)
      name_add(unit->names, name, (size_t)(p - name), meanings, unit->name, line_of(unit, t->begin));
  }
}

/* Which of the function's parameters are references; the first 32 count. */
static unsigned references_in_head(const rewrite_unit *unit, const declaration *d) {
  unsigned references = 0, bit = 1;
  for (size_t i = d->left + 1; i < d->right; i++) {
    if (word_at(unit, i, "<") && match_template(unit, i) != NOWHERE) i = match_template(unit, i);
    if (opens(unit, i) && partner(unit, i) != NOWHERE) i = partner(unit, i);
    if (word_at(unit, i, ",")) bit *= 2;
    if (word_at(unit, i, "&")) references |= bit;
    if (word_at(unit, i, "="))
      while (i + 1 < d->right && !word_at(unit, i + 1, ",")) i++;
  }
  return references;
}

void collect_functions(rewrite_unit *unit) {
  for (size_t i = 0; i < unit->declarations.count; i++) {
    const declaration *d = &unit->declarations.items[i];
    if (d->kind == DECLARES_FUNCTION && kind_at(unit, d->name, TOKEN_WORD))
      name_add_at(unit, d->name, meaning_of(unit, d));
    if (d->kind != DECLARES_FUNCTION || !d->global || !kind_at(unit, d->name, TOKEN_WORD)) continue;
    known_name *name = name_at(unit, d->name);
    name->references = references_in_head(unit, d) & (name->has_parameters ? name->references : ~0u);
    name->has_parameters = true;
  }
}
