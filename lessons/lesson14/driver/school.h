/* school.h: the learner's functions train a network on digits: wb_lesson.picture. */
#ifndef SCHOOL_H
#define SCHOOL_H

#include "wb.h"

/*
 * Trains a network on digits of 28 x 28 pixels, prints what it reaches on digits that it has not seen, and its losses,
 * and draws the digits that it misread into `path` (PNG or PPM), with the losses next to it as SVG. `size`:
 * images, epochs. From the environment: NETWORK, mlp (the usual) or cnn, that of going further; DATA, a folder with
 * MNIST's files, in the place of the digits that are drawn here; CHECKPOINT, a file to which the state goes after each
 * epoch, and from which a training goes on. Returns the exit status.
 */
int school(const char *path, const wb_size *size, int size_count);

#endif
