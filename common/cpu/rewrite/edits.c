/* edits.c: the list of changes to a unit; see edits.h. */
#include "edits.h"

#include "grow.h"

void add_edit(rewrite_unit *unit, edit e) {
  edit_list *list = &unit->edits;
  list->items = rewrite_grow(list->items, &list->capacity, list->count + 1, sizeof *list->items);
  list->items[list->count++] = e;
}
