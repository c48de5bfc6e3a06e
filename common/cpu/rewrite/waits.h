/* waits.h: where in a file's device code a thread may wait for another thread's value. */
#ifndef CUCC_REWRITE_WAITS_H
#define CUCC_REWRITE_WAITS_H

#include "base/text.h"
#include "unit.h"

/* Whether token i, in the body of this function, may run again because of what another thread did: in a loop
   that does not go over elements, or in a function that is called in one. */
bool is_tried_again(const rewrite_unit *unit, const declaration *d, size_t i);
/* Notes the names of the functions that are called in such loops, for the files that follow, too. */
void find_waits(rewrite_unit *unit);
/* Writes the table of these places for runtime/checker/waits.c, if the program may need it. */
void emit_waits(const rewrite_unit *unit, wb_text *out);

#endif
