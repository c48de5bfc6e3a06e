/* emit.h: writes the new text. */
#ifndef CUCC_REWRITE_EMIT_H
#define CUCC_REWRITE_EMIT_H

#include "unit.h"

/* Appends the rewritten text to `out`. */
void emit_unit(rewrite_unit *unit, wb_text *out);

#endif
