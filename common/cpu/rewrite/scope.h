/* scope.h: questions about tokens, their brackets and scopes. An index past the last token gives false or
   NOWHERE. */
#ifndef CUCC_REWRITE_SCOPE_H
#define CUCC_REWRITE_SCOPE_H

#include "unit.h"

bool word_at(const rewrite_unit *unit, size_t i, const char *word);
bool one_of_at(const rewrite_unit *unit, size_t i, const char *const *words); /* words end with NULL */
bool kind_at(const rewrite_unit *unit, size_t i, token_kind kind);
bool opens(const rewrite_unit *unit, size_t i);  /* ( [ { */
bool closes(const rewrite_unit *unit, size_t i); /* ) ] } */
bool touches_next(const rewrite_unit *unit, size_t i);
size_t partner(const rewrite_unit *unit, size_t i);
/* The > that closes the template arguments or parameters which open at token i, or NOWHERE. */
size_t match_template(const rewrite_unit *unit, size_t i);
/* Index after the attribute with its parentheses that starts at token i, or i when none does. */
size_t skip_attribute(const rewrite_unit *unit, size_t i);
/* Whether both tokens are the same word. */
bool same_word(const rewrite_unit *unit, size_t a, size_t b);
/* Index of the line that holds this offset into the text, and its line number. */
size_t line_index(const rewrite_unit *unit, size_t offset);
int line_of(const rewrite_unit *unit, size_t offset);
/* Whether token i is a preprocessor line that begins with this. */
bool directive_is(const rewrite_unit *unit, size_t i, const char *word);
/* Sets the tokens' partners, depth and scope. */
void find_scopes(rewrite_unit *unit);

#endif
