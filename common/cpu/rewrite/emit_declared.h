/* emit_declared.h: writes what becomes of declarations. */
#ifndef CUCC_REWRITE_EMIT_DECLARED_H
#define CUCC_REWRITE_EMIT_DECLARED_H

#include "unit.h"

/* The file's name in the line directives of a kernel's registration. */
#define REGISTRATION_FILE "<cucc>"

/* Each appends what replaces the tokens of its edit. */
void emit_dynamic_shared(rewrite_unit *unit, const edit *e, wb_text *out);
void emit_variable(const rewrite_unit *unit, const edit *e, wb_text *out);
void emit_variable_template(const rewrite_unit *unit, const edit *e, wb_text *out);
void emit_kernel(const rewrite_unit *unit, const edit *e, wb_text *out);

#endif
