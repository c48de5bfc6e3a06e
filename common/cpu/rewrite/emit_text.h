/* emit_text.h: pieces of the new text. */
#ifndef CUCC_REWRITE_EMIT_TEXT_H
#define CUCC_REWRITE_EMIT_TEXT_H

#include "unit.h"

/* The text of token i, not terminated, and its length. */
const char *token_text(const rewrite_unit *unit, size_t i);
size_t token_length(const rewrite_unit *unit, size_t i);
/* Appends text as the inside of a string literal. */
void add_quoted(wb_text *out, const char *text, size_t length);
/* Appends tokens [first, last] with one blank where the text has blanks or comments. */
void add_tokens(const rewrite_unit *unit, size_t first, size_t last, wb_text *out);
/* Appends `#line LINE "NAME"` and a newline. */
void emit_line_directive(wb_text *out, int line, const char *name);
/* Goes on with the learner's text at this offset: a new line that the compiler takes for the learner's, at
   the same column. Where no #line may stand (a macro's body or argument; lines: false) nothing is written; the
   line stays right, the column does not. */
void resume(const rewrite_unit *unit, bool lines, size_t offset, wb_text *out);
/* Without lines: appends the newlines between two offsets, since no #line can stand in for them. */
void keep_newlines(const rewrite_unit *unit, bool lines, size_t begin, size_t end, wb_text *out);

#endif
