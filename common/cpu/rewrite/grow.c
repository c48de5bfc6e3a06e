/* grow.c: arrays that grow; see grow.h. */
#include "grow.h"

#include <stdio.h>
#include <stdlib.h>

void *rewrite_grow(void *items, size_t *capacity, size_t needed, size_t item_size) {
  if (needed == 0) {
    free(items);
    *capacity = 0;
    return NULL;
  }
  if (needed <= *capacity) return items;
  size_t bigger = *capacity * 2 > needed ? *capacity * 2 : needed + 16;
  void *moved = realloc(items, bigger * item_size);
  if (!moved) {
    fputs("rewrite: out of memory\n", stderr);
    exit(1);
  }
  *capacity = bigger;
  return moved;
}
