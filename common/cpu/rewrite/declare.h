/* declare.h: reads declarations. */
#ifndef CUCC_REWRITE_DECLARE_H
#define CUCC_REWRITE_DECLARE_H

#include "unit.h"

/* Fills unit->declarations and adds the edits that kernels and device variables need. */
void find_declarations(rewrite_unit *unit);

#endif
