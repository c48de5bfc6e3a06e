/* model/cause_places.h: causes that the places of the wrong elements show, for model/cause.c. Each adds a line
 * and returns true, or adds nothing. */
#ifndef WB_CAUSE_PLACES_H
#define WB_CAUSE_PLACES_H

#include "base/text.h"
#include "model/cause_facts.h"

/* Only a first part is right, of the whole array, of each chunk, or of the rows and columns. */
bool wb_cause_left_out(const facts *f, wb_text *text);

/* Only a rest after whole groups is wrong, and it was written. */
bool wb_cause_wrong_rest(const facts *f, wb_text *text);

/* The values belong to other elements: a few places further, or a row. */
bool wb_cause_shifted(const facts *f, wb_text *text);

/* It is the right result of fewer elements. */
bool wb_cause_fewer(const facts *f, wb_text *text);

/* Bands of columns, as wide and as far apart as each other, are wrong: no cause, but where to look. */
void wb_cause_bands(const facts *f, wb_text *text);

/* Rows are columns. */
bool wb_cause_exchanged(const facts *f, wb_text *text);

#endif
