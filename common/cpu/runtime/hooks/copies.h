#ifndef CUCC_HOOKS_COPIES_H
#define CUCC_HOOKS_COPIES_H

#include "base/base.h"

struct worker;

/* A phase of this barrier ends: the copies that belong to it have arrived. */
void copies_arrive(struct worker *w, const void *object);

#endif
