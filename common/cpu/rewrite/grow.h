/* grow.h: arrays that grow. */
#ifndef CUCC_GROW_H
#define CUCC_GROW_H

#include <stddef.h>

/* Makes room for `needed` items of `item_size` bytes and updates *capacity. Returns the array, which may have
   moved. needed == 0 frees it and returns NULL. Ends the process with a message when memory is exhausted. */
void *rewrite_grow(void *items, size_t *capacity, size_t needed, size_t item_size);

#endif
