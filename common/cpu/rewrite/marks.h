/* marks.h: marks for the checker what only the text shows: which barrier is which, how a thread leaves. */
#ifndef CUCC_REWRITE_MARKS_H
#define CUCC_REWRITE_MARKS_H

#include "unit.h"

/* Adds the edits that mark barriers, ends of kernels, early returns, and atomic operations that stand alone. */
void find_marks(rewrite_unit *unit);

#endif
