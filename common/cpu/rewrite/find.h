/* find.h: finds the places to change. */
#ifndef CUCC_REWRITE_FIND_H
#define CUCC_REWRITE_FIND_H

#include "unit.h"

/* Fills unit->edits, in the order of their first token. */
void find_edits(rewrite_unit *unit);
/* Index after the specifier that starts at token i and is no part of the type (extern, __shared__,
   __align__(n), alignas(n), __attribute__((x))), or i when none starts there. */
size_t skip_shared_specifier(const rewrite_unit *unit, size_t i, size_t end);

#endif
