/* names.h: the names of all files of a program. */
#ifndef CUCC_REWRITE_NAMES_H
#define CUCC_REWRITE_NAMES_H

#include "unit.h"

void names_of_language(name_table *table);
void names_free(name_table *table);
/* The entry of the word at token i, or NULL. */
known_name *name_at(const rewrite_unit *unit, size_t i);
/* Whether the name means this and nothing else. False for NULL. */
bool name_means(const known_name *name, unsigned meaning);
/* The kind of function, as NAME_KERNEL and so on; NAME_OTHER when a macro may hide in its head. */
unsigned meaning_of(const rewrite_unit *unit, const declaration *d);
/* Whether token i is __global__, or a macro that stands for it. */
bool begins_kernel(const rewrite_unit *unit, size_t i);
/* Whether token i is `template`, or a macro that holds it. */
bool begins_template(const rewrite_unit *unit, size_t i);
/* Adds a meaning to the word at token i. */
void name_add_at(rewrite_unit *unit, size_t i, unsigned meaning);
void collect_macros(rewrite_unit *unit);
void collect_functions(rewrite_unit *unit);

#endif
