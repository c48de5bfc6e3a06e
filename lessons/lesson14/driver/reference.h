/* reference.h: the right numbers of a whole case, which are computed once and asked for one by one. */
#ifndef REFERENCE_H
#define REFERENCE_H

#include "network.h"
#include "wb.h"

/* Computes all numbers of a case, malloc'ed; they are the harness's from then on. */
typedef net_numbers make_reference(const wb_case *c);

/* Number i of those that `make` gives for this case. Threads of the harness may ask at the same time. */
wb_expected reference_number(const wb_case *c, make_reference *make, size_t i);

#endif
