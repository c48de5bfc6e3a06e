/* emit.c: writes the new text. */
#include "emit.h"

#include "emit_declared.h"
#include "emit_text.h"
#include "find.h"
#include "names.h"
#include "scope.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_name_string(const rewrite_unit *unit, const edit *e, wb_text *out) {
  if (unit->macro) { /* the name may be the macro's parameter */
    wb_text_add(out, "CUCC_NAME(");
    add_tokens(unit, e->first, e->open - 1, out);
    wb_text_add(out, ")");
    return;
  }
  wb_text name = {0};
  add_tokens(unit, e->first, e->open - 1, &name);
  wb_text_add(out, "\"");
  add_quoted(out, name.data, name.size);
  wb_text_add(out, "\"");
  wb_text_free(&name);
}

static void emit_range(rewrite_unit *unit, size_t begin, size_t end, size_t first_token, size_t end_token,
                       wb_text *out);

/* The argument that starts at token i ends before this token: a comma, or the parenthesis after the last
 * one. */
static size_t argument_end(const rewrite_unit *unit, const edit *e, size_t i) {
  for (; i < e->right && !word_at(unit, i, ","); i++) {
    bool less = word_at(unit, i, "<") && kind_at(unit, i - 1, TOKEN_WORD);
    size_t close = less ? match_template(unit, i) : NOWHERE;
    if (close < e->right &&
        (word_at(unit, close + 1, "(") || word_at(unit, close + 1, "{") || word_at(unit, close + 1, "::")))
      i = close + 1;
    if (opens(unit, i) && partner(unit, i) != NOWHERE) i = partner(unit, i);
  }
  return i < e->right ? i : e->right;
}

/* `{1, 2}`: it has no type of its own, so no variable can hold it until the kernel runs. */
static bool is_braced(const rewrite_unit *unit, size_t i, size_t end) {
  return word_at(unit, i, "{") && partner(unit, i) + 1 == end;
}

/* May become a null pointer: 0, 0L, 0x0, NULL, and what a macro's name or use stands for, in parentheses or
 * not. */
static bool may_be_zero(const rewrite_unit *unit, size_t i, size_t end) {
  while (word_at(unit, i, "(") && partner(unit, i) + 1 == end) i++, end--;
  if (i >= end) return false;
  const known_name *name = name_at(unit, i);
  if (name && name->meanings & NAME_MACRO)
    return end == i + 1 || (word_at(unit, i + 1, "(") && partner(unit, i + 1) + 1 == end);
  const size_t length = token_length(unit, i);
  return end == i + 1 &&
         (word_at(unit, i, "NULL") || (kind_at(unit, i, TOKEN_NUMBER) && *token_text(unit, i) == '0' &&
                                       strspn(token_text(unit, i), "0xXuUlL") >= length));
}

/* A name, which may be that of an object: its type is not the parameter's then. */
static bool is_named(const rewrite_unit *unit, size_t i, size_t end) {
  return end == i + 1 && kind_at(unit, i, TOKEN_WORD) && !may_be_zero(unit, i, end);
}

/* Which of the launched kernel's parameters are references, as far as its name says. */
static unsigned references_of_launch(const rewrite_unit *unit, const edit *e) {
  size_t name = e->first;
  while (kind_at(unit, name, TOKEN_WORD) && word_at(unit, name + 1, "::") && name + 2 < e->open) name += 2;
  const known_name *known = name_at(unit, name);
  return known ? known->references : 0;
}

typedef struct {
  size_t count;
  bool braced, zero, named, several; /* several: a pack or a macro's variable arguments among them */
} argument_kinds;

static argument_kinds kinds_of_arguments(const rewrite_unit *unit, const edit *e) {
  argument_kinds kinds = {0};
  for (size_t i = e->left + 1, end; i < e->right; i = end + 1) {
    end = argument_end(unit, e, i);
    bool braced = is_braced(unit, i, end);
    kinds.count += !braced;
    kinds.braced = kinds.braced || braced;
    kinds.zero = kinds.zero || may_be_zero(unit, i, end);
    kinds.named = kinds.named || is_named(unit, i, end);
    kinds.several = kinds.several || word_at(unit, i, "__VA_ARGS__") || word_at(unit, end - 1, ".");
  }
  return kinds;
}

/* Whether the arguments may be objects, which are converted to the types of the kernel's parameters. */
static bool converts(const rewrite_unit *unit, const argument_kinds *kinds) {
  return !unit->macro && kinds->named && !kinds->zero && !kinds->braced && !kinds->several;
}

/* What the call of the kernel gives for a parameter of the lambda: of a reference, what it refers to. */
static void add_argument(const rewrite_unit *unit, const edit *e, const char *name, wb_text *out) {
  wb_text_add(out, references_of_launch(unit, e) ? "::cucc::itself(%s)" : "%s", name);
}

/* The parameters of a launch's lambda, or its call of the kernel: `auto... cucc_a` and `cucc_a...`. Where an
 * argument is braced, one by one, with the braces in the call: `auto cucc_1` and `cucc_1, {1, 2}`. */
static void add_parameters_of_lambda(const rewrite_unit *unit, const edit *e, bool call, wb_text *out) {
  const argument_kinds kinds = kinds_of_arguments(unit, e);
  if (!kinds.braced || kinds.several) {
    if (call)
      add_argument(unit, e, "cucc_a", out);
    else
      wb_text_add(out, "auto");
    wb_text_add(out, "%s", call ? "..." : "... cucc_a");
    return;
  }
  size_t number = 0, written = 0;
  for (size_t i = e->left + 1, end; i < e->right; i = end + 1) {
    char name[48];
    end = argument_end(unit, e, i);
    bool braced = is_braced(unit, i, end);
    snprintf(name, sizeof name, "%scucc_%zu", call ? "" : "auto ", ++number);
    if (braced && !call) continue;
    if (written++) wb_text_add(out, ", ");
    if (braced)
      add_tokens(unit, i, end - 1, out);
    else if (call)
      add_argument(unit, e, name, out);
    else
      wb_text_add(out, "%s", name);
  }
}

static const char *comma_before(const rewrite_unit *unit, const edit *e) {
  const argument_kinds kinds = kinds_of_arguments(unit, e);
  if (!kinds.count && !kinds.several) return "";
  return ", ";
}

static void emit_marked(rewrite_unit *unit, const char *mark, bool lines, size_t i, size_t end,
                        wb_text *out) {
  const token *t = unit->tokens.items;
  wb_text_add(out, "::cucc::%s(", mark);
  resume(unit, lines, t[i].begin, out);
  emit_range(unit, t[i].begin, t[end - 1].end, i, end, out);
  wb_text_add(out, ")");
  resume(unit, lines, t[end].begin, out);
}

/* The arguments. What may be 0 or NULL is marked: `auto` would make an integer of it, and the call would not
 * compile; so is what may be an object. Braced ones are left out: they are in the lambda. */
static void emit_arguments(rewrite_unit *unit, const edit *e, bool lines, wb_text *out) {
  const token *t = unit->tokens.items;
  const argument_kinds kinds = kinds_of_arguments(unit, e);
  const unsigned references = references_of_launch(unit, e);
  size_t begin = t[e->left].end, written = 0, number = 0;
  for (size_t i = e->left + 1, end; i < e->right; i = end + 1, number++) {
    end = argument_end(unit, e, i);
    if (kinds.braced && !kinds.several && is_braced(unit, i, end)) {
      keep_newlines(unit, false, begin, t[end].begin, out);
    } else {
      if (written++) wb_text_add(out, ",");
      wb_text_add_bytes(out, unit->text + begin, t[i].begin - begin);
      if (number < 32 && references >> number & 1)
        emit_marked(unit, "referred", lines, i, end, out);
      else if (may_be_zero(unit, i, end))
        emit_marked(unit, "given", lines, i, end, out);
      else if (!references && converts(unit, &kinds) && is_named(unit, i, end))
        emit_marked(unit, "passed", lines, i, end, out);
      else
        emit_range(unit, t[i].begin, t[end].begin, i, end, out);
    }
    begin = t[end].end;
  }
  if (begin < t[e->right].begin) wb_text_add_bytes(out, unit->text + begin, t[e->right].begin - begin);
}

/* In a macro the arguments are unknown, and objects may be converted. The kernel's type says what they
 * become, if it has but one. */
static void add_asked(const rewrite_unit *unit, const char *how, const edit *e, wb_text *out) {
  wb_text_add(out, ").%s(CUCC_TYPE(", how);
  add_tokens(unit, e->first, e->open - 1, out);
  wb_text_add(out, "), ");
}

/* What a macro holds of a launch: `kernel<<<grid, block>>>`, whose arguments follow where the macro is used,
 * or the configuration alone. */
static void emit_part_of_launch(rewrite_unit *unit, const edit *e, wb_text *out) {
  const token *t = unit->tokens.items;
  bool headless = e->first == e->open;
  wb_text_add(out, "%s",
              headless ? "->*::cucc::launch_with(__FILE__, __LINE__, ::cucc::launch_config("
                       : "::cucc::launch_at(__FILE__, __LINE__, ");
  if (!headless) {
    add_name_string(unit, e, out);
    wb_text_add(out, ", ::cucc::launch_config(");
    keep_newlines(unit, false, t[e->first].begin, t[e->open].begin, out);
  }
  emit_range(unit, t[e->open + 2].end, t[e->close].begin, e->open + 3, e->close, out);
  wb_text_add(out, "%s", headless ? "))" : ")");
  if (headless) return;
  add_asked(unit, "of", e, out);
  wb_text_add(out, "[=](auto... cucc_a) { ");
  add_tokens(unit, e->first, e->open - 1, out);
  wb_text_add(out, "(cucc_a...); })");
}

/* A second lambda, to be asked whether the kernel takes these
   arguments: what a 0 stands for depends on it. */
static void add_question(const rewrite_unit *unit, const edit *e, wb_text *out) {
  wb_text_add(out, ", [=](");
  add_parameters_of_lambda(unit, e, false, out);
  wb_text_add(out, ") -> decltype(void(");
  add_tokens(unit, e->first, e->open - 1, out);
  wb_text_add(out, "(");
  add_parameters_of_lambda(unit, e, true, out);
  wb_text_add(out, "))) {})");
}

/* A launch by pointer: the pointer is read here and now, and its type says what the arguments become. */
static void emit_launch_by_pointer(rewrite_unit *unit, const edit *e, wb_text *out) {
  const token *t = unit->tokens.items;
  bool lines = t[e->first].parentheses == 0;
  wb_text_add(out, "::cucc::by_pointer(__FILE__, %d, ", line_of(unit, t[e->first].begin));
  add_name_string(unit, e, out);
  wb_text_add(out, ", ");
  resume(unit, lines, t[e->first].begin, out);
  emit_range(unit, t[e->first].begin, t[e->open].begin, e->first, e->open, out);
  wb_text_add(out, ", ::cucc::launch_config(");
  resume(unit, lines, t[e->open + 2].end, out);
  emit_range(unit, t[e->open + 2].end, t[e->close].begin, e->open + 3, e->close, out);
  wb_text_add(out, "))");
  resume(unit, lines, t[e->left].begin, out);
  emit_range(unit, t[e->left].begin, t[e->right].end, e->left, e->right + 1, out);
}

static void emit_launch(rewrite_unit *unit, const edit *e, wb_text *out) {
  const token *t = unit->tokens.items;
  bool lines = !unit->macro && t[e->first].parentheses == 0;
  const argument_kinds kinds = kinds_of_arguments(unit, e);
  const bool zero = kinds.zero,
             typed = unit->macro || (!references_of_launch(unit, e) && converts(unit, &kinds));
  if (unit->macro)
    wb_text_add(out, "::cucc::launch_at(__FILE__, __LINE__, ");
  else
    wb_text_add(out, "::cucc::launch_at(__FILE__, %d, ", line_of(unit, t[e->first].begin));
  add_name_string(unit, e, out);
  wb_text_add(out, ", ::cucc::launch_config(");
  keep_newlines(unit, lines, t[e->first].begin, t[e->open].begin, out);
  resume(unit, lines, t[e->open + 2].end, out);
  emit_range(unit, t[e->open + 2].end, t[e->close].begin, e->open + 3, e->close, out);
  resume(unit, lines, t[e->close].begin, out);
  wb_text_add(out, ")");
  if (typed)
    add_asked(unit, unit->macro ? "of" : "converting", e, out);
  else
    wb_text_add(out, ")(");
  wb_text_add(out, "%s", zero ? "::cucc::with_zeros([=](" : "[=](");
  add_parameters_of_lambda(unit, e, false, out);
  wb_text_add(out, ") { ");
  resume(unit, lines, t[e->first].begin, out);
  if (lines) {
    wb_text_add_bytes(out, unit->text + t[e->first].begin, t[e->open - 1].end - t[e->first].begin);
    resume(unit, lines, t[e->left].begin, out); /* errors in the arguments are shown under them */
  } else {
    add_tokens(unit, e->first, e->open - 1, out);
  }
  wb_text_add(out, "(");
  add_parameters_of_lambda(unit, e, true, out);
  wb_text_add(out, "); }");
  if (zero) add_question(unit, e, out);
  wb_text_add(out, "%s", typed ? ")(" : comma_before(unit, e));
  keep_newlines(unit, lines, t[e->close].begin, t[e->left].begin, out);
  resume(unit, lines, t[e->left].end, out);
  emit_arguments(unit, e, lines, out);
  wb_text_add(out, ")");
}

/* A macro's body is C++ too: `#define RUN(k) k<<<1, 1>>>()`. */
static void emit_directive(rewrite_unit *unit, const token *t, wb_text *out) {
  const char *text = unit->text + t->begin;
  size_t length = t->end - t->begin, word = 1;
  while (word < length && (text[word] == ' ' || text[word] == '\t')) word++;
  if (length - word > 7 && memcmp(text + word, "define", 6) == 0) {
    rewrite_unit body = {.text = text, .length = length, .name = unit->name, .macro = true};
    lex(text, word + 6, length, true, &body.tokens);
    find_edits(&body);
    emit_unit(&body, out);
    unit->changed = unit->changed || body.edits.count > 0;
    free(body.tokens.items);
    free(body.edits.items);
  } else if (unit->include && length - word > 7 && memcmp(text + word, "include", 7) == 0 &&
             unit->include(unit->context, text, length, out)) {
    return; /* the caller knows that it changed */
  } else {
    wb_text_add_bytes(out, text, length);
  }
}

static const char device_arch[] =
    "\n#ifdef CUCC_ARCH\n#define __CUDA_ARCH__ CUCC_ARCH\n#else\n#define __CUDA_ARCH__ 800\n#endif";

/* The first or the last line of a group that is answered as for the device. The #undef stands after the
 * #endif: within the group, the preprocessor skips it where the condition is false. */
static void emit_arch(const rewrite_unit *unit, const edit *e, wb_text *out) {
  const bool ends = directive_is(unit, e->first, "endif");
  if (!ends) wb_text_add(out, "%s\n", device_arch);
  add_tokens(unit, e->first, e->last, out);
  if (ends) wb_text_add(out, "\n#undef __CUDA_ARCH__");
  resume(unit, true, unit->tokens.items[e->last].end, out);
}

/* A body that asks for __CUDA_ARCH__, without its last brace. */
static void emit_twice(rewrite_unit *unit, const edit *e, wb_text *out) {
  const token *t = unit->tokens.items;
  wb_text_add(out, "%s", e->on_host ? "{ if (cucc_on_device()) {" : "{");
  wb_text_add(out, "%s", device_arch);
  resume(unit, true, t[e->first].end, out);
  emit_range(unit, t[e->first].end, t[e->last].end, e->first + 1, e->last + 1, out);
  wb_text_add(out, "\n#undef __CUDA_ARCH__");
  if (e->on_host) {
    wb_text_add(out, "\n} else {");
    resume(unit, true, t[e->first].end, out);
    emit_range(unit, t[e->first].end, t[e->last].end, e->first + 1, e->last + 1, out);
    wb_text_add(out, "\n}");
  }
  resume(unit, true, t[e->last].end, out);
}

/* An error at the place of the edit's first token. gcc reports a pragma at the token after it, clang at its
 * own. */
static void emit_error(const rewrite_unit *unit, const edit *e, wb_text *out) {
  const token *t = &unit->tokens.items[e->first];
  bool lines = t->parentheses == 0;
  wb_text pragma = {0};
  wb_text_add(&pragma, "GCC error \"cucc: ");
  add_quoted(&pragma, e->error, strlen(e->error));
  wb_text_add(&pragma, "\"");
  resume(unit, lines, t->begin, out);
  wb_text_add(out, "_Pragma(\"");
  add_quoted(out, pragma.data, pragma.size);
  wb_text_add(out, "\") ");
  resume(unit, lines, t->begin, out);
  wb_text_free(&pragma);
}

/* Before a token of the learner's. */
static void emit_insert(const rewrite_unit *unit, const edit *e, wb_text *out) {
  const token *t = &unit->tokens.items[e->first];
  wb_text_add(out, "%s ", e->inserted);
  resume(unit, t->parentheses == 0, t->begin, out);
  add_tokens(unit, e->first, e->last, out);
}

/* After the first brace of a kernel. */
static void emit_launch_bounds(const rewrite_unit *unit, const edit *e, wb_text *out) {
  const token *t = &unit->tokens.items[e->first];
  wb_text_add(out, "{ ::cucc::launch_bounds(");
  add_tokens(unit, e->left + 1, e->right - 1, out);
  wb_text_add(out, ");");
  resume(unit, t->parentheses == 0, t->end, out);
}

/* The number of a barrier, as its last argument; 0 is for those without. */
static void emit_barrier(const rewrite_unit *unit, const edit *e, wb_text *out) {
  const token *t = unit->tokens.items;
  wb_text_add(out, "%s%zu", e->left + 1 == e->last ? "" : ", ", t[e->left].begin + 1);
  resume(unit, t[e->left].parentheses == 0, t[e->last].begin, out);
  add_tokens(unit, e->last, e->last, out);
}

static void emit_edit(rewrite_unit *unit, const edit *e, wb_text *out) {
  if (e->error) emit_error(unit, e, out);
  switch (e->kind) {
  case EDIT_LAUNCH:
    if (e->left == NOWHERE)
      emit_part_of_launch(unit, e, out);
    else if (e->by_pointer)
      emit_launch_by_pointer(unit, e, out);
    else
      emit_launch(unit, e, out);
    break;
  case EDIT_DYNAMIC_SHARED:
    emit_dynamic_shared(unit, e, out);
    break;
  case EDIT_VARIABLE:
    emit_variable(unit, e, out);
    break;
  case EDIT_VARIABLE_TEMPLATE:
    emit_variable_template(unit, e, out);
    break;
  case EDIT_STATIC:
    break;
  case EDIT_KERNEL:
    emit_kernel(unit, e, out);
    break;
  case EDIT_LAUNCH_BOUNDS:
    emit_launch_bounds(unit, e, out);
    break;
  case EDIT_TWICE:
    emit_twice(unit, e, out);
    break;
  case EDIT_ARCH:
    emit_arch(unit, e, out);
    break;
  case EDIT_BARRIER:
    emit_barrier(unit, e, out);
    break;
  case EDIT_INSERT:
    emit_insert(unit, e, out);
    break;
  case EDIT_ERROR:
    add_tokens(unit, e->first, e->last, out);
    break;
  }
}

/* Emits text [begin, end), which holds the tokens [first_token, end_token). */
static void emit_range(rewrite_unit *unit, size_t begin, size_t end, size_t first_token, size_t end_token,
                       wb_text *out) {
  const edit *e = unit->edits.items, *edits_end = e + unit->edits.count;
  const token *t = unit->tokens.items;
  while (e < edits_end && e->first < first_token) e++;
  for (size_t i = first_token; i < end_token; i++) {
    bool change = e < edits_end && e->first == i && e->last < end_token;
    if (!change && t[i].kind != TOKEN_DIRECTIVE) continue;
    wb_text_add_bytes(out, unit->text + begin, t[i].begin - begin);
    if (!change) {
      emit_directive(unit, &t[i], out);
      /* In a group that #if leaves out, no #line is obeyed: what changed there shifted the lines. */
      if (unit->changed && !unit->macro && (directive_is(unit, i, "el") || directive_is(unit, i, "endif")))
        resume(unit, true, t[i].end, out);
    } else {
      emit_edit(unit, e, out);
      i = e->last;
      unit->changed = true;
    }
    begin = t[i].end;
    while (e < edits_end && e->first <= i) e++;
  }
  wb_text_add_bytes(out, unit->text + begin, end - begin);
}

void emit_unit(rewrite_unit *unit, wb_text *out) {
  emit_range(unit, 0, unit->length, 0, unit->tokens.count, out);
}
