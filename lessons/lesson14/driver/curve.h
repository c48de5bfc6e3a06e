/* curve.h: the losses of a training, on a terminal and as SVG. */
#ifndef CURVE_H
#define CURVE_H

#include <stdbool.h>
#include <stddef.h>

/* Prints the losses of `steps` steps, of which `first` and later are known, as 12 lines of characters. */
void curve_print(const float *losses, size_t first, size_t steps);

/* Writes them as SVG; `device` is what they were computed on. Returns false with errno. */
bool curve_write(const char *path, const float *losses, size_t first, size_t steps, const char *device);

#endif
