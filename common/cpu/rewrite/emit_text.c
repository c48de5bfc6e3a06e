/* emit_text.c: pieces of the new text. What a change adds stands on lines of its own, and #line and blanks
   put the learner's parts back at their own line and column, so a compiler's message points at the right
   place. */
#include "emit_text.h"

#include "scope.h"

#include <string.h>

const char *token_text(const rewrite_unit *unit, size_t i) {
  return unit->text + unit->tokens.items[i].begin;
}

size_t token_length(const rewrite_unit *unit, size_t i) {
  return unit->tokens.items[i].end - unit->tokens.items[i].begin;
}

void add_quoted(wb_text *out, const char *text, size_t length) {
  for (size_t i = 0; i < length; i++) {
    if (text[i] == '"' || text[i] == '\\') wb_text_add_bytes(out, "\\", 1);
    wb_text_add_bytes(out, text + i, 1);
  }
}

void emit_line_directive(wb_text *out, int line, const char *name) {
  wb_text_add(out, "#line %d \"", line);
  add_quoted(out, name, strlen(name));
  wb_text_add(out, "\"\n");
}

void resume(const rewrite_unit *unit, bool lines, size_t offset, wb_text *out) {
  if (!lines) return;
  size_t line = line_index(unit, offset);
  wb_text_add_bytes(out, "\n", 1);
  emit_line_directive(out, unit->first_line + (int)line, unit->name);
  for (size_t i = unit->lines[line]; i < offset; i++)
    wb_text_add_bytes(out, unit->text[i] == '\t' ? "\t" : " ", 1);
}

void add_tokens(const rewrite_unit *unit, size_t first, size_t last, wb_text *out) {
  for (size_t i = first; i <= last; i++) {
    if (i > first && unit->tokens.items[i - 1].end != unit->tokens.items[i].begin)
      wb_text_add_bytes(out, " ", 1);
    wb_text_add_bytes(out, token_text(unit, i), token_length(unit, i));
  }
}

void keep_newlines(const rewrite_unit *unit, bool lines, size_t begin, size_t end, wb_text *out) {
  for (size_t i = begin; i < end && !lines; i++)
    if (unit->text[i] == '\n') wb_text_add(out, "%s", unit->macro ? "\\\n" : "\n");
}
