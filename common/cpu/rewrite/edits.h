/* edits.h: the list of changes to a unit. */
#ifndef CUCC_REWRITE_EDITS_H
#define CUCC_REWRITE_EDITS_H

#include "unit.h"

void add_edit(rewrite_unit *unit, edit e);

#endif
