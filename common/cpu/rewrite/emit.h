/* emit.h: writes the new text. */
#ifndef CUCC_REWRITE_EMIT_H
#define CUCC_REWRITE_EMIT_H

#include "unit.h"

/* Appends the rewritten text to `out`. */
void emit_unit(rewrite_unit *unit, wb_text *out);
/* Appends `#line LINE "NAME"` and a newline. */
void emit_line_directive(wb_text *out, int line, const char *name);
/* The file's name in the line directives of a kernel's registration. */
#define REGISTRATION_FILE "<cucc>"

#endif
