/* emit_declared.c: writes what becomes of declarations: dynamic shared memory, variables of the device and
   the registrations of kernels. */
#include "emit_declared.h"

#include "emit_text.h"
#include "find.h"
#include "scope.h"

#include <string.h>

/* One array: `type name [] dimensions`, tokens of the type [type, name), of the dimensions after [] up to
 * end. In a function it is a pointer, since a template's type may differ from instance to instance; at file
 * scope it is the runtime's own array, which can be cast as any other. */
static void emit_shared_array(const rewrite_unit *unit, const wb_text *type, size_t name, size_t end,
                              bool function, wb_text *out) {
  wb_text dimensions = {0};
  if (name + 3 < end) add_tokens(unit, name + 3, end - 1, &dimensions);
  const char *rest = dimensions.data ? dimensions.data : "", *open = *rest ? "(" : "",
             *close = *rest ? ")" : "";
  const char *const in_function[] = {type->data, " ", open, "*const ", NULL};
  const char *const at_file_scope[] = {"extern __thread ", type->data, " ", NULL};
  const char *const value[] = {
      close, rest, " = static_cast<", type->data, " ", open, "*", close, rest, ">(::cucc::dynamic_shared())",
      NULL};
  for (const char *const *s = function ? in_function : at_file_scope; *s; s++) wb_text_add(out, "%s", *s);
  wb_text_add_bytes(out, token_text(unit, name), token_length(unit, name));
  if (!function) wb_text_add(out, "[]%s asm(\"cucc_shared\")", rest);
  for (const char *const *s = value; function && *s; s++) wb_text_add(out, "%s", *s);
  wb_text_free(&dimensions);
}

void emit_dynamic_shared(rewrite_unit *unit, const edit *e, wb_text *out) {
  const token *t = unit->tokens.items;
  bool lines = !unit->macro && t[e->first].parentheses == 0;
  size_t i = e->first, end = e->last + 1;
  wb_text type = {0};
  while (i < end && !(i + 1 < end && token_is(unit->text, &t[i + 1], "["))) {
    size_t next = skip_shared_specifier(unit, i, end);
    if (next == i) {
      if (type.size) wb_text_add_bytes(&type, " ", 1);
      wb_text_add_bytes(&type, token_text(unit, i), token_length(unit, i));
      next = i + 1;
    }
    i = next;
  }
  for (size_t name = i, stop; name < end; name = stop + 1) { /* float a[], b[]; */
    for (stop = name; stop < end && !token_is(unit->text, &t[stop], ",");) stop++;
    if (name > i) wb_text_add(out, "; ");
    emit_shared_array(unit, &type, name, stop, t[e->first].scope == SCOPE_FUNCTION, out);
  }
  keep_newlines(unit, lines, t[e->first].begin, t[e->last].end, out);
  resume(unit, lines, t[e->last].end, out);
  wb_text_free(&type);
}

static const char *variable_macro(const rewrite_unit *unit, size_t specifier) {
  const token *t = &unit->tokens.items[specifier];
  if (token_is(unit->text, t, "__constant__")) return "CUCC_CONSTANT_VARIABLE";
  return token_is(unit->text, t, "__managed__") ? "CUCC_MANAGED_VARIABLE" : "CUCC_DEVICE_VARIABLE";
}

void emit_variable(const rewrite_unit *unit, const edit *e, wb_text *out) {
  wb_text_add(out, "%s", variable_macro(unit, e->first));
  resume(unit, true, unit->tokens.items[e->first].end, out);
}

/* Before the template, because any text may follow it. */
void emit_variable_template(const rewrite_unit *unit, const edit *e, wb_text *out) {
  const token *specifier = &unit->tokens.items[e->left];
  const char *kind = token_is(unit->text, specifier, "__constant__")  ? "1"
                     : token_is(unit->text, specifier, "__managed__") ? "2"
                                                                      : "0";
  const char *const parts[] = {
      "static const ::cucc::variable_template cucc_template_", "\1", "(\"", "\1", "\", ", kind, ");", NULL};
  for (const char *const *part = parts; *part; part++)
    if (**part == '\1')
      add_tokens(unit, e->open, e->open, out);
    else
      wb_text_add(out, "%s", *part);
  resume(unit, true, unit->tokens.items[e->first].begin, out);
  add_tokens(unit, e->first, e->first, out);
}

/* The end of the parameter that begins at token i: a comma, or the closing parenthesis. */
static size_t parameter_end(const rewrite_unit *unit, const edit *e, size_t i) {
  for (; i < e->right && !word_at(unit, i, ","); i++) {
    const size_t close = word_at(unit, i, "<") ? match_template(unit, i) : NOWHERE;
    if (close < e->right) i = close;
    if (opens(unit, i) && partner(unit, i) < e->right) i = partner(unit, i);
  }
  return i < e->right ? i : e->right;
}

/* The last word of a parameter before its default argument and its brackets: its name, if it has one. */
static size_t parameter_name(const rewrite_unit *unit, size_t i, size_t end) {
  size_t name = NOWHERE;
  for (; i < end && !word_at(unit, i, "=") && !word_at(unit, i, "["); i++) {
    if (kind_at(unit, i, TOKEN_WORD)) name = i;
    if (opens(unit, i) && partner(unit, i) < end) i = partner(unit, i);
  }
  return name;
}

/* Whether a word of the tokens [i, end) is the name of a parameter, which hides the type that it was. */
static bool is_hidden(const rewrite_unit *unit, const edit *e, size_t i, size_t end) {
  for (; i < end; i++)
    for (size_t p = e->left + 1, stop; p < e->right; p = stop + 1) {
      stop = parameter_end(unit, e, p);
      const size_t name = parameter_name(unit, p, stop);
      if (name != NOWHERE && name > p && name != i && kind_at(unit, i, TOKEN_WORD) &&
          same_word(unit, i, name))
        return true;
    }
  return false;
}

/* One parameter without its default argument, which a pointer's type can't have; in its function's body the
 * type of one whose type has the name of a parameter: `plate plate`. */
static void add_parameter(const rewrite_unit *unit, const edit *e, size_t i, size_t end, wb_text *out) {
  const size_t name = parameter_name(unit, i, end);
  if (e->in_body && name != NOWHERE && is_hidden(unit, e, i, name)) {
    wb_text_add(out, "decltype(");
    add_tokens(unit, name, name, out);
    wb_text_add(out, word_at(unit, name - 1, ".") ? ")..." : ")");
    return;
  }
  for (size_t last; i < end && !word_at(unit, i, "="); i = last + 1) {
    last = opens(unit, i) && partner(unit, i) < end ? partner(unit, i) : i;
    add_tokens(unit, i, last, out);
    if (!word_at(unit, i, ".")) wb_text_add(out, " "); /* `...` are three */
  }
}

static void add_parameters(const rewrite_unit *unit, const edit *e, wb_text *out) {
  wb_text_add(out, "(");
  for (size_t i = e->left + 1, end; i < e->right; i = end + 1) {
    end = parameter_end(unit, e, i);
    add_parameter(unit, e, i, end, out);
    if (end < e->right) wb_text_add(out, ", ");
  }
  wb_text_add(out, ")");
}

/* The arguments of a registration: the kernel's name and its place. */
static void add_place(const rewrite_unit *unit, const edit *e, int line, wb_text *out) {
  wb_text_add(out, "(\"");
  add_tokens(unit, e->open, e->open, out);
  wb_text_add(out, "\", \"");
  add_quoted(out, unit->name, strlen(unit->name));
  wb_text_add(out, "\", %d);", line);
}

/* The registration of a kernel that a macro writes, at the beginning of its body. */
static void emit_kernel_of_macro(const rewrite_unit *unit, const edit *e, wb_text *out) {
  const token *t = unit->tokens.items;
  wb_text_add(out, "{ __attribute__((used)) static const ::cucc::kernel_instance<void (*)");
  wb_text_add_bytes(out, unit->text + t[e->left].begin, t[e->right].end - t[e->left].begin);
  wb_text_add(out, "> cucc_instance(__func__, __FILE__, __LINE__);");
}

/* The registration of a kernel, after its body, or for the kernels of a template at the body's end. Its lines
 * are in a file of their own, REGISTRATION_FILE, so that a compiler's messages about them can be left out: the
 * same was said about the kernel. */
void emit_kernel(const rewrite_unit *unit, const edit *e, wb_text *out) {
  if (unit->macro) {
    emit_kernel_of_macro(unit, e, out);
    return;
  }
  const token *name = &unit->tokens.items[e->open];
  int line = unit->first_line + (int)line_index(unit, name->begin);
  wb_text_add(out, "%s%s\n", e->inserted ? e->inserted : "", e->in_body ? "" : "}");
  emit_line_directive(out, line, REGISTRATION_FILE);
  if (e->in_body) {
    wb_text_add(out, "__attribute__((used)) static const ::cucc::kernel_instance<void (*)");
    add_parameters(unit, e, out);
    wb_text_add(out, "> cucc_instance");
    add_place(unit, e, line, out);
    resume(unit, true, unit->tokens.items[e->first].begin, out);
    wb_text_add(out, "}");
    return;
  }
  wb_text_add(out, "static const ::cucc::kernel_registration<static_cast<void (*)");
  add_parameters(unit, e, out);
  wb_text_add(out, ">(");
  add_tokens(unit, e->open, e->open, out);
  wb_text_add(out, ")> cucc_kernel_");
  add_tokens(unit, e->open, e->open, out);
  wb_text_add(out, "_%d", line);
  add_place(unit, e, line, out);
  wb_text_add(out, " CUCC_REGISTERED(cucc_kernel_");
  add_tokens(unit, e->open, e->open, out);
  wb_text_add(out, "_%d)", line);
  resume(unit, true, unit->tokens.items[e->first].end, out);
}
