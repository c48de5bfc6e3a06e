/* image.h: a square of values as a heat map: in a file and on a terminal. */
#ifndef IMAGE_H
#define IMAGE_H

#include <stdbool.h>

/*
 * Writes n x n values from 0 to `largest` to a file, black (0) through red and yellow to white: as PNG if the
 * name ends in .png and libpng is installed, else as PPM, with .ppm instead of .png in its name. `written`,
 * of `size` bytes, gets the name of the file. Returns false with errno on failure.
 */
bool image_write(const char *path, const double *p, int n, double largest, char *written, unsigned size);

/* Prints the values as 24 lines of characters, in colour on a terminal unless NO_COLOR is set. */
void image_print(const double *p, int n, double largest);

#endif
