/* image.h: pixels in a file. */
#ifndef IMAGE_H
#define IMAGE_H

#include <stdbool.h>

/*
 * Writes width x height pixels of three bytes: as PNG if the name ends in .png and libpng is installed, else as
 * PPM, with .ppm instead of .png in its name. `written`, of `size` bytes, gets the name of the file. Returns false
 * with errno on failure.
 */
bool image_write(const char *path, const unsigned char *rgb, int width, int height, char *written,
                 unsigned size);

#endif
