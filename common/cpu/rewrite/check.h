/* check.h: the errors that a C++ compiler cannot find. */
#ifndef CUCC_REWRITE_CHECK_H
#define CUCC_REWRITE_CHECK_H

#include "unit.h"

/* Adds errors to the edits of a unit whose names are collected. */
void check_unit(rewrite_unit *unit);

#endif
