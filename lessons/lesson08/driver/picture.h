/*
 * picture.h: the plate as a picture, by the learner's own solver: wb_lesson.picture of lesson08.
 */
#ifndef PICTURE_H
#define PICTURE_H

#include "wb.h"

/*
 * Solves the seed's problem on a square plate (the first number of --size; else 256, on the CPU backend 64)
 * by the learner's solve and solve_float, and for comparison on the host. Prints how many sweeps each took,
 * the value in the middle, and a heat map. Writes the plate to `path`: as PNG if libpng is installed, else as
 * PPM. Returns the exit status: 0, 1 if an answer differs, 2 for an invalid size, 3 if there is no device or
 * the file can't be written.
 */
int picture_of_plate(const char *path, const wb_size *size, int size_count);

#endif
