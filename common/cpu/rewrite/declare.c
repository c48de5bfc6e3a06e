/* declare.c: reads declarations: which functions are kernels and which variables live on the device. It knows
   just enough of C++'s grammar to distinguish a function from a variable, and leaves alone what it cannot
   read. */
#define _GNU_SOURCE /* memmem */
#include "declare.h"

#include "arch.h"
#include "edits.h"
#include "grow.h"
#include "names.h"
#include "scope.h"

#include <string.h>

static const char *const memories[] = {"__device__", "__constant__", "__managed__", NULL};
static const char *const constants[] = {"const", "constexpr", NULL};
/* Words that do not start the declaration of a function or variable. */
static const char *const others[] = {"using", "typedef", "friend",    "static_assert",
                                     "asm",   "__asm__", "namespace", NULL};
static const char *const access_words[] = {"public", "private", "protected", NULL};

/* Token after the statement that goes on at token i: after its ; or after its brace. */
static size_t skip_statement(const rewrite_unit *unit, size_t i) {
  for (; i < unit->tokens.count; i++) {
    if (word_at(unit, i, ";")) return i + 1;
    if (closes(unit, i)) return i;
    if (opens(unit, i)) {
      bool brace = word_at(unit, i, "{");
      if (partner(unit, i) == NOWHERE) return i + 1;
      i = partner(unit, i);
      if (brace && !word_at(unit, i + 1, ";") && !word_at(unit, i + 1, ",")) return i + 1;
    }
  }
  return i;
}

/* The body's { of a function whose parameters end before token i, or NOWHERE when it has none. */
static size_t find_body(const rewrite_unit *unit, size_t i) {
  bool initialisers = false;
  for (; i < unit->tokens.count; i++) {
    size_t next = skip_attribute(unit, i);
    if (next > i) {
      i = next - 1;
    } else if (word_at(unit, i, ":")) {
      initialisers = true;
    } else if (word_at(unit, i, "{")) {
      if (!initialisers || !kind_at(unit, i - 1, TOKEN_WORD)) return i; /* else the member of `: member{1}` */
      i = partner(unit, i);
    } else if (word_at(unit, i, "<")) {
      i = match_template(unit, i);
    } else if (word_at(unit, i, "(") || word_at(unit, i, "[")) {
      i = partner(unit, i);
    } else if (word_at(unit, i, ";") || word_at(unit, i, "=") || closes(unit, i)) {
      return NOWHERE;
    }
    if (i == NOWHERE) return NOWHERE;
  }
  return NOWHERE;
}

/* The parentheses at token i, after a name, hold a function's parameters, except in `float
 * (*pointer)(float)`. */
static void read_function(const rewrite_unit *unit, size_t i, declaration *d) {
  size_t close = partner(unit, i);
  bool pointer = word_at(unit, i + 1, "*") || word_at(unit, i + 1, "&");
  if (close == NOWHERE || i == d->first) return;
  if (pointer && word_at(unit, close + 1, "(")) {
    d->kind = DECLARES_VARIABLE;
    d->constant = false;
    return;
  }
  if (!kind_at(unit, i - 1, TOKEN_WORD) && !word_at(unit, i - 1, ">") && !d->is_operator && !d->macro_names)
    return;
  if (d->is_operator && word_at(unit, i - 1, "operator")) { /* operator()(...) */
    i = close + 1;
    close = partner(unit, i);
    if (!word_at(unit, i, "(") || close == NOWHERE) return;
  }
  d->kind = DECLARES_FUNCTION;
  d->name = d->macro_names ? i - 2 : i - 1;
  d->left = i;
  d->right = close;
  d->open = find_body(unit, close + 1);
  d->close = d->open == NOWHERE ? NOWHERE : partner(unit, d->open);
}

/* `KERNEL(add)(float *x)`: the macro at token i is given the name, and the parameters follow. */
static bool names_kernel(const rewrite_unit *unit, size_t i) {
  const size_t close = partner(unit, i + 1);
  return close == i + 3 && kind_at(unit, i + 2, TOKEN_WORD) && word_at(unit, close + 1, "(");
}

/* Records the meaning of a word before the name. */
static void read_specifier(const rewrite_unit *unit, size_t i, declaration *d) {
  if (begins_template(unit, i)) d->is_template = true;
  if (begins_kernel(unit, i)) {
    d->global = true;
    d->specifier = i;
  } else if (one_of_at(unit, i, memories)) {
    d->device = true;
    /* `__device__ __managed__ int x` is managed */
    if (d->specifier == NOWHERE || word_at(unit, d->specifier, "__device__")) d->specifier = i;
  } else if (word_at(unit, i, "__host__")) {
    d->host = true;
  } else if (one_of_at(unit, i, constants)) {
    d->is_constexpr = d->is_constexpr || word_at(unit, i, "constexpr");
    d->constant = true;
  } else if (word_at(unit, i, "*")) {
    d->constant = false; /* so far the pointer's target is constant */
  } else if (word_at(unit, i, "operator")) {
    d->is_operator = true;
  } else if (word_at(unit, i, "static")) {
    d->is_static = true;
  } else if (word_at(unit, i, "inline")) {
    d->is_inline = true;
  }
}

static void read_declaration(const rewrite_unit *unit, size_t first, declaration *d) {
  *d = (declaration){.first = first, .specifier = NOWHERE, .open = NOWHERE, .close = NOWHERE};
  for (size_t i = first; i < unit->tokens.count; i++) {
    size_t next = skip_attribute(unit, i);
    if (next > i) {
      i = next - 1;
    } else if (kind_at(unit, i, TOKEN_DIRECTIVE)) {
      d->conditional = true;
    } else if (one_of_at(unit, i, others) || closes(unit, i)) {
      return;
    } else if (word_at(unit, i, "<") && !d->is_operator && i > first) {
      i = match_template(unit, i);
      if (i == NOWHERE) return;
    } else if ((begins_kernel(unit, i) || begins_template(unit, i)) && word_at(unit, i + 1, "(")) {
      /* `KERNEL(256) add(float *x)`, `GENERIC(class T) __global__ void add(T *x)` */
      read_specifier(unit, i, d);
      d->macro_names = begins_kernel(unit, i) && names_kernel(unit, i);
      i = partner(unit, i + 1);
      if (i == NOWHERE) return;
    } else if (word_at(unit, i, "(")) {
      read_function(unit, i, d);
      return;
    } else if (word_at(unit, i, ";") || word_at(unit, i, "{") || word_at(unit, i, "[") ||
               (!d->is_operator && (word_at(unit, i, "=") || word_at(unit, i, ",")))) {
      if (i > first) d->kind = d->is_operator ? DECLARES_NOTHING : DECLARES_VARIABLE;
      d->name = i > first ? i - 1 : i;
      return;
    } else {
      read_specifier(unit, i, d);
    }
  }
}

static void add_declaration(declaration_list *list, declaration d) {
  list->items = rewrite_grow(list->items, &list->capacity, list->count + 1, sizeof *list->items);
  list->items[list->count++] = d;
}

/* The brace of the namespace, extern "C" block or class that token i begins, or NOWHERE. */
static size_t scope_brace(const rewrite_unit *unit, size_t i) {
  for (; i < unit->tokens.count; i++) {
    size_t next = skip_attribute(unit, i);
    if (next > i)
      i = next - 1;
    else if (word_at(unit, i, "{"))
      return i + 1 < unit->tokens.count && unit->tokens.items[i + 1].scope != SCOPE_FUNCTION ? i : NOWHERE;
    else if (word_at(unit, i, ";") || opens(unit, i) || closes(unit, i))
      return NOWHERE;
  }
  return NOWHERE;
}

/* The token after a macro that is used like a whole declaration, without a semicolon: `KERNEL(add, float)`.
 * In front of a declaration, as `alignas(16) float x`, it is passed by in the same way. NOWHERE: there is
 * none at token i. */
static size_t after_macro(const rewrite_unit *unit, size_t i) {
  const bool in_file = unit->tokens.items[i].scope == SCOPE_FILE;
  if (!in_file || !kind_at(unit, i, TOKEN_WORD) || !word_at(unit, i + 1, "(") || begins_kernel(unit, i) ||
      begins_template(unit, i))
    return NOWHERE;
  const size_t close = partner(unit, i + 1);
  return close != NOWHERE && kind_at(unit, close + 1, TOKEN_WORD) ? close + 1 : NOWHERE;
}

/* Token i stands where a declaration may start, at file or class scope. Returns the token to go on at. */
static size_t find_declaration(rewrite_unit *unit, size_t i) {
  bool access = one_of_at(unit, i, access_words) && word_at(unit, i + 1, ":");
  if (kind_at(unit, i, TOKEN_DIRECTIVE) || closes(unit, i) || word_at(unit, i, ";")) return i + 1;
  if (access) return i + 2;
  if (after_macro(unit, i) != NOWHERE) return after_macro(unit, i);
  declaration d;
  read_declaration(unit, i, &d);
  size_t brace = scope_brace(unit, i);
  bool of_class = brace != NOWHERE && d.kind == DECLARES_VARIABLE && d.device; /* __device__ struct {} x; */
  if (brace == NOWHERE ? d.kind != DECLARES_NOTHING : of_class) add_declaration(&unit->declarations, d);
  if (brace != NOWHERE) return brace + 1;
  if (d.close != NOWHERE) return d.close + 1;
  size_t next = skip_statement(unit, d.kind == DECLARES_FUNCTION ? d.right + 1 : i);
  return next > i ? next : i + 1;
}

/* Device variables and their like are marked as such for the runtime, which has a copy of them for each
   device. Those of classes and inline ones stay the compiler's: there may be several of them, which the
   linker merges, and a section of their own would forbid that. So would it for a template's, which the
   runtime finds by their name. Constants need no copy. */
static void mark_variable(rewrite_unit *unit, const declaration *d) {
  size_t i = d->specifier;
  bool marked = d->kind == DECLARES_VARIABLE && d->device && !d->host && !d->constant &&
                (!d->is_inline || d->is_static) && unit->tokens.items[i].scope != SCOPE_CLASS &&
                unit->tokens.items[i].parentheses == 0;
  if (!marked) return;
  if (!d->is_template)
    add_edit(unit, (edit){.kind = EDIT_VARIABLE, .first = i, .last = i});
  else if (word_at(unit, d->first, "template") && kind_at(unit, d->name, TOKEN_WORD))
    add_edit(
        unit,
        (edit){
            .kind = EDIT_VARIABLE_TEMPLATE, .first = d->first, .last = d->first, .open = d->name, .left = i});
}

/* `static __device__ int x;` in a function: the statement that holds the specifier at token i. */
static void mark_static(rewrite_unit *unit, size_t i) {
  declaration d;
  size_t first = i;
  while (first > 0 && !word_at(unit, first - 1, ";") && !word_at(unit, first - 1, "{") &&
         !word_at(unit, first - 1, "}") && !kind_at(unit, first - 1, TOKEN_DIRECTIVE))
    first--;
  read_declaration(unit, first, &d);
  if (d.is_static && d.specifier == i) mark_variable(unit, &d);
}

/* The function's name: scale in `template <> void scale<float>(...)`. */
static size_t plain_name(const rewrite_unit *unit, const declaration *d) {
  size_t name = d->name;
  if (!word_at(unit, name, ">")) return name;
  while (name > d->first && !(word_at(unit, name + 1, "<") && match_template(unit, name + 1) == d->name))
    name--;
  return name;
}

/* A kernel is registered after its body, so that it can be launched by its address. Its type is named,
 * because other functions may have its name: `norm` is one of CUDA's own. A template's kernels are registered
 * in their body, where their types are known. */
static void mark_kernel(rewrite_unit *unit, const declaration *d) {
  const size_t name = plain_name(unit, d);
  const bool in_body = d->is_template || word_at(unit, name - 1, "::");
  bool marked = d->global && d->close != NOWHERE && !d->is_operator && !d->conditional &&
                kind_at(unit, name, TOKEN_WORD) && unit->tokens.items[name].scope == SCOPE_FILE &&
                (unit->tokens.items[name].parentheses == 0 || d->macro_names);
  if (!marked) return;
  add_edit(unit, (edit){.kind = EDIT_KERNEL,
                        .first = d->close,
                        .last = d->close,
                        .open = name,
                        .left = d->left,
                        .right = d->right,
                        .in_body = in_body});
}

/* The kernels that a macro writes: `#define MAP(NAME) __global__ void NAME(float *x) { ... }`. Their names
 * and types are known where the macro is used, so they are registered in their bodies. */
static void mark_kernels_of_macro(rewrite_unit *unit) {
  for (size_t i = 0, open = 0; i < unit->tokens.count; i = open) {
    open = i + 1;
    if (!word_at(unit, i, "__global__")) continue;
    size_t close = NOWHERE;
    while (open < unit->tokens.count && !word_at(unit, open, "{") && !word_at(unit, open, ";")) {
      close = word_at(unit, open, "(") ? partner(unit, open) : NOWHERE;
      if (close != NOWHERE && word_at(unit, close + 1, "{")) break;
      open = close != NOWHERE ? close + 1 : open + 1;
    }
    const bool by_name = word_at(unit, open, "{") && kind_at(unit, open - 1, TOKEN_WORD);
    if (by_name) close = --open; /* `void NAME PARAMETERS {`: they are a parameter of the macro */
    if (close == NOWHERE || !word_at(unit, close + 1, "{")) continue;
    bool has_default = false;
    for (size_t j = open; j < close; j++) has_default = has_default || word_at(unit, j, "=");
    if (!has_default)
      add_edit(unit, (edit){.kind = EDIT_KERNEL,
                            .first = close + 1,
                            .last = close + 1,
                            .left = open,
                            .right = close,
                            .in_body = true});
  }
}

/* nvcc compiles a file twice, and __CUDA_ARCH__ shows which compilation it is; here it is once. So a kernel's
 * body has __CUDA_ARCH__, and the body of a function for host and device is there twice. */
static void mark_twice(rewrite_unit *unit, const declaration *d) {
  bool marked = (d->global || d->device) && !d->is_constexpr && d->close != NOWHERE &&
                d->close > d->open + 1 && unit->tokens.items[d->open].parentheses == 0 &&
                asks_for_device(unit, d->open, d->close);
  if (marked)
    add_edit(unit, (edit){.kind = EDIT_TWICE, .first = d->open, .last = d->close - 1, .on_host = d->host});
}

/* `__launch_bounds__(256, 4)` in the head of a kernel. A body that is there twice has none. */
static void mark_launch_bounds(rewrite_unit *unit, const declaration *d) {
  if (!d->global || d->close == NOWHERE || asks_for_device(unit, d->open, d->close)) return;
  for (size_t i = d->first; i < d->name; i++)
    if (word_at(unit, i, "__launch_bounds__") && word_at(unit, i + 1, "("))
      add_edit(unit, (edit){.kind = EDIT_LAUNCH_BOUNDS,
                            .first = d->open,
                            .last = d->open,
                            .left = i + 1,
                            .right = partner(unit, i + 1)});
}

void find_declarations(rewrite_unit *unit) {
  if (unit->macro) {
    mark_kernels_of_macro(unit);
    return;
  }
  for (size_t i = 0; i < unit->tokens.count;) i = find_declaration(unit, i);
  for (size_t i = 0; i < unit->declarations.count; i++) {
    const declaration *d = &unit->declarations.items[i];
    mark_variable(unit, d);
    mark_kernel(unit, d);
    mark_twice(unit, d);
    mark_launch_bounds(unit, d);
    bool merged = d->is_template || (d->is_inline && !d->is_static) ||
                  unit->tokens.items[d->first].scope == SCOPE_CLASS;
    if (d->close == NOWHERE || merged) continue;
    for (size_t j = d->open; j < d->close; j++)
      if (one_of_at(unit, j, memories)) mark_static(unit, j);
  }
}
