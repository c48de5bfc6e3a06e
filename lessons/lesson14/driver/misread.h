/* misread.h: the digits that a network read as others, as a list and as a picture. */
#ifndef MISREAD_H
#define MISREAD_H

#include "digits.h"

/* The most probable of the ten classes. */
int misread_as(const float *probs);

/* Prints how many of `d` were misread, and as what, and draws the first 100 of them into a file: as PNG if its
 * name ends so and libpng is there, else as PPM. Returns the exit status. */
int misread_show(const char *path, const digits *d, const float *probs);

#endif
